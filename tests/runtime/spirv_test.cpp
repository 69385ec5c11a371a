#include "vkprims/spirv.hpp"

#include <doctest/doctest.h>

#include "all_shaders.hpp"

namespace vkprims::test {

using Words = std::vector<std::uint32_t>;

TEST_CASE("spirv: words of a module that is not packed") {
  const std::uint32_t words[] = {7, 0, ~0u};
  CHECK(words_of({"plain", words, sizeof words}) == Words{7, 0, ~0u});
  CHECK(words_of({"left out", nullptr, 0}).empty());
}

TEST_CASE("spirv: each code of a packed module") {
  const std::uint8_t packed[] = {
      255,  0x83,      0x84, 0x8c, 0x39,  // a number of 26 bits
      255,  0xff,      0xff, 0xff, 0xff,
      0x0f,                               // one of 32
      0,    0,         0,                 // ids 1, 2, 3
      255,  127,       255,  0x80, 0x01,  // 127 and 128, whose remainders are those of 1 and 2
      2,    128,       2,    128,         // 127, and 1 before it, which change places
      255,  0,                            // a number of one group
      1,    127 + 125, 255,  125,  126,
      126,  // 0; nothing seen yet is 0, which changes no set but 0
  };
  const Words expected = {0x07230203, ~0u, 1, 2, 3, 127, 128, 127, 1,
                          1,          127, 0, 0, 0, 125, 125, 125};
  CHECK(words_of({"packed", nullptr, 4 * expected.size(), packed}) == expected);
}

TEST_CASE("spirv: packed modules consist of whole instructions") {
  for (const Spirv* spirv : kAllShaders) {
    if (spirv->bytes == 0) continue;
    CAPTURE(std::string(spirv->name));
    CHECK(spirv->packed);
    const Words words = words_of(*spirv);
    REQUIRE(words.size() == spirv->bytes / 4);
    CHECK(words[0] == 0x07230203);
    std::size_t at = 5;
    while (at < words.size() && words[at] >> 16 != 0) at += words[at] >> 16;
    CHECK(at == words.size());
  }
}

}  // namespace vkprims::test

#include "vkprims/spirv.hpp"

namespace vkprims {

// A packed module has a code of one byte for each word, by which most of it is short: ids that an
// instruction makes are numbered in order, and most other words occurred a short while ago.
//   0            the id after the last one that had this code; 1 at first
//   1 … 126      the word seen last among those with the same remainder of division by 126, which
//                is the code - 1
//   127 … 252    the word seen before that one, likewise; the remainder is the code - 127
//   255          another word, which follows in groups of 7 bits, the lowest first; bit 7 says that
//                there is another group
// tools/cmake/VkprimsModule.cmake packs modules. (This is a cache with 126 sets of two words. With
// one list of all 252, moved to the front, modules are smaller by a twentieth, but CMake packs them
// far more slowly.)
std::vector<std::uint32_t> words_of(const Spirv& spirv) {
  if (!spirv.packed) return {spirv.words, spirv.words + spirv.bytes / 4};
  constexpr std::uint32_t kSets = 126, kOther = 255;
  std::uint32_t last[kSets] = {}, before[kSets] = {};
  std::uint32_t next_id = 1;
  const std::uint8_t* at = spirv.packed;
  std::vector<std::uint32_t> words(spirv.bytes / 4);
  for (std::uint32_t& word : words) {
    const std::uint32_t code = *at++;
    if (code == 0) {
      word = next_id++;
    } else if (code <= kSets) {
      word = last[code - 1];
      continue;
    } else if (code != kOther) {
      word = before[code - 1 - kSets];
    } else {
      std::uint32_t shift = 0;
      do {
        word |= (*at & 0x7fu) << shift;
        shift += 7;
      } while ((*at++ & 0x80u) != 0);
    }
    before[word % kSets] = last[word % kSets];
    last[word % kSets] = word;
  }
  return words;
}

}  // namespace vkprims

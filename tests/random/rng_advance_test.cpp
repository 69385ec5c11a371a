// Tests of rng_advance.
#include "vkprims/rng_advance.hpp"

#include "support/support.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {

TEST_CASE("rng_advance: offsets move by whole blocks, and carry") {
  std::uint64_t offset = 0xfffffff8;
  const Guarded state(std::vector<std::uint64_t>{3, offset}, 8);
  for (const std::uint64_t words : {0, 1, 4, 5, 1000}) {
    for (const bool on_device : {false, true}) {
      const auto count = device_count<std::uint64_t>(words);
      const Count n = on_device ? Count(words + 5, count.address(), CountWidth::u64) : Count(words);
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_rng_advance(cmd, device(), {n}, {state.view()}));
      });
      offset += (words + 3) / 4 * 4;
      CHECK(state.read<std::uint64_t>() == std::vector<std::uint64_t>{3, offset});
    }
  }
}

TEST_CASE("rng_advance: wrong input") {
  const Guarded state(16);
  const auto refused = [&](std::initializer_list<const char*> words, const Count& n,
                           const BufferView& view) {
    expect_error(Status::invalid_argument, words, [&](VkCommandBuffer cmd) {
      return record_rng_advance(cmd, device(), {n}, {view});
    });
  };
  refused({"rng_advance", "words"}, kMaxCount + 1, state.view());
  refused({"rng_advance", "state"}, 1, {});
  refused({"rng_advance", "state"}, 1, {state.address(), 15});
  refused({"rng_advance", "state", "8"}, 1, {state.address() + 4, 16});
}

TEST_CASE("rng_advance: smoke" * doctest::test_suite("smoke")) {
  const auto state = context().upload(std::vector<std::uint64_t>{3, 8});
  const auto words = device_count(std::uint64_t{5});
  run([&](VkCommandBuffer cmd) {
    const Count n(100, words.address(), CountWidth::u64);
    throw_if_error(record_rng_advance(cmd, device(), {n}, {state.view()}));
  });
  CHECK(context().download(state) == std::vector<std::uint64_t>{3, 16});
}

}  // namespace vkprims::test

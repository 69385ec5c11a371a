// Philox4x32: random words that are a function of a seed and a position, on the host as in kernels.
/// @ingroup random
#pragma once

#include <array>

#include "vkprims/types.hpp"

namespace vkprims {

/// Number of rounds of Philox4x32. Both pass the published statistical tests; ten leaves a margin.
enum class PhiloxRounds : std::uint32_t {
  ten,   ///< Philox4x32-10, the usual number
  seven  ///< Philox4x32-7, which is faster
};

/// Returns a block of four words. For each key it is a bijection of the counter.
///
/// Source    Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011)
constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                  std::array<std::uint32_t, 2> key,
                                                  PhiloxRounds rounds = PhiloxRounds::ten) {
  for (int round = rounds == PhiloxRounds::ten ? 10 : 7; round > 0; --round) {
    const std::uint64_t a = std::uint64_t{0xd2511f53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xcd9e8d57} * counter[2];
    counter = {
        static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
        static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9e3779b9;
    key[1] += 0xbb67ae85;
  }
  return counter;
}

/// A seed and an offset in device memory, 16 bytes, 8-aligned. Kernels advance the offset, so that
/// a command buffer that is submitted again draws other numbers.
struct DeviceRngState {
  std::uint64_t seed = 0;    ///< the key of Philox4x32
  std::uint64_t offset = 0;  ///< in words, a multiple of 4
};

/// The numbers that one call draws: words offset, offset + 1 … of one stream of a seed.
///
/// Word w is word w % 4 of philox4x32({number w / 4, stream}, seed), where the low halves of 64-bit
/// numbers come first. Calls that have no words in common are independent of each other.
struct Rng {
  std::uint64_t seed = 0;    ///< used without state; a state has its own
  std::uint64_t offset = 0;  ///< of the first word, a multiple of 4; added to the offset of state
  std::uint64_t stream = 0;  ///< any of 2^64, e.g. one for each layer
  PhiloxRounds rounds = PhiloxRounds::ten;  ///< rounds for each block
  VkDeviceAddress state = 0;                ///< address of a DeviceRngState, multiple of 8; 0: none
  /// Only with state: whether the call moves the offset in state behind the last block that it
  /// draws. Otherwise several calls share that offset and differ in their own offsets; one of them,
  /// or record_rng_advance(), advances it for all.
  bool advance = true;
};

/// Hands out the words of a stream to one call after the other.
class RngState {
 public:
  /// Starts at word 0 of a stream of a seed.
  explicit RngState(std::uint64_t seed, std::uint64_t stream = 0) {
    next_.seed = seed;
    next_.stream = stream;
  }
  /// For calls that share a DeviceRngState: their offsets count from the offset there, which none
  /// of them advances.
  static RngState on_device(VkDeviceAddress state, std::uint64_t stream = 0) {
    RngState rng(0, stream);
    rng.next_.state = state;
    rng.next_.advance = false;
    return rng;
  }
  /// Hands out the next `words` words, rounded up to whole blocks.
  Rng take(std::uint64_t words) {
    const Rng taken = next_;
    next_.offset += (words + 3) / 4 * 4;
    return taken;
  }
  /// Number of words handed out so far, in whole blocks.
  std::uint64_t taken() const { return next_.offset; }

 private:
  Rng next_;
};

/// Word i of those that `rng` stands for; not for an Rng with state.
constexpr std::uint32_t random_word(const Rng& rng, std::uint64_t i) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const std::uint64_t block = rng.offset / 4 + i / 4;
  return philox4x32({low(block), low(block >> 32), low(rng.stream), low(rng.stream >> 32)},
                    {low(rng.seed), low(rng.seed >> 32)}, rng.rounds)[i % 4];
}

}  // namespace vkprims

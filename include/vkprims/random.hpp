// Random: out[i] is a random number that depends on seed, stream and position only.
/// @ingroup random
#pragma once

#include <bit>
#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/philox.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// How random numbers are distributed, and the types that they may have.
enum class RandomDistribution : std::uint32_t {
  bits,       ///< all numbers of the type; u32, u64
  uniform,    ///< between lower and upper; u32, i32, f32, f64
  normal,     ///< normal distribution with a mean and a standard deviation; f32
  bernoulli,  ///< 1 with a given probability, else 0; stored as RandomDesc::trials says
};

/// The name of a distribution, such as "uniform"; "invalid" for any other value.
constexpr const char* name_of(RandomDistribution distribution) {
  constexpr const char* names[] = {"bits", "uniform", "normal", "bernoulli"};
  return static_cast<std::uint32_t>(distribution) < 4
             ? names[static_cast<std::uint32_t>(distribution)]
             : "invalid";
}

/// How the results of Bernoulli trials are stored.
enum class TrialStorage : std::uint32_t {
  bits,   ///< trial i is bit i % 32, from the lowest, of word i / 32
  bytes,  ///< trial i is byte i
};

/// Describes random numbers to record_random(), random_scratch() and warm_up().
struct RandomDesc {
  RandomDistribution distribution = RandomDistribution::bits;  ///< which numbers
  Type type = Type::u32;     ///< type of the elements; unused by bernoulli
  Count count = {};          ///< elements, 0 … kMaxCount; bernoulli: trials
  Rng rng = {};              ///< where the words come from
  double lower = 0;          ///< uniform; rounded to f32 for type f32
  double upper = 1;          ///< uniform, above lower; rounded like it
  double mean = 0;           ///< normal; rounded to f32
  double deviation = 1;      ///< normal: the standard deviation, not negative; rounded to f32
  double probability = 0.5;  ///< bernoulli: probability of ones, 0 … 1
  TrialStorage trials = TrialStorage::bits;  ///< bernoulli
  std::uint32_t draw_bits = 32;  ///< bernoulli: bits of a draw, 32 or 16; 16 takes half the words
};

/// Memory for record_random(), whose comment tells sizes, alignments and what may overlap.
struct RandomBuffers {
  BufferView out;        ///< elements or trials
  Scratch scratch = {};  ///< random_scratch() bytes
};

/// Number of words that a call draws, to be passed to RngState::take(). For a count on the GPU it
/// is that of count.max.
constexpr std::uint64_t random_draws(const RandomDesc& desc) {
  const std::uint64_t n = desc.count.max;
  switch (desc.distribution) {
    case RandomDistribution::bits:
    case RandomDistribution::uniform:
      return size_of(desc.type) == 8 ? 2 * n : n;
    case RandomDistribution::normal:
      return n + n % 2;
    default:
      return desc.draw_bits == 16 ? (n + 1) / 2 : n;
  }
}

/// The actual probability of ones in Bernoulli trials: the nearest multiple of 2^-draw_bits.
double random_probability(const RandomDesc& desc);

/// The bits of element i, as record_random() writes it to out[i], for a valid descriptor without
/// rng.state; a trial is 0 or 1.
std::uint64_t random_bits(const RandomDesc& desc, std::uint64_t i);

/// Returns the same as an element of type T, which has the size of desc.type, or is any integer for
/// trials.
template <class T>
T random_value(const RandomDesc& desc, std::uint64_t i) {
  const std::uint64_t bits = random_bits(desc, i);
  if constexpr (std::is_integral_v<T>) return static_cast<T>(bits);
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<T>(bits);
}

/// Fills out with random numbers. With x(w) = random_word(rng, w), the 32-bit words that rng stands
/// for:
///
/// bits       u32: x(i). u64: x(2 i) + x(2 i + 1) * 2^32
/// uniform    f32: lower + (upper - lower) * u, u = (x(i) >> 8) * 2^-24. f64: likewise, u = ((x(2
///            i) + x(2 i + 1) * 2^32) >> 11) * 2^-53. The difference, the product and the sum are
///            each rounded to the type, so results are in [lower, upper]. upper itself can only
///            come from rounding, and never with bounds 0 and 1. u32, i32: lower + (upper - lower)
///            * x(i) / 2^32, rounded down: integers in [lower, upper), each with a probability that
///            differs by less than 2^-32 from 1 / (upper - lower)
/// normal     mean + deviation * z, the product and the sum each rounded to f32. With u = (x(j) |
///            1) * 2^-32, v = (x(j + 1) + 1/2) * 2^-32 and even j, z is sqrt(-2 ln u) cos(2 pi v)
///            for i = j and sqrt(-2 ln u) sin(2 pi v) for i = j + 1, within 0.7 units in the last
///            place; never 0, symmetric, |z| < 6.67
/// bernoulli  1 if draw i is at least 2^b * (1 - random_probability(desc)), with b = draw_bits;
///            draws of 32 bits are words, draw i of 16 the low (even i) or high half of x(i / 2).
///            Probability 0 gives no ones, and probability 1 only ones; what is one with a lower
///            probability is also one with a higher one. With TrialStorage::bits the last word is
///            filled up with zeros
///
/// Calls that share no words are independent. Calls that share words are not, even with different
/// distributions.
///
/// out        count elements of size_of(type) bytes, address multiple of that; trials: count bytes
///            at any address, or (count + 31) / 32 words, address multiple of 4. Fastest at
///            multiples of 16
/// rng.state  0, or the address of a DeviceRngState: 16 bytes, multiple of 8; must not overlap out.
///            With rng.advance its offset moves behind the last block that was drawn
/// scratch    random_scratch() bytes: 0, except for a large count that is read on the GPU
/// Before     out: all earlier users -> COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users
///            -> COMPUTE_SHADER | DRAW_INDIRECT / SHADER_WRITE | INDIRECT_COMMAND_READ. count: last
///            writer -> COMPUTE_SHADER / SHADER_READ. rng.state: all earlier users ->
///            COMPUTE_SHADER / SHADER_READ | SHADER_WRITE
/// After      out: COMPUTE_SHADER / SHADER_WRITE -> your reader. rng.state: COMPUTE_SHADER /
///            SHADER_WRITE -> the next call that draws. scratch: free after COMPUTE_SHADER
/// Errors     enumerations out of range, type that the distribution does not have, bounds, mean,
///            deviation, probability, draw_bits, rng.offset that is not a multiple of 4, f64 with
///            bounds other than 0 and 1 without Features::float64, count above the limit, views too
///            small, unaligned or overlapping, invalid scratch
/// Results    element i depends on seed, stream, offset, i and the descriptor only: the same bits
///            on every device, at any alignment, and from random_bits(). For bits, integers,
///            trials, floats between bounds 0 and 1, and normal numbers of mean 0 and deviation 1,
///            all arithmetic is on integers and the device rounds nothing. With other bounds, mean
///            or deviation this holds on devices that round to nearest even, as all known ones do;
///            they may flush subnormal numbers to 0
/// Source     philox.hpp; G. Box, M. Muller, "A note on the generation of random normal deviates"
///            (1958); D. Lemire, "Fast random integer generation in an interval" (2019), without
///            its rejection. Each invocation makes one cell of 16 bytes per step
Status record_random(VkCommandBuffer cmd, const Device& device, const RandomDesc& desc,
                     const RandomBuffers& buffers);

/// Scratch that record_random() needs for `desc`.
ScratchNeed random_scratch(const Device& device, const RandomDesc& desc);

/// Compiles the pipelines that record_random() uses for `desc` at any alignment.
Status warm_up(const Device& device, const RandomDesc& desc);

/// Fills out as a step of `recorder`; a count that is not given is as many elements or trials as
/// out holds. Trials are bytes if out holds bytes, and bits otherwise.
template <std::same_as<Recorder> R, class Out>
void random(R& recorder, RandomDesc desc, const Out& out) {
  constexpr bool is_byte = overloads::kIsByte<Out>;
  static_assert(overloads::kIsElement<Out> || is_byte,
                "vkprims: random: out must hold bytes, u32, i32, f32, u64, i64 or f64");
  const bool trials = desc.distribution == RandomDistribution::bernoulli;
  if (trials && !is_byte && !overloads::kIsIndex<Out>) {
    overloads::refuse(recorder, "random: trials are bytes, or bits in words of u32 or u64");
  }
  if (is_byte && !trials) overloads::refuse(recorder, "random: bytes are for bernoulli only");
  if (trials) desc.trials = is_byte ? TrialStorage::bytes : TrialStorage::bits;
  if (!trials) desc.type = overloads::element_type<Out>();
  const std::uint32_t items = trials && !is_byte ? 8 * overloads::element_bytes<Out>() : 1;
  desc.count = desc.count.or_all(items * out.size());
  overloads::add_step<record_random, random_scratch>(recorder, desc,
                                                     RandomBuffers{.out = out.view()});
}

}  // namespace vkprims

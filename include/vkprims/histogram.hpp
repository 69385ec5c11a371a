// Histogram: how many samples fall into each bin.
/// @ingroup reduce
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// The type of samples.
enum class SampleType : std::uint32_t {
  u8,   ///< unsigned integer of 8 bits
  u16,  ///< unsigned integer of 16 bits
  u32,  ///< unsigned integer of 32 bits
  f32,  ///< float: IEEE binary32
  i8,   ///< signed integer of 8 bits
  i16,  ///< signed integer of 16 bits
  i32   ///< signed integer of 32 bits
};

/// Size of one sample in bytes; samples are aligned to their size.
constexpr std::uint32_t size_of(SampleType type) {
  if (type == SampleType::u8 || type == SampleType::i8) return 1;
  return type == SampleType::u16 || type == SampleType::i16 ? 2 : 4;
}

/// Whether a C++ type is a SampleType.
template <class T>
inline constexpr bool is_sample = std::is_same_v<T, float> ||
                                  (std::is_integral_v<T> && sizeof(T) <= 4 &&
                                   !std::is_same_v<T, bool>);

/// The element type of levels for samples of type T.
template <class T>
using LevelOf =
    std::conditional_t<std::is_same_v<T, float>, float,
                       std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>;

/// The SampleType of a C++ type.
template <class T>
constexpr SampleType sample_type_of() {
  static_assert(is_sample<T>, "vkprims: not a sample type");
  if constexpr (std::is_same_v<T, float>) return SampleType::f32;
  if constexpr (std::is_signed_v<T>) {
    return sizeof(T) == 1 ? SampleType::i8 : sizeof(T) == 2 ? SampleType::i16 : SampleType::i32;
  }
  return sizeof(T) == 1 ? SampleType::u8 : sizeof(T) == 2 ? SampleType::u16 : SampleType::u32;
}

/// Which bin, 0 … bins - 1, a sample x falls into. Samples outside all bins and NaN are not
/// counted.
enum class HistogramBins : std::uint32_t {
  keys,    ///< x itself; not for f32
  even,    ///< [lower, upper) in bins of equal width
  levels,  ///< bin i has levels[i] <= x < levels[i + 1]
};

/// Largest number of bins.
inline constexpr std::uint32_t kMaxHistogramBins = 1u << 28;

/// Describes a histogram to record_histogram(), histogram_scratch() and warm_up().
struct HistogramDesc {
  SampleType sample = SampleType::u8;      ///< type of the samples
  HistogramBins by = HistogramBins::keys;  ///< how a sample finds its bin
  std::uint32_t bins = 256;                ///< 1 … kMaxHistogramBins
  double lower = 0;                        ///< for even
  double upper = 0;                        ///< for even, above lower
  Count count = {};                        ///< samples, 0 … kMaxCount
  CountWidth width = CountWidth::u32;      ///< width of the elements of out
  bool accumulate = false;  ///< adds to the contents of out; otherwise out is overwritten
};

/// Memory for record_histogram(), whose comment tells sizes, alignments and what may overlap.
struct HistogramBuffers {
  BufferView in;           ///< the samples
  BufferView levels = {};  ///< bins + 1, for HistogramBins::levels only
  BufferView out;          ///< a number for each bin
  Scratch scratch = {};    ///< histogram_scratch() bytes
};

/// out[i] = the number of elements of in[0] … in[count - 1] that fall into bin i (with accumulate,
/// plus the old out[i]). All of out is written, even if count is 0.
///
/// HistogramBins::even with integer samples: lower and upper are integers in 0 … 2^32; signed
/// samples take -2^31 … 2^31. x falls into bin (x - lower) * bins / (upper - lower), rounded
/// down from the exact quotient. With f32 samples: lower and upper are rounded to f32, and x falls
/// into bin min(uint((x - lower) * scale), bins - 1) with scale = float(bins) / (upper - lower),
/// where every operation is rounded to f32 on its own; scale is at most 2^100.
///
/// in        count samples; address multiple of the size of one. Fastest at multiples of 16
/// levels    (bins + 1) * 4 bytes: f32 for f32 samples, i32 for signed ones, else u32; address
///           multiple of 4. Levels ascend; neighbours may be equal, and their bin stays empty then.
///           If levels do not ascend or are NaN, only the bins are unspecified
/// out       bins * 4 or 8 bytes; address multiple of 4 or 8, as width says; must not overlap in or
///           levels
/// scratch   histogram_scratch() bytes: 0
/// Before    in, levels: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users ->
///           COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. count: last writer -> COMPUTE_SHADER /
///           SHADER_READ
/// After     out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, levels: free
///           after COMPUTE_SHADER
/// Errors    enumerations out of range, bins, lower and upper, levels that are missing or given
///           without HistogramBins::levels, HistogramBins::keys for f32, count above the limit,
///           views too small, unaligned or overlapping
/// Results   exact, the same on every device. Counts of 32 bits wrap modulo 2^32; those of 64 bits
///           need no feature of the device
/// Source    counters in shared memory, in several copies if there are few bins; above 4,096 bins
///           (8,192 with 32 KiB of shared memory) atomics in out
Status record_histogram(VkCommandBuffer cmd, const Device& device, const HistogramDesc& desc,
                        const HistogramBuffers& buffers);

/// Scratch that record_histogram() needs for `desc`.
ScratchNeed histogram_scratch(const Device& device, const HistogramDesc& desc);

/// Compiles the pipelines that record_histogram() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const HistogramDesc& desc);

/// Counts the samples of in, with bins by levels if these are given, to out as a step of
/// `recorder`; a count that is not given is in.size().
template <std::same_as<Recorder> R, class In, class Out, class Levels = NotWanted>
void histogram(R& recorder, HistogramDesc desc, const In& in, const Out& out,
               const Levels& levels = {}) {
  using T = overloads::ElementOf<In>;
  static_assert(is_sample<T>,
                "vkprims: histogram: in must hold integers of 8, 16 or 32 bits or float");
  static_assert(overloads::kIsIndex<Out>,
                "vkprims: histogram: out must hold std::uint32_t or std::uint64_t");
  static_assert(
      !overloads::kIsWanted<Levels> || std::is_same_v<overloads::ElementOf<Levels>, LevelOf<T>>,
      "vkprims: histogram: levels must be float for samples of float, std::int32_t for "
      "those with a sign, else std::uint32_t");
  if constexpr (is_sample<T>) desc.sample = sample_type_of<T>();
  desc.width = sizeof(typename Out::value_type) == 8 ? CountWidth::u64 : CountWidth::u32;
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_histogram, histogram_scratch>(
      recorder, desc,
      HistogramBuffers{.in = in.view(), .levels = levels.view(), .out = out.view()});
}

}  // namespace vkprims

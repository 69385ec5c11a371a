// Rolling: sum, mean, minimum … of the elements around each one of a sequence.
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// What a window comes to.
enum class RollingOp : std::uint32_t {
  sum,       ///< integers wrap in their own type
  mean,      ///< of integers as f64
  min,       ///< floats as Op::min: -0 below +0, NaN is skipped
  max,       ///< as Op::max
  count,     ///< elements that are not null; in is not read
  variance,  ///< sum of squared deviations from the mean / (elements - ddof); of integers as f64
  arg_min,  ///< where the smallest element is, counted from the start of the sequence; of equal ones the first
  arg_max,
};

constexpr const char* name_of(RollingOp op) {
  constexpr const char* names[] = {"sum",   "mean",     "min",     "max",
                                   "count", "variance", "arg_min", "arg_max"};
  return static_cast<std::uint32_t>(op) < 8 ? names[static_cast<std::uint32_t>(op)] : "invalid";
}

/// What a row gets whose window has fewer than preceding + following elements that are not null: at the ends of the
/// sequence or of its group, and where there are nulls.
enum class RollingPartial : std::uint32_t {
  keep,      ///< the result of what there is, null only below min_periods
  null,      ///< null
  infinity,  ///< +infinity, which is not null; where results are floats
};

struct RollingDesc {
  Type type = Type::u32;  ///< of in
  RollingOp op = RollingOp::sum;
  Count count =
      {};  ///< elements and rows, 0 … kMaxCount; with results of IndexWidth::u32 at most 2^32 - 1
  std::int64_t preceding =
      1;  ///< rows of a window up to its own one, which is included; -kMaxCount … kMaxCount
  std::int64_t following = 0;     ///< rows behind; the sum of both is at least 1
  std::uint64_t min_periods = 1;  ///< elements that are not null without which a result is null
  RollingPartial partial = RollingPartial::keep;
  IndexWidth index_width = IndexWidth::u32;  ///< of results of count, arg_min, arg_max
  std::uint32_t ddof = 1;                    ///< of variance
  bool nullable = false;                     ///< in has validity bits
  std::uint64_t validity_offset = 0;         ///< bit of element 0 in validity, 0 … kMaxCount
  Count groups = {};  ///< windows do not go beyond them, 0 … kMaxCount; 0: all is one group
  IndexWidth offset_width = IndexWidth::u32;
};

/// Type of the results.
constexpr Type result_type(const RollingDesc& desc) {
  if (desc.op == RollingOp::count || desc.op >= RollingOp::arg_min) {
    return desc.index_width == IndexWidth::u64 ? Type::u64 : Type::u32;
  }
  const bool quotient = desc.op == RollingOp::mean || desc.op == RollingOp::variance;
  return quotient && desc.type != Type::f32 ? Type::f64 : desc.type;
}

struct RollingBuffers {
  BufferView in;  ///< unused by RollingOp::count
  BufferView out;
  BufferView validity = {};      ///< if nullable
  BufferView out_validity = {};  ///< address 0: not wanted
  BufferView offsets = {};       ///< if there are groups
  Scratch scratch = {};
};

/// out[i] = the sum, mean … of in[i - preceding + 1] … in[i + following], as far as these exist, are of the group of
/// row i and are not null.
///
/// preceding or following may be negative without groups: the window does not include its row then.
/// A null result has a 0 in out_validity; in out it is NaN, of integers 0, of indices all ones, of count the count. An
/// empty window that is not null (min_periods 0) has sum 0, minimum and maximum as Op's identities, mean and variance
/// NaN, index all ones. Variance of at most ddof elements is NaN; arg_min and arg_max of NaN alone are all ones.
///
/// in            count * size_of(type) bytes; address multiple of size_of(type)
/// out           count * size_of(result_type(desc)) bytes; address multiple of that size; must not overlap inputs
/// validity      bits, the lowest first, 1: not null, in words of 4 bytes up to that of bit validity_offset + count - 1;
///               address multiple of 4
/// out_validity  a bit for each row from bit 0 on, in (count + 31) / 32 words of 4 bytes, of which all are written: bits
///               past the last row are 0; address multiple of 4; must not overlap anything else
/// offsets       (groups + 1) * size_of(offset_width) bytes; address multiple of size_of(offset_width). A group begins at
///               element 0 and at each of them, in any order; those of count or more have no effect
/// scratch       rolling_scratch() bytes: 0 for windows of up to 4096 elements (on devices with little shared memory
///               fewer) without groups. Longer ones: 16 … 96 bytes for each tile of 1024 or 2048 rows. Groups: count / 8
///               bytes, and if following is above 0 another 12 … 24 bytes for each row. A large count or number of
///               groups that is read on the GPU: 16 bytes
/// Before        in, validity, offsets, count, groups: last writer -> COMPUTE_SHADER / SHADER_READ. out, out_validity: all
///               earlier users -> COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> TRANSFER | COMPUTE_SHADER |
///               DRAW_INDIRECT / TRANSFER_WRITE | SHADER_READ | SHADER_WRITE | INDIRECT_COMMAND_READ
/// After         out, out_validity: COMPUTE_SHADER / SHADER_WRITE -> your reader. The others, scratch: free after
///               COMPUTE_SHADER
/// Errors        type that the device lacks: f64 for sums of f64, means and variances of all but f32 (everything else
///               needs no feature); op, partial, widths; infinity where results are integers; preceding, following,
///               min_periods, validity_offset, count, groups above their limits; a window without its row in groups;
///               views too small, unaligned or overlapping; scratch
/// Results       integers, min, max, count and indices: exact, the same on every device. Sums and means of floats add
///               elements of the window only, never take any away: infinity, NaN and huge values have no effect on rows
///               whose windows they are not in. They are run_to_run, bit-identical for the same device, driver, tuning,
///               descriptor and count; |error| <= 1.1 d eps sum|elements of the window|, where d, the longest chain of
///               additions, is at most 150. Variance is by means and squared deviations of parts, not by sums of squares
/// Source        M. van Herk, "A Fast Algorithm for Local Minimum and Maximum Filters on Rectangular and Octagonal
///               Kernels" (1992), J. Gil, M. Werman, "Computing 2-D Min, Median, and Max Filters" (1993): a window is a
///               suffix of one block and a prefix of another, so the work for a row does not depend on the window
Status record_rolling(VkCommandBuffer cmd, const Device& device, const RollingDesc& desc,
                      const RollingBuffers& buffers);

/// Scratch that record_rolling() needs for `desc`.
ScratchNeed rolling_scratch(const Device& device, const RollingDesc& desc);

/// Compiles what record_rolling() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const RollingDesc& desc);

/// What an overload of rolling may read and write besides.
struct RollingOptionalBuffers {
  OptionalBits validity = {};
  OptionalBits out_validity = {};
  OptionalIndices offsets = {};
};

/// Rolls over `in` to out as a step of `recorder`; a count that is not given is in.size(). With
/// validity in is nullable; with offsets a number of groups that is not given is one less than these.
template <std::same_as<Recorder> R, class In, class Out>
void rolling(R& recorder, RollingDesc desc, const In& in, const Out& out,
             const RollingOptionalBuffers& more = {}) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: rolling: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsElement<Out>,
                "vkprims: rolling: out must hold u32, i32, f32, u64, i64 or f64");
  desc.type = overloads::element_type<In>();
  desc.index_width = overloads::index_width<Out>();
  desc.nullable = desc.nullable || more.validity;
  desc.count = desc.count.or_all(in.size());
  if (more.offsets) desc.offset_width = more.offsets.width;
  if (more.offsets) desc.groups = desc.groups.or_all(overloads::segments_of(more.offsets));
  const BufferView offsets = desc.groups.max == 0 ? BufferView{} : more.offsets.view();
  overloads::check_result(recorder, "rolling", result_type(desc), overloads::element_type<Out>(),
                          name_of(desc.op));
  overloads::add_step<record_rolling, rolling_scratch>(
      recorder, desc,
      RollingBuffers{in.view(), out.view(), more.validity.view(), more.out_validity.view(),
                     offsets});
}

}  // namespace vkprims

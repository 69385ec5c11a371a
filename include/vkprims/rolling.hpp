// Rolling: the sum, mean, minimum etc. of a window around each element of a sequence.
/// @ingroup rolling
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/monoid.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// What is computed for each window.
enum class RollingOp : std::uint32_t {
  sum,       ///< integers wrap in their own type
  mean,      ///< f64 for integers
  min,       ///< like Op::min: floats order -0 below +0 and skip NaN
  max,       ///< like Op::max
  count,     ///< number of elements that are not null; in is not read
  variance,  ///< Sum of squared deviations from the mean / (elements - ddof); f64 for integers.
  /// Index of the smallest element in the sequence; the first one of equal elements.
  arg_min,
  /// Index of the largest element in the sequence; the first one of equal elements.
  arg_max,
};

/// The name of an aggregation, such as "sum"; "invalid" for any other value.
constexpr const char* name_of(RollingOp op) {
  constexpr const char* names[] = {"sum",   "mean",     "min",     "max",
                                   "count", "variance", "arg_min", "arg_max"};
  return static_cast<std::uint32_t>(op) < 8 ? names[static_cast<std::uint32_t>(op)] : "invalid";
}

/// The result of a row whose window has fewer than preceding + following elements that are not
/// null, which happens at the ends of the sequence or of its group, and where there are nulls.
enum class RollingPartial : std::uint32_t {
  keep,      ///< the result of the elements that exist; null only below min_periods
  null,      ///< null
  infinity,  ///< +infinity, which is not null; only if results are floats
};

/// Describes windows and an aggregation of them to record_rolling(), rolling_scratch() and
/// warm_up().
struct RollingDesc {
  Type type = Type::u32;          ///< element type of in
  RollingOp op = RollingOp::sum;  ///< what is computed for each window
  /// A monoid of your own, instead of both. index_width and ddof are not used then either.
  const Monoid* own = nullptr;
  /// Number of elements and rows, 0 … kMaxCount; at most 2^32 - 1 if results are indices of
  /// IndexWidth::u32.
  Count count = {};
  /// Rows of a window up to and including its own row; -kMaxCount … kMaxCount.
  std::int64_t preceding = 1;
  std::int64_t following = 0;     ///< rows behind its own; the sum of both is at least 1
  std::uint64_t min_periods = 1;  ///< with fewer elements that are not null a result is null
  RollingPartial partial = RollingPartial::keep;  ///< the result where a window is incomplete
  IndexWidth index_width = IndexWidth::u32;       ///< of the results of count, arg_min, arg_max
  std::uint32_t ddof = 1;                         ///< for variance
  bool nullable = false;                          ///< whether in has validity bits
  std::uint64_t validity_offset = 0;              ///< bit of element 0 in validity, 0 … kMaxCount
  Count groups = {};  ///< groups that limit windows, 0 … kMaxCount; 0: all is one group
  IndexWidth offset_width = IndexWidth::u32;  ///< width of the elements of offsets
};

/// Element type of the results.
constexpr Type result_type(const RollingDesc& desc) {
  if (desc.op == RollingOp::count || desc.op >= RollingOp::arg_min) {
    return desc.index_width == IndexWidth::u64 ? Type::u64 : Type::u32;
  }
  const bool quotient = desc.op == RollingOp::mean || desc.op == RollingOp::variance;
  return quotient && desc.type != Type::f32 ? Type::f64 : desc.type;
}

/// Memory for record_rolling(), whose comment tells sizes, alignments and what may overlap.
struct RollingBuffers {
  BufferView in;                 ///< unused by RollingOp::count
  BufferView out;                ///< a result for each row
  BufferView validity = {};      ///< with RollingDesc::nullable
  BufferView out_validity = {};  ///< address 0: not wanted
  BufferView offsets = {};       ///< with RollingDesc::groups
  Scratch scratch = {};          ///< rolling_scratch() bytes
};

/// out[i] = the sum, mean etc. of those of in[i - preceding + 1] … in[i + following] that exist,
/// are in the group of row i and are not null.
///
/// Without groups, preceding or following may be negative: the window does not include its own row
/// then. For a null result the bit in out_validity is 0, and out holds NaN, 0 for integers, all
/// ones for indices, or the number for count. For an empty window that is not null (min_periods 0)
/// the sum is 0, minimum and maximum are Op's identities, mean and variance are NaN, and the index
/// is all ones. The variance of at most ddof elements is NaN; if there are only NaN, arg_min and
/// arg_max are all ones.
///
/// With a monoid of your own, out[i] is the fold of these elements in their order, and the identity
/// if the result is null or the window empty. Elements of in and out have the monoid's size, which
/// is meant by the sizes below. Their addresses are multiples of 4, or of 8 if they have 8 bytes,
/// and multiples of 16 are fastest.
///
/// in            count * size_of(type) bytes; address multiple of size_of(type)
/// out           count * size_of(result_type(desc)) bytes; address multiple of that size; must not
///               overlap an input
/// validity      bits, lowest first, 1 for not null, in words of 4 bytes up to the one with bit
///               validity_offset + count - 1; address multiple of 4
/// out_validity  a bit for each row from bit 0 on, in (count + 31) / 32 words of 4 bytes. All words
///               are written; bits past the last row are 0; address multiple of 4; must not overlap
///               anything else
/// offsets       (groups + 1) * size_of(offset_width) bytes; address multiple of
///               size_of(offset_width). A group begins at element 0 and at each offset, in any
///               order; offsets of count or more have no effect
/// scratch       rolling_scratch() bytes: 0 for windows of up to 4096 elements (fewer on devices
///               with little shared memory, and of large elements) without groups. Longer windows:
///               16 … 96 bytes for each tile of 1024 or 2048 rows. Groups: count / 8 bytes, and if
///               following is above 0 another 12 … 24 bytes for each row. With a monoid these are
///               8 bytes more than an element has, and four times that for each tile of 256 … 1024
///               rows. A large count or number of groups that is read on the GPU: 32 bytes
/// Before        in, validity, offsets, count, groups: last writer -> COMPUTE_SHADER / SHADER_READ.
///               out, out_validity: all earlier users -> COMPUTE_SHADER / SHADER_WRITE. scratch:
///               all earlier users -> TRANSFER | COMPUTE_SHADER | DRAW_INDIRECT / TRANSFER_WRITE |
///               SHADER_READ | SHADER_WRITE | INDIRECT_COMMAND_READ
/// After         out, out_validity: COMPUTE_SHADER / SHADER_WRITE -> your reader. The others,
///               scratch: free after COMPUTE_SHADER
/// Errors        type that the device lacks: f64 is needed for sums of f64, and for means and
///               variances of all types except f32 (nothing else needs a feature); op, partial,
///               widths; infinity where results are no floats; preceding, following, min_periods,
///               validity_offset, count, groups above their limits; a window without its row in
///               groups; views too small, unaligned or overlapping; invalid scratch
/// Results       integers, min, max, count and indices: exact, the same on every device. Sums and
///               means of floats only add elements of the window and never subtract any: infinity,
///               NaN and huge values have no effect on rows whose windows they are not in. They are
///               run_to_run, bit-identical for the same device, driver, tuning, descriptor and
///               count; |error| <= 1.1 d eps sum|elements of the window|, where d, the longest
///               chain of additions, is at most 150. Variance is computed from means and squared
///               deviations of parts, not from sums of squares. A monoid combines only neighbours,
///               in their order, and is run_to_run as well
/// Source        M. van Herk, "A Fast Algorithm for Local Minimum and Maximum Filters on
///               Rectangular and Octagonal Kernels" (1992), J. Gil, M. Werman, "Computing 2-D Min,
///               Median, and Max Filters" (1993): a window is a suffix of one block and a prefix of
///               another, so the work for a row does not depend on the window
Status record_rolling(VkCommandBuffer cmd, const Device& device, const RollingDesc& desc,
                      const RollingBuffers& buffers);

/// Scratch that record_rolling() needs for `desc`.
ScratchNeed rolling_scratch(const Device& device, const RollingDesc& desc);

/// Compiles the pipelines that record_rolling() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const RollingDesc& desc);

/// Optional inputs and outputs of the overloads of rolling().
struct RollingOptionalBuffers {
  OptionalBits validity = {};      ///< an input: 1 for each element that is not null
  OptionalBits out_validity = {};  ///< an output: 1 for each result that is not null
  OptionalIndices offsets = {};    ///< where groups begin
};

namespace overloads {

/// Adds the step of rolling() once the descriptor says what is folded.
template <class R, class In, class Out>
void add_rolling(R& recorder, RollingDesc desc, const In& in, const Out& out,
                 const RollingOptionalBuffers& more) {
  desc.nullable = desc.nullable || more.validity;
  desc.count = desc.count.or_all(in.size());
  if (more.offsets) desc.offset_width = more.offsets.width;
  if (more.offsets) desc.groups = desc.groups.or_all(segments_of(more.offsets));
  const BufferView offsets = desc.groups.max == 0 ? BufferView{} : more.offsets.view();
  add_step<record_rolling, rolling_scratch>(
      recorder, desc,
      RollingBuffers{in.view(), out.view(), more.validity.view(), more.out_validity.view(),
                     offsets});
}

}  // namespace overloads

/// Rolls over `in` to out as a step of `recorder`; a count that is not given is in.size(). With
/// validity, in is nullable; with offsets, a number of groups that is not given is one less than
/// the number of offsets.
template <std::same_as<Recorder> R, class In, class Out>
void rolling(R& recorder, RollingDesc desc, const In& in, const Out& out,
             const RollingOptionalBuffers& more = {}) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: rolling: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsElement<Out>,
                "vkprims: rolling: out must hold u32, i32, f32, u64, i64 or f64");
  desc.type = overloads::element_type<In>();
  desc.index_width = overloads::index_width<Out>();
  overloads::check_result(recorder, "rolling", result_type(desc), overloads::element_type<Out>(),
                          name_of(desc.op));
  overloads::add_rolling(recorder, desc, in, out, more);
}

/// Rolls over `in` to out by a monoid of your own as a step of `recorder`; counts and optional
/// buffers are as above.
template <std::same_as<Recorder> R, class T, class In, class Out>
void rolling(R& recorder, const MonoidOf<T>& monoid, RollingDesc desc, const In& in, const Out& out,
             const RollingOptionalBuffers& more = {}) {
  static_assert(overloads::kMayHold<In, T> && overloads::kMayHold<Out, T>,
                "vkprims: rolling: in and out must hold elements of the monoid");
  desc.own = &monoid;
  overloads::add_rolling(recorder, desc, in, out, more);
}

}  // namespace vkprims

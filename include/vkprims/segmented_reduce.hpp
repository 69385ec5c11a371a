// Segmented reduce: folds each of many neighbouring segments of a sequence to one element.
/// @ingroup reduce
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/monoid.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a segmented reduction to record_segmented_reduce(), segmented_reduce_scratch() and
/// warm_up().
struct SegmentedReduceDesc {
  Type type = Type::u32;                      ///< type of the elements
  Op op = Op::add;                            ///< the operator of the folds
  const Monoid* own = nullptr;                ///< a monoid of your own, instead of type and op
  IndexWidth offset_width = IndexWidth::u32;  ///< width of the elements of offsets
  Count count = {};                           ///< segments, 0 … kMaxCount
  std::uint64_t value_count = 0;              ///< elements of values, 0 … kMaxCount
  Value initial = {};  ///< one element, combined on the left; not given: the operator's identity
};

/// Memory for record_segmented_reduce(), whose comment tells sizes, alignments and what may
/// overlap.
struct SegmentedReduceBuffers {
  BufferView values;     ///< the elements
  BufferView offsets;    ///< where segments begin, and where the last one ends
  BufferView out;        ///< a result for each segment
  Scratch scratch = {};  ///< segmented_reduce_scratch() bytes
};

/// out[s] = initial (+) values[offsets[s]] (+) … (+) values[offsets[s + 1] - 1] for s below count.
/// For empty segments it is initial, or the identity if initial is not given.
///
/// The time depends on count plus the number of values, however these are distributed: all segments
/// may be empty, or one of them may have all values. The last offset says how many values are used;
/// value_count may be larger.
///
/// values    value_count * size_of(type) bytes; address multiple of size_of(type)
/// offsets   (count + 1) * size_of(offset_width) bytes; address multiple of size_of(offset_width).
///           Offsets ascend, equal ones make empty segments, and none is above value_count; the
///           first need not be 0. With other offsets nothing outside the views is accessed, and
///           results are undefined
/// out       count * size_of(type) bytes; address multiple of size_of(type); must not overlap
///           values or offsets
/// initial   host value of size_of(type) bytes, or a device address (multiple of the size); must
///           not lie in out
/// scratch   segmented_reduce_scratch() bytes: 64 + 16 (8-byte elements: 24) for each tile of a few
///           thousand segments and values and another for every hundred tiles; small inputs: 0
/// Before    values, offsets: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users
///           -> COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER |
///           DRAW_INDIRECT / SHADER_READ | SHADER_WRITE | INDIRECT_COMMAND_READ. count, initial:
///           last writer -> COMPUTE_SHADER / SHADER_READ
/// After     out: COMPUTE_SHADER / SHADER_WRITE -> your reader. values, offsets, scratch: free
///           after COMPUTE_SHADER
/// Errors    type that the device lacks, bit operator on floats, offset_width, size of initial,
///           count or value_count above the limit, views too small, unaligned or overlapping,
///           invalid scratch
/// Results   integers, min and max: exact. Float add and mul: run_to_run, bit-identical for the
///           same device, driver, tuning, offsets, value_count and alignment of values; |error| <=
///           1.1 d eps sum|values of the segment| (add), where d, the longest chain of additions,
///           is at most n and at most n / 2^22 + 1024 for n values
/// Source    D. Merrill, M. Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication"
///           (2016): tiles of equal numbers of segments plus values, segmented scans within them,
///           and an ordered fix-up of segments that cross tiles; no workgroup waits for another
Status record_segmented_reduce(VkCommandBuffer cmd, const Device& device,
                               const SegmentedReduceDesc& desc,
                               const SegmentedReduceBuffers& buffers);

/// Scratch that record_segmented_reduce() needs for `desc`.
ScratchNeed segmented_reduce_scratch(const Device& device, const SegmentedReduceDesc& desc);

/// Compiles the pipelines that record_segmented_reduce() uses for `desc` at any alignment and
/// count.
Status warm_up(const Device& device, const SegmentedReduceDesc& desc);

/// Folds the segments of values to out as a step of `recorder`; a count that is not given is one
/// less than the number of offsets.
template <std::same_as<Recorder> R, class In, class Offsets, class Out>
void segmented_reduce(R& recorder, SegmentedReduceDesc desc, const In& values,
                      const Offsets& offsets, const Out& out) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: segmented_reduce: values must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsIndex<Offsets>,
                "vkprims: segmented_reduce: offsets must hold std::uint32_t or std::uint64_t");
  static_assert(overloads::kIsSame<In, Out>,
                "vkprims: segmented_reduce: out must have values' element type");
  desc.type = overloads::element_type<In>();
  desc.offset_width = overloads::index_width<Offsets>();
  desc.value_count = values.size();
  desc.count = desc.count.or_all(overloads::segments_of(offsets));
  overloads::add_step<record_segmented_reduce, segmented_reduce_scratch>(
      recorder, desc, SegmentedReduceBuffers{values.view(), offsets.view(), out.view()});
}

/// Folds every segment by a monoid of your own as a step of `recorder`; a count that is not given
/// is one less than the number of offsets.
template <std::same_as<Recorder> R, class T, class In, class Offsets, class Out>
void segmented_reduce(R& recorder, const MonoidOf<T>& monoid, SegmentedReduceDesc desc,
                      const In& values, const Offsets& offsets, const Out& out) {
  static_assert(overloads::kIsIndex<Offsets>,
                "vkprims: segmented_reduce: offsets must hold std::uint32_t or std::uint64_t");
  static_assert(overloads::kMayHold<In, T> && overloads::kMayHold<Out, T>,
                "vkprims: segmented_reduce: values and out must hold elements of the monoid");
  desc.own = &monoid;
  desc.offset_width = overloads::index_width<Offsets>();
  desc.value_count = values.size();
  desc.count = desc.count.or_all(overloads::segments_of(offsets));
  overloads::add_step<record_segmented_reduce, segmented_reduce_scratch>(
      recorder, desc, SegmentedReduceBuffers{values.view(), offsets.view(), out.view()});
}

}  // namespace vkprims

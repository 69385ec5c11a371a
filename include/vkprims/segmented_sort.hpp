// Segmented sort: sorts the keys of each of many neighbouring segments of a sequence.
/// @ingroup sort
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a sort of segments to record_segmented_sort(), segmented_sort_scratch() and warm_up().
struct SegmentedSortDesc {
  Type type = Type::u32;  ///< type of the keys; every device supports all types here
  SortOrder order = SortOrder::ascending;         ///< the direction
  FloatOrder float_order = FloatOrder::by_value;  ///< for f32 and f64
  /// bytes of the value that belongs to a key: 4, 8 or 16; 0: no values
  std::uint32_t value_bytes = 0;
  IndexWidth offset_width = IndexWidth::u32;  ///< width of the elements of offsets
  Count count = {};                           ///< segments, 0 … kMaxCount
  std::uint64_t key_count = 0;                ///< keys of in, 0 … 2^34
  /// No segment has more keys, which saves scratch and dispatches; 0: not known.
  std::uint64_t max_length = 0;
};

/// Memory for record_segmented_sort(), whose comment tells sizes, alignments and what may overlap.
struct SegmentedSortBuffers {
  BufferView in;               ///< the keys
  BufferView out;              ///< the keys, sorted in each segment
  BufferView values_in = {};   ///< with SegmentedSortDesc::value_bytes
  BufferView values_out = {};  ///< with SegmentedSortDesc::value_bytes
  BufferView offsets;          ///< where segments begin, and where the last one ends
  Scratch scratch = {};        ///< segmented_sort_scratch() bytes
};

/// out[offsets[s]] … out[offsets[s + 1] - 1] = the keys of in at the same places in sorted order,
/// for s below count; values_out = the values of values_in, each at the place of its key. The sort
/// is stable, with either SortOrder.
///
/// The time depends on count plus the number of keys, and on the logarithm of the lengths of
/// segments with more than several thousand keys. Segments of all lengths may be mixed. Elements of
/// out before the first and behind the last segment are left unchanged; key_count may be more than
/// the last offset.
///
/// in          key_count keys of size_of(type) bytes; address multiple of size_of(type)
/// out         as many keys; may be in itself, but must not overlap it otherwise
/// values_in   key_count values of value_bytes bytes; address multiple of value_bytes; address 0 if
///             value_bytes is 0
/// values_out  as many values; may be values_in itself, but must not overlap any other view
/// offsets     (count + 1) * size_of(offset_width) bytes; address multiple of
///             size_of(offset_width). Offsets ascend, equal ones make empty segments, and none is
///             above key_count; the first need not be 0. With other offsets, or a segment longer
///             than max_length, nothing outside the views is accessed, and results are undefined
/// scratch     segmented_sort_scratch() bytes: about 1 for each key (2 with values, keys of 8 bytes
///             or floats by value), less if count is small; and room for the keys and values once,
///             unless max_length is at most some thousand
/// Before      in, values_in, offsets: last writer -> COMPUTE_SHADER / SHADER_READ. out,
///             values_out: all earlier users -> COMPUTE_SHADER / SHADER_READ | SHADER_WRITE.
///             scratch: all earlier users -> COMPUTE_SHADER | TRANSFER | DRAW_INDIRECT /
///             SHADER_READ | SHADER_WRITE | TRANSFER_WRITE | INDIRECT_COMMAND_READ. count: last
///             writer -> COMPUTE_SHADER / SHADER_READ
/// After       out, values_out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, values_in,
///             offsets, scratch: free after COMPUTE_SHADER
/// Errors      type, orders, value_bytes, offset_width, count or key_count above the limit, views
///             too small, unaligned or overlapping, invalid scratch
/// Results     exact, the same on every device; floats keep their bits and order as FloatOrder
///             says. With by_value each float carries its position, since equal ones may differ in
///             their bits; without values, by_bits is faster
/// Source      K. Batcher, "Sorting Networks and Their Applications" (1968): one dispatch sorts
///             short segments in registers, one invocation each, and lists the others. The next one
///             sorts these with teams of invocations, in tiles if they are longer than a workgroup
///             can hold. O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012): each further
///             dispatch merges neighbouring runs
Status record_segmented_sort(VkCommandBuffer cmd, const Device& device,
                             const SegmentedSortDesc& desc, const SegmentedSortBuffers& buffers);

/// Scratch that record_segmented_sort() needs for `desc`.
ScratchNeed segmented_sort_scratch(const Device& device, const SegmentedSortDesc& desc);

/// Compiles the pipelines that record_segmented_sort() uses for `desc` at any count, key_count and
/// max_length.
Status warm_up(const Device& device, const SegmentedSortDesc& desc);

/// Sorts the segments of `in` as a step of `recorder`; a count that is not given is one less than
/// the number of offsets.
template <std::same_as<Recorder> R, class In, class Offsets, class Out>
void segmented_sort(R& recorder, SegmentedSortDesc desc, const In& in, const Offsets& offsets,
                    const Out& out) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: segmented_sort: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsIndex<Offsets>,
                "vkprims: segmented_sort: offsets must hold std::uint32_t or std::uint64_t");
  static_assert(overloads::kIsSame<In, Out>,
                "vkprims: segmented_sort: out must have in's element type");
  desc.type = overloads::element_type<In>();
  desc.value_bytes = 0;
  desc.offset_width = overloads::index_width<Offsets>();
  desc.key_count = in.size();
  desc.count = desc.count.or_all(overloads::segments_of(offsets));
  overloads::add_step<record_segmented_sort, segmented_sort_scratch>(
      recorder, desc,
      SegmentedSortBuffers{.in = in.view(), .out = out.view(), .offsets = offsets.view()});
}

/// Sorts segments with values.
template <std::same_as<Recorder> R, class In, class Offsets, class Out, class ValuesIn,
          class ValuesOut>
void segmented_sort(R& recorder, SegmentedSortDesc desc, const In& in, const Offsets& offsets,
                    const Out& out, const ValuesIn& values_in, const ValuesOut& values_out) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: segmented_sort: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsIndex<Offsets>,
                "vkprims: segmented_sort: offsets must hold std::uint32_t or std::uint64_t");
  static_assert(overloads::kIsSame<In, Out>,
                "vkprims: segmented_sort: out must have in's element type");
  static_assert(overloads::kHasSize<ValuesIn, 4, 8, 16>,
                "vkprims: segmented_sort: values must have 4, 8 or 16 bytes");
  static_assert(overloads::kIsSame<ValuesIn, ValuesOut>,
                "vkprims: segmented_sort: values_out must have values_in's element type");
  desc.type = overloads::element_type<In>();
  desc.value_bytes = overloads::element_bytes<ValuesIn>();
  desc.offset_width = overloads::index_width<Offsets>();
  desc.key_count = in.size();
  desc.count = desc.count.or_all(overloads::segments_of(offsets));
  overloads::add_step<record_segmented_sort, segmented_sort_scratch>(
      recorder, desc,
      SegmentedSortBuffers{in.view(), out.view(), values_in.view(), values_out.view(),
                           offsets.view()});
}

}  // namespace vkprims

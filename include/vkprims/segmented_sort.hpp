// Segmented sort: the keys of each of many neighbouring segments of a sequence, in order.
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

struct SegmentedSortDesc {
  Type type = Type::u32;  ///< of keys; every device has all of them here: no arithmetic is done
  SortOrder order = SortOrder::ascending;
  FloatOrder float_order = FloatOrder::by_value;  ///< for f32 and f64
  std::uint32_t value_bytes =
      0;  ///< of the value that goes with a key: 4, 8 or 16; 0: there is none
  IndexWidth offset_width = IndexWidth::u32;
  Count count = {};             ///< segments, 0 … kMaxCount
  std::uint64_t key_count = 0;  ///< keys of in, 0 … 2^34
  /// No segment has more keys: spares scratch and dispatches. 0: not known
  std::uint64_t max_length = 0;
};

struct SegmentedSortBuffers {
  BufferView in;
  BufferView out;
  BufferView values_in = {};
  BufferView values_out = {};
  BufferView offsets;
  Scratch scratch = {};
};

/// out[offsets[s]] … out[offsets[s + 1] - 1] = the keys of in at the same places, in order, for s below count;
/// values_out = the values of values_in, each where its key went. The sort is stable, in both orders.
///
/// The time follows count plus the number of keys, and the logarithm of the longest segments where these
/// have more than several thousand keys. Segments of all lengths may be mixed. What lies before the first
/// and behind the last segment is left as it is in out: key_count may be more than the last offset.
///
/// in          key_count keys of size_of(type) bytes; address multiple of size_of(type)
/// out         as many keys; may be in itself, must not overlap it otherwise
/// values_in   key_count values of value_bytes bytes; address multiple of value_bytes; not to be given if that is 0
/// values_out  as many values; may be values_in itself, must not overlap anything otherwise
/// offsets     (count + 1) * size_of(offset_width) bytes; address multiple of size_of(offset_width). They
///             ascend, equal ones make empty segments, and none is above key_count; the first need not be 0.
///             Of others, and where a segment is longer than max_length, nothing outside of the views is read
///             or written, and results are undefined
/// scratch     segmented_sort_scratch() bytes: about 1 for each key (2 with values, keys of 8 bytes or floats by
///             value), less where count is small; and room for keys and values once more unless max_length is at most
///             some thousand
/// Before      in, values_in, offsets: last writer -> COMPUTE_SHADER / SHADER_READ. out, values_out: all
///             earlier users -> COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. scratch: all earlier users ->
///             COMPUTE_SHADER | TRANSFER | DRAW_INDIRECT / SHADER_READ | SHADER_WRITE | TRANSFER_WRITE |
///             INDIRECT_COMMAND_READ. count: last writer -> COMPUTE_SHADER / SHADER_READ
/// After       out, values_out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, values_in, offsets, scratch:
///             free after COMPUTE_SHADER
/// Errors      type, orders, value_bytes, offset_width, count or key_count above the limit, views too small,
///             unaligned or overlapping, scratch
/// Results     exact, the same on every device; floats keep their bits and order as FloatOrder says. By value
///             each takes along where it came from, since equal ones may differ in their bits: without values
///             by_bits is faster
/// Source      K. Batcher, "Sorting Networks and Their Applications" (1968): one dispatch sorts short segments
///             in registers, one invocation each, and lists the others; the next sorts these by teams of
///             invocations, in tiles where they are longer than a workgroup holds. O. Green, R. McColl,
///             D. Bader, "GPU Merge Path" (2012): each of the other dispatches merges neighbouring runs
Status record_segmented_sort(VkCommandBuffer cmd, const Device& device,
                             const SegmentedSortDesc& desc, const SegmentedSortBuffers& buffers);

/// Scratch that record_segmented_sort() needs for `desc`.
ScratchNeed segmented_sort_scratch(const Device& device, const SegmentedSortDesc& desc);

/// Compiles what record_segmented_sort() uses for `desc` at any count, key_count and max_length.
Status warm_up(const Device& device, const SegmentedSortDesc& desc);

/// Sorts the segments of `in` as a step of `recorder`; a count that is not given is one less than there
/// are offsets.
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

/// The same with values.
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

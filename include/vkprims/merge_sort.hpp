// Merge sort: sorts elements of any type by a comparison of the application's own, or keys together
// with the values that belong to them.
/// @ingroup sort
#pragma once

#include <concepts>

#include "vkprims/compare.hpp"
#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a sort to record_merge_sort(), merge_sort_scratch() and warm_up().
struct MergeSortDesc {
  const Compare* own = nullptr;   ///< the order, from vkprims_add_compare(); must be given
  std::uint32_t value_bytes = 0;  ///< of the value that belongs to a key: 4 or 8; 0: no values
  Count count = {};               ///< keys, 0 … kMaxCount
};

/// Memory for record_merge_sort(), whose comment tells sizes, alignments and what may overlap.
struct MergeSortBuffers {
  BufferView in;               ///< the keys
  BufferView out;              ///< the sorted keys
  BufferView values_in = {};   ///< with MergeSortDesc::value_bytes
  BufferView values_out = {};  ///< with MergeSortDesc::value_bytes
  Scratch scratch = {};        ///< merge_sort_scratch() bytes
};

/// out = the keys of in in the order of a comparison; values_out = the values of values_in, each at
/// the place of its key. The sort is stable: of two keys of which neither is less, the one that
/// comes first in in does so in out. radix_sort is faster wherever numbers tell the order.
///
/// in          count keys of own->bytes bytes; address multiple of 4
/// out         as many keys; may be in itself, but must not overlap it otherwise
/// values_in   count values of value_bytes bytes; address multiple of value_bytes; address 0 if
///             value_bytes is 0
/// values_out  as many values; may be values_in itself, but must not overlap any other view
/// scratch     merge_sort_scratch() bytes: room for the keys and values once, and 8 bytes for each
///             tile of some hundred to some thousand keys; 0 for a single tile
/// Before      in, values_in: last writer -> COMPUTE_SHADER / SHADER_READ. out, values_out: all
///             earlier users -> COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. scratch: all earlier
///             users -> COMPUTE_SHADER | DRAW_INDIRECT / SHADER_READ | SHADER_WRITE |
///             INDIRECT_COMMAND_READ. count: last writer -> COMPUTE_SHADER / SHADER_READ
/// After       out, values_out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, values_in,
///             scratch: free after COMPUTE_SHADER
/// Errors      own not given or unfit, value_bytes, count above the limit, views too small,
///             unaligned or overlapping, invalid scratch
/// Results     exact, the same on every device. If the comparison is no strict weak order, out
///             holds some of the keys, possibly some twice and others not at all
/// Source      O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012): one dispatch sorts tiles, in
///             registers and then by merges in shared memory. Each further merge doubles the
///             length of runs by two dispatches: one finds where the tiles of the output begin in
///             the runs, another merges the tiles
Status record_merge_sort(VkCommandBuffer cmd, const Device& device, const MergeSortDesc& desc,
                         const MergeSortBuffers& buffers);

/// Scratch that record_merge_sort() needs for `desc`.
ScratchNeed merge_sort_scratch(const Device& device, const MergeSortDesc& desc);

/// Compiles the pipelines that record_merge_sort() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const MergeSortDesc& desc);

/// Sorts keys as a step of `recorder`; a count that is not given is in.size().
template <std::same_as<Recorder> R, class T, class In, class Out>
void merge_sort(R& recorder, const CompareOf<T>& compare, MergeSortDesc desc, const In& in,
                const Out& out) {
  static_assert(overloads::kMayHold<In, T> && overloads::kMayHold<Out, T>,
                "vkprims: merge_sort: in and out must hold what is compared");
  desc.own = &compare;
  desc.value_bytes = 0;
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_merge_sort, merge_sort_scratch>(
      recorder, desc, MergeSortBuffers{.in = in.view(), .out = out.view()});
}

/// Sorts keys with values.
template <std::same_as<Recorder> R, class T, class In, class Out, class ValuesIn, class ValuesOut>
void merge_sort(R& recorder, const CompareOf<T>& compare, MergeSortDesc desc, const In& in,
                const Out& out, const ValuesIn& values_in, const ValuesOut& values_out) {
  static_assert(overloads::kMayHold<In, T> && overloads::kMayHold<Out, T>,
                "vkprims: merge_sort: in and out must hold what is compared");
  static_assert(overloads::kHasSize<ValuesIn, 4, 8>,
                "vkprims: merge_sort: values must have 4 or 8 bytes");
  static_assert(overloads::kIsSame<ValuesIn, ValuesOut>,
                "vkprims: merge_sort: values_out must have values_in's element type");
  desc.own = &compare;
  desc.value_bytes = overloads::element_bytes<ValuesIn>();
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_merge_sort, merge_sort_scratch>(
      recorder, desc, MergeSortBuffers{in.view(), out.view(), values_in.view(), values_out.view()});
}

}  // namespace vkprims

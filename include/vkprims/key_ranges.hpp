// Key ranges: where the elements of each key begin and end in a sorted sequence.
/// @ingroup elementwise
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes ranges of keys to record_key_ranges(), key_ranges_scratch() and warm_up().
struct KeyRangesDesc {
  Type type = Type::u32;  ///< of the elements, u32 or u64, which every device supports here
  /// Lowest bit of the key in an element, 0 … 31, or 63 for u64: an element is sorted by its key
  /// first, and may hold more, such as a depth, below.
  std::uint32_t first_bit = 0;
  std::uint64_t ranges = 0;  ///< keys from 0 on whose ranges are wanted, 0 … kMaxCount
  IndexWidth index_width = IndexWidth::u32;  ///< width of the elements of out
  /// Elements, 0 … kMaxCount; with IndexWidth::u32 below 2^32.
  Count count = {};
};

/// Memory for record_key_ranges(), whose comment tells sizes, alignments and what may overlap.
struct KeyRangesBuffers {
  BufferView in;         ///< the sorted elements
  BufferView out;        ///< where ranges begin
  Scratch scratch = {};  ///< key_ranges_scratch() bytes: none
};

/// out[k] = the number of elements whose key is below k, for k = 0 … ranges. So the elements of key
/// k are in[out[k]] … in[out[k + 1] - 1]; there may be none, and elements with keys of `ranges` and
/// more are behind all ranges.
///
/// in        count * size_of(type) bytes, of ascending elements; address multiple of size_of(type)
/// out       (ranges + 1) * size_of(index_width) bytes; address multiple of size_of(index_width).
///           Fastest at multiples of 16; must not overlap in
/// scratch   key_ranges_scratch() bytes: always 0
/// Before    in, count: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users ->
///           COMPUTE_SHADER / SHADER_WRITE
/// After     out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in: free after COMPUTE_SHADER
/// Errors    type, first_bit, index_width that is invalid or too narrow for count, ranges or count
///           above the limit, views too small, unaligned or overlapping
/// Results   exact. If the elements do not ascend, results are any numbers up to count
/// Source    the binary search of search.hpp; renderers find the items of a tile of the screen so,
///           sorted by tile and depth
Status record_key_ranges(VkCommandBuffer cmd, const Device& device, const KeyRangesDesc& desc,
                         const KeyRangesBuffers& buffers);

/// Scratch that record_key_ranges() needs for `desc`: none.
ScratchNeed key_ranges_scratch(const Device& device, const KeyRangesDesc& desc);

/// Compiles the pipelines that record_key_ranges() uses for `desc` at any alignment.
Status warm_up(const Device& device, const KeyRangesDesc& desc);

/// Finds ranges as a step of `recorder`; a count that is not given is in.size(), and the number of
/// ranges is one less than out.size().
template <std::same_as<Recorder> R, class In, class Out>
void key_ranges(R& recorder, KeyRangesDesc desc, const In& in, const Out& out) {
  static_assert(overloads::kIsU32<In> || overloads::kIsU64<In>,
                "vkprims: key_ranges: in must hold std::uint32_t or std::uint64_t");
  static_assert(overloads::kIsIndex<Out>,
                "vkprims: key_ranges: out must hold std::uint32_t or std::uint64_t");
  desc.type = overloads::element_type<In>();
  desc.index_width = overloads::index_width<Out>();
  desc.ranges = out.size() == 0 ? 0 : out.size() - 1;
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_key_ranges, key_ranges_scratch>(
      recorder, desc, KeyRangesBuffers{in.view(), out.view()});
}

}  // namespace vkprims

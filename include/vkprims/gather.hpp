// Gather: out[i] = in[indices[i]].
/// @ingroup elementwise
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a gather to record_gather(), gather_scratch() and warm_up().
struct GatherDesc {
  std::uint32_t element_bytes = 4;           ///< 1, 2, 4, 8 or 16
  IndexWidth index_width = IndexWidth::u32;  ///< width of the elements of indices
  /// What happens at an index of source_count or more; see OutOfRange for when to change it.
  OutOfRange out_of_range = OutOfRange::unchecked;
  Count count = {};                ///< indices, 0 … kMaxCount
  std::uint64_t source_count = 0;  ///< elements of in, 0 … kMaxCount
  Value fill = {};                 ///< one element, for OutOfRange::fill; not given: zero
  /// What elements are: fill is converted to it. raw: fill must have element_bytes bytes.
  ValueKind kind = ValueKind::raw;
};

/// Memory for record_gather(), whose comment tells sizes, alignments and what may overlap.
struct GatherBuffers {
  BufferView in;           ///< source_count elements
  BufferView indices;      ///< an index for each element of out
  BufferView out;          ///< the gathered elements
  BufferView report = {};  ///< a DeviceReport; address 0: not wanted
  Scratch scratch = {};    ///< gather_scratch() bytes
};

/// out[i] = in[indices[i]] for i below count. Where indices[i] is not below source_count,
/// OutOfRange decides: behaviour is undefined (unchecked), out[i] is unchanged (skip), out[i] =
/// fill (fill), or out[i] = in[source_count - 1] (clamp).
///
/// in        source_count * element_bytes bytes; address multiple of element_bytes
/// indices   count * size_of(index_width) bytes; address multiple of size_of(index_width). Fastest
///           where both indices and out are multiples of 16
/// out       count * element_bytes bytes; address multiple of element_bytes; must not overlap in or
///           indices. Bytes outside the elements are kept, also those that share a word with them
/// fill      host bytes of exactly element_bytes, or a device address (multiple of 4 and of
///           element_bytes); must not lie in out
/// report    32 bytes; address multiple of 8; must not overlap the others. Not allowed with
///           OutOfRange::unchecked. Its count grows by the number of indices out of range; if its
///           count was 0, its first_index becomes the position i of one of them
/// scratch   gather_scratch() bytes: 0, except for a large count that is read on the GPU
/// Before    in, indices: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users ->
///           COMPUTE_SHADER / SHADER_WRITE. report: last writer -> COMPUTE_SHADER / SHADER_READ |
///           SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER | DRAW_INDIRECT /
///           SHADER_WRITE | INDIRECT_COMMAND_READ. count, fill: last writer -> COMPUTE_SHADER /
///           SHADER_READ
/// After     out, report: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, indices, scratch: free
///           after COMPUTE_SHADER
/// Errors    element_bytes, index_width, out_of_range, size or alignment of fill, count or
///           source_count above the limit, views too small, unaligned or overlapping, a report with
///           OutOfRange::unchecked, invalid scratch
/// Results   exact, except for the choice of DeviceReport::first_index. No index makes the kernel
///           access memory outside its views, except with OutOfRange::unchecked
Status record_gather(VkCommandBuffer cmd, const Device& device, const GatherDesc& desc,
                     const GatherBuffers& buffers);

/// Scratch that record_gather() needs for `desc`.
ScratchNeed gather_scratch(const Device& device, const GatherDesc& desc);

/// Compiles the pipelines that record_gather() uses for `desc` at any alignment.
Status warm_up(const Device& device, const GatherDesc& desc);

/// Gathers as a step of `recorder`, from all of in, with or without a report; a count that is not
/// given is indices.size().
template <std::same_as<Recorder> R, class In, class Index, class Out>
void gather(R& recorder, GatherDesc desc, const In& in, const Index& indices, const Out& out,
            const OptionalReport& report = {}) {
  static_assert(overloads::kHasSize<In, 1, 2, 4, 8, 16>,
                "vkprims: gather: in must hold elements of 1, 2, 4, 8 or 16 bytes");
  static_assert(overloads::kIsIndex<Index>,
                "vkprims: gather: indices must hold std::uint32_t or std::uint64_t");
  static_assert(overloads::kIsSame<In, Out>, "vkprims: gather: out must have in's element type");
  desc.element_bytes = overloads::element_bytes<In>();
  desc.kind = value_kind_of<overloads::ElementOf<In>>();
  desc.index_width = overloads::index_width<Index>();
  desc.source_count = in.size();
  desc.count = desc.count.or_all(indices.size());
  overloads::add_step<record_gather, gather_scratch>(
      recorder, desc, GatherBuffers{in.view(), indices.view(), out.view(), report.view()});
}

}  // namespace vkprims

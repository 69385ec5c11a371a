// Copy: out[i] = in[i].
/// @ingroup elementwise
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a copy to record_copy(), copy_scratch() and warm_up().
struct CopyDesc {
  std::uint32_t element_bytes = 4;  ///< 1, 2, 4, 8 or 16
  Count count = {};                 ///< elements, 0 … kMaxCount
};

/// Memory for record_copy(), whose comment tells sizes, alignments and what may overlap.
struct CopyBuffers {
  BufferView in;         ///< the elements
  BufferView out;        ///< as many elements
  Scratch scratch = {};  ///< copy_scratch() bytes
};

/// Copies count elements with a compute shader. This is several times faster than vkCmdCopyBuffer
/// on queues whose transfers are slow, and the count may be read on the GPU.
///
/// in, out   count * element_bytes bytes each; address multiple of element_bytes; must not overlap.
///           Fastest where both are multiples of 16. Bytes of `out` outside the elements are kept,
///           also those that share a word with the first or last element
/// scratch   copy_scratch() bytes: 0, except for a large count that is read on the GPU
/// Before    in: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users ->
///           COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER |
///           DRAW_INDIRECT / SHADER_WRITE | INDIRECT_COMMAND_READ. count: last writer ->
///           COMPUTE_SHADER / SHADER_READ
/// After     out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, scratch: free after
///           COMPUTE_SHADER
/// Errors    element_bytes, count above the limit, views too small, unaligned or overlapping,
///           invalid scratch
/// Results   exact
Status record_copy(VkCommandBuffer cmd, const Device& device, const CopyDesc& desc,
                   const CopyBuffers& buffers);

/// Scratch that record_copy() needs for `desc`.
ScratchNeed copy_scratch(const Device& device, const CopyDesc& desc);

/// Compiles the pipelines that record_copy() uses for `desc` at any alignment.
Status warm_up(const Device& device, const CopyDesc& desc);

/// Copies in to out as a step of `recorder`; a count that is not given is in.size().
template <std::same_as<Recorder> R, class In, class Out>
void copy(R& recorder, CopyDesc desc, const In& in, const Out& out) {
  static_assert(overloads::kHasSize<In, 1, 2, 4, 8, 16>,
                "vkprims: copy: in must hold elements of 1, 2, 4, 8 or 16 bytes");
  static_assert(overloads::kIsSame<In, Out>, "vkprims: copy: out must have in's element type");
  desc.element_bytes = overloads::element_bytes<In>();
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_copy, copy_scratch>(recorder, desc,
                                                 CopyBuffers{.in = in.view(), .out = out.view()});
}

}  // namespace vkprims

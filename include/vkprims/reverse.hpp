// Reverse: out[i] = in[count - 1 - i].
/// @ingroup elementwise
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a reversal to record_reverse(), reverse_scratch() and warm_up().
struct ReverseDesc {
  std::uint32_t element_bytes = 4;  ///< 1, 2, 4, 8 or 16
  Count count = {};                 ///< elements, 0 … kMaxCount
};

/// Memory for record_reverse(), whose comment tells sizes, alignments and what may overlap.
struct ReverseBuffers {
  BufferView in;         ///< the elements
  BufferView out;        ///< as many elements
  Scratch scratch = {};  ///< reverse_scratch() bytes
};

/// out[i] = in[count - 1 - i]: the same elements in the opposite order. The bytes of an element
/// keep theirs.
///
/// in, out   count * element_bytes bytes each; address multiple of element_bytes; the same address
///           (in place), or no overlap. Fastest where both are multiples of 16 and
///           count * element_bytes is one, too. Bytes of `out` outside the elements are kept, also
///           those that share a word with the first or last element
/// scratch   reverse_scratch() bytes: 0, except for a large count that is read on the GPU
/// Before    in: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users ->
///           COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER |
///           DRAW_INDIRECT / SHADER_WRITE | INDIRECT_COMMAND_READ. count: last writer ->
///           COMPUTE_SHADER / SHADER_READ
/// After     out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, scratch: free after
///           COMPUTE_SHADER
/// Errors    element_bytes, count above the limit, views too small, unaligned or overlapping,
///           invalid scratch
/// Results   exact
Status record_reverse(VkCommandBuffer cmd, const Device& device, const ReverseDesc& desc,
                      const ReverseBuffers& buffers);

/// Scratch that record_reverse() needs for `desc`.
ScratchNeed reverse_scratch(const Device& device, const ReverseDesc& desc);

/// Compiles the pipelines that record_reverse() uses for `desc`, in place or not.
Status warm_up(const Device& device, const ReverseDesc& desc);

/// Reverses in to out as a step of `recorder`; a count that is not given is in.size().
template <std::same_as<Recorder> R, class In, class Out>
void reverse(R& recorder, ReverseDesc desc, const In& in, const Out& out) {
  static_assert(overloads::kHasSize<In, 1, 2, 4, 8, 16>,
                "vkprims: reverse: in must hold elements of 1, 2, 4, 8 or 16 bytes");
  static_assert(overloads::kIsSame<In, Out>, "vkprims: reverse: out must have in's element type");
  desc.element_bytes = overloads::element_bytes<In>();
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_reverse, reverse_scratch>(
      recorder, desc, ReverseBuffers{.in = in.view(), .out = out.view()});
}

}  // namespace vkprims

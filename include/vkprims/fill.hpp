// Fill: out[i] = value.
/// @ingroup elementwise
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a fill to record_fill(), fill_scratch() and warm_up().
struct FillDesc {
  std::uint32_t element_bytes = 4;  ///< 1, 2, 4, 8 or 16
  Count count = {};                 ///< elements, 0 … kMaxCount
  Value value = {};                 ///< one element; not given: zero
  /// What elements are: value is converted to it. raw: value must have element_bytes bytes.
  ValueKind kind = ValueKind::raw;
};

/// Memory for record_fill(), whose comment tells sizes, alignments and what may overlap.
struct FillBuffers {
  BufferView out;        ///< the elements to write
  Scratch scratch = {};  ///< fill_scratch() bytes
};

/// Writes one value to count elements.
///
/// out       count * element_bytes bytes; address multiple of element_bytes. Fastest at multiples
///           of 16. Bytes outside the elements are kept
/// value     a number that such an element can hold, for raw elements exactly element_bytes bytes,
///           or a device address (multiple of 4 and of element_bytes; for elements of 1 and 2 bytes
///           the low bytes of the word there)
/// scratch   fill_scratch() bytes: 0, except for a large count that is read on the GPU
/// Before    out: all earlier users -> COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users ->
///           COMPUTE_SHADER | DRAW_INDIRECT / SHADER_WRITE | INDIRECT_COMMAND_READ. count, value:
///           last writer -> COMPUTE_SHADER / SHADER_READ
/// After     out: COMPUTE_SHADER / SHADER_WRITE -> your reader. scratch: free after COMPUTE_SHADER
/// Errors    element_bytes, size or alignment of value, count above the limit, view too small or
///           unaligned, invalid scratch
/// Results   exact
Status record_fill(VkCommandBuffer cmd, const Device& device, const FillDesc& desc,
                   const FillBuffers& buffers);

/// Scratch that record_fill() needs for `desc`.
ScratchNeed fill_scratch(const Device& device, const FillDesc& desc);

/// Compiles the pipelines that record_fill() uses for `desc` at any alignment.
Status warm_up(const Device& device, const FillDesc& desc);

/// Fills out as a step of `recorder`; a count that is not given is out.size().
template <std::same_as<Recorder> R, class Out>
void fill(R& recorder, FillDesc desc, const Out& out) {
  static_assert(overloads::kHasSize<Out, 1, 2, 4, 8, 16>,
                "vkprims: fill: out must hold elements of 1, 2, 4, 8 or 16 bytes");
  desc.element_bytes = overloads::element_bytes<Out>();
  desc.kind = value_kind_of<overloads::ElementOf<Out>>();
  desc.count = desc.count.or_all(out.size());
  overloads::add_step<record_fill, fill_scratch>(recorder, desc, FillBuffers{.out = out.view()});
}

}  // namespace vkprims

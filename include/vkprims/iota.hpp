// Iota: out[i] = start + i * step.
/// @ingroup elementwise
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a sequence to record_iota(), iota_scratch() and warm_up().
struct IotaDesc {
  Type type = Type::u32;  ///< type of the elements
  Count count = {};       ///< elements, 0 … kMaxCount
  Value start = {};       ///< one element; not given: 0
  Value step = {};        ///< one element; not given: 1
};

/// Memory for record_iota(), whose comment tells sizes, alignments and what may overlap.
struct IotaBuffers {
  BufferView out;        ///< the elements to write
  Scratch scratch = {};  ///< iota_scratch() bytes
};

/// Writes the arithmetic sequence start, start + step, start + 2 step, … (std::iota, torch.arange).
///
/// out          count * size_of(type) bytes; address multiple of size_of(type)
/// start, step  host values of size_of(type) bytes, or device addresses (multiple of the size)
/// scratch      iota_scratch() bytes: 0, except for a large count that is read on the GPU
/// Before       out: all earlier users -> COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users
///              -> COMPUTE_SHADER | DRAW_INDIRECT / SHADER_WRITE | INDIRECT_COMMAND_READ. count,
///              start, step: last writer -> COMPUTE_SHADER / SHADER_READ
/// After        out: COMPUTE_SHADER / SHADER_WRITE -> your reader. scratch: free after
///              COMPUTE_SHADER
/// Errors       type that the device lacks, size of start or step, count above the limit, view too
///              small or unaligned, invalid scratch
/// Results      integers wrap. For floats, i is rounded to the type, multiplied, then added, and
///              each operation rounds once, so elements do not depend on their neighbours
Status record_iota(VkCommandBuffer cmd, const Device& device, const IotaDesc& desc,
                   const IotaBuffers& buffers);

/// Scratch that record_iota() needs for `desc`.
ScratchNeed iota_scratch(const Device& device, const IotaDesc& desc);

/// Compiles the pipelines that record_iota() uses for `desc` at any alignment.
Status warm_up(const Device& device, const IotaDesc& desc);

/// Writes the sequence to out as a step of `recorder`; a count that is not given is out.size().
template <std::same_as<Recorder> R, class Out>
void iota(R& recorder, IotaDesc desc, const Out& out) {
  static_assert(overloads::kIsElement<Out>,
                "vkprims: iota: out must hold u32, i32, f32, u64, i64 or f64");
  desc.type = overloads::element_type<Out>();
  desc.count = desc.count.or_all(out.size());
  overloads::add_step<record_iota, iota_scratch>(recorder, desc, IotaBuffers{.out = out.view()});
}

}  // namespace vkprims

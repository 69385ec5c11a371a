#include "vkprims/strings/slice.hpp"

#include "spirv/strings_slice.hpp"
#include "strings/rope.hpp"

namespace vkprims::strings {
namespace {

constexpr RopeKernel kKernel = {.sizes = &spirv::strings_slice_sizes,
                                .write = &spirv::strings_slice_write,
                                .single64 = &spirv::strings_slice_single64,
                                .single32 = &spirv::strings_slice_single32,
                                .marks = true};

}  // namespace

ScratchNeed slice_scratch(const Device& device, const SliceDesc&, std::uint64_t rows) {
  if (!device || rows > kMaxStringRows) return {};
  return rope_scratch(*device.state(), kKernel, rows, 0, 0);
}

Status record_slice(VkCommandBuffer cmd, const Device& device, const SliceDesc& desc,
                    const SliceBuffers& buffers) {
  VKPRIMS_TRY(check_recording("strings::slice", cmd, device));
  return record_rope(cmd, *device.state(), kKernel,
                     {.primitive = "strings::slice",
                      .a = {"in", buffers.in},
                      .start = desc.start.value_or(0),
                      .stop = desc.stop.value_or(INT32_MAX),
                      .rows = buffers.in.rows,
                      .schedule = desc.schedule},
                     buffers.out, buffers.report, buffers.scratch);
}

Status warm_up(const Device& device, const SliceDesc& desc) {
  VKPRIMS_TRY(check_device("strings::slice", device));
  return warm_up_rope(*device.state(), kKernel, desc.schedule);
}

}  // namespace vkprims::strings

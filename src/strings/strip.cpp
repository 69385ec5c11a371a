#include "vkprims/strings/strip.hpp"

#include "spirv/strings_strip.hpp"
#include "strings/rope.hpp"

namespace vkprims::strings {
namespace {

constexpr RopeKernel kKernel = {.sizes = &spirv::strings_strip_sizes,
                                .write = &spirv::strings_strip_write,
                                .single64 = &spirv::strings_strip_single64,
                                .single32 = &spirv::strings_strip_single32,
                                .marks = true};

std::uint32_t operation(const StripDesc& desc) {
  return desc.side == StripSide::both ? 3u : static_cast<std::uint32_t>(desc.side);
}

}  // namespace

ScratchNeed strip_scratch(const Device& device, const StripDesc& desc, std::uint64_t rows) {
  if (!device || rows > kMaxStringRows) return {};
  return rope_scratch(*device.state(), kKernel, rows, text_bytes(desc.characters), 0);
}

Status record_strip(VkCommandBuffer cmd, const Device& device, const StripDesc& desc,
                    const StripBuffers& buffers) {
  VKPRIMS_RECORD_CALL("strings::strip", cmd, device);
  VKPRIMS_TRY(check_enum("strings::strip", "side", desc.side, StripSide::right));
  return record_rope(cmd, *device.state(), kKernel,
                     {.primitive = "strings::strip",
                      .a = {"in", buffers.in},
                      .text = desc.characters,
                      .rows = buffers.in.rows,
                      .schedule = desc.schedule},
                     buffers.out, buffers.report, buffers.scratch, operation(desc));
}

Status warm_up(const Device& device, const StripDesc& desc) {
  VKPRIMS_WARM_UP_CALL("strings::strip", device);
  return warm_up_rope(*device.state(), kKernel, desc.schedule, operation(desc));
}

}  // namespace vkprims::strings

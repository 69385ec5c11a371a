#include "vkprims/strings/split.hpp"

#include <cstdint>

#include "spirv/strings_split.hpp"
#include "strings/rope.hpp"

namespace vkprims::strings {
namespace {

constexpr RopeKernel kKernel = {.sizes = &spirv::strings_split_sizes,
                                .write = &spirv::strings_split_write,
                                .single64 = &spirv::strings_split_single64,
                                .single32 = &spirv::strings_split_single32,
                                .marks = true};

}  // namespace

ScratchNeed split_scratch(const Device& device, const SplitDesc& desc, std::uint64_t rows) {
  if (!device || rows > kMaxStringRows) return {};
  return rope_scratch(*device.state(), kKernel, rows, text_bytes(desc.delimiter), 0);
}

Status record_split(VkCommandBuffer cmd, const Device& device, const SplitDesc& desc,
                    const SplitBuffers& buffers) {
  VKPRIMS_TRY(check_recording("strings::split", cmd, device));
  if (desc.token > INT32_MAX) {
    return Status::error(Status::invalid_argument,
                         "strings::split: token is %u, must be below 2^31", desc.token);
  }
  return record_rope(cmd, *device.state(), kKernel,
                     {.primitive = "strings::split",
                      .a = {"in", buffers.in},
                      .text = desc.delimiter,
                      .start = static_cast<std::int32_t>(desc.token),
                      .flags = desc.rest ? VKP_STRINGS_REST : 0u,
                      .rows = buffers.in.rows,
                      .schedule = desc.schedule},
                     buffers.out, buffers.report, buffers.scratch, desc.delimiter.empty());
}

Status warm_up(const Device& device, const SplitDesc& desc) {
  VKPRIMS_TRY(check_device("strings::split", device));
  return warm_up_rope(*device.state(), kKernel, desc.schedule, desc.delimiter.empty());
}

}  // namespace vkprims::strings

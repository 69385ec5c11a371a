#include "vkprims/strings/gather.hpp"

#include <cinttypes>

#include "spirv/strings_gather.hpp"
#include "strings/rope.hpp"

namespace vkprims::strings {
namespace {

constexpr RopeKernel kKernel = {&spirv::strings_gather_sizes, &spirv::strings_gather_write,
                                &spirv::strings_gather_single64, &spirv::strings_gather_single32};

}  // namespace

ScratchNeed gather_scratch(const Device& device, const GatherStringsDesc&, std::uint64_t indices) {
  if (!device || indices > kMaxStringRows) return {};
  return rope_scratch(*device.state(), kKernel, indices, 0, 0);
}

Status record_gather(VkCommandBuffer cmd, const Device& device, const GatherStringsDesc& desc,
                     const GatherStringsBuffers& buffers) {
  VKPRIMS_TRY(check_recording("strings::gather", cmd, device));
  VKPRIMS_TRY(check_count("strings::gather", desc.count));
  Count count = desc.count;
  if (count.max == 0) count.max = buffers.indices.bytes / 4;
  if (count.max > kMaxStringRows) {
    return Status::error(Status::invalid_argument,
                         "strings::gather: count is %" PRIu64 " (indices.bytes is %" PRIu64
                         "), at most %" PRIu64 " (2^31 - 1) are allowed",
                         count.max, buffers.indices.bytes, kMaxStringRows);
  }
  return record_rope(cmd, *device.state(), kKernel,
                     {.primitive = "strings::gather",
                      .a = {"in", buffers.in},
                      .indices = buffers.indices,
                      .count = count,
                      .gathers = true,
                      .stop = static_cast<std::int32_t>(buffers.in.rows),
                      .rows = count.max,
                      .schedule = desc.schedule},
                     buffers.out, buffers.report, buffers.scratch);
}

Status warm_up(const Device& device, const GatherStringsDesc& desc) {
  VKPRIMS_TRY(check_device("strings::gather", device));
  return warm_up_rope(*device.state(), kKernel, desc.schedule);
}

}  // namespace vkprims::strings

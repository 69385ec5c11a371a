// The host side of the primitives strings::gather and strings::gathered_bytes.
#include "vkprims/strings/gather.hpp"

#include <cinttypes>

#include "runtime/push.hpp"
#include "spirv/strings_gather.hpp"
#include "strings/rope.hpp"
#include "strings/totals.hpp"

namespace vkprims::strings {
namespace {

constexpr RopeKernel kKernel = {&spirv::strings_gather_word64, &spirv::strings_gather_word32};

Status check_index_count(const char* primitive, const BufferView& indices) {
  if (indices.bytes / 4 <= kMaxStringRows) return {};
  return Status::error(Status::invalid_argument,
                       "%s: indices.bytes is %" PRIu64 ", at most 4 * (2^31 - 1) are allowed",
                       primitive, indices.bytes);
}

}  // namespace

ScratchNeed gather_scratch(const Device& device, const GatherStringsDesc&, std::uint64_t indices) {
  if (!device || indices > kMaxStringRows) return {};
  return rope_scratch(*device.state(), kKernel, indices, 0, 0);
}

Status record_gather(VkCommandBuffer cmd, const Device& device, const GatherStringsDesc& desc,
                     const GatherStringsBuffers& buffers) {
  VKPRIMS_RECORD_CALL("strings::gather", cmd, device);
  VKPRIMS_TRY(check_count("strings::gather", desc.count));
  const Count count = desc.count.or_all(buffers.indices.bytes / 4);
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
                      .longest_row_bytes = desc.longest_row_bytes,
                      .schedule = desc.schedule},
                     buffers.out, buffers.report, buffers.scratch);
}

Status warm_up(const Device& device, const GatherStringsDesc& desc) {
  VKPRIMS_WARM_UP_CALL("strings::gather", device);
  return warm_up_rope(*device.state(), kKernel, desc.schedule);
}

ScratchNeed gathered_bytes_scratch(const Device& device, const GatheredBytesDesc&,
                                   std::uint64_t indices) {
  if (!device || indices > kMaxStringRows) return {};
  return totals_scratch(*device.state(), indices);
}

Status record_gathered_bytes(VkCommandBuffer cmd, const Device& device, const GatheredBytesDesc&,
                             const GatheredBytesBuffers& buffers) {
  constexpr const char* kName = "strings::gathered_bytes";
  VKPRIMS_RECORD_CALL(kName, cmd, device);
  VKPRIMS_TRY(check_index_count(kName, buffers.indices));
  const std::uint64_t items = buffers.indices.bytes / 4;
  std::vector<Argument> arguments{{"indices", buffers.indices, 4 * items, 4, false}};
  VKPRIMS_TRY(check_column(kName, {"in", buffers.in}, arguments));
  return record_totals(cmd, *device.state(),
                       {.primitive = kName,
                        .operation = VKP_TOTALS_GATHERED_BYTES,
                        .arguments = std::move(arguments),
                        .push = {.a = push_strings(buffers.in),
                                 .numbers = push_u64(buffers.indices.address),
                                 .items = static_cast<abi::uint>(items),
                                 .rows = static_cast<abi::uint>(buffers.in.rows)},
                        .out = buffers.out},
                       buffers.scratch);
}

Status warm_up(const Device& device, const GatheredBytesDesc&) {
  VKPRIMS_WARM_UP_CALL("strings::gathered_bytes", device);
  return warm_up_totals(*device.state(), VKP_TOTALS_GATHERED_BYTES);
}

}  // namespace vkprims::strings

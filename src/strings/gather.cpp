// The host side of the primitives strings::gather and strings::gathered_bytes.
#include "strings/gather.hpp"

#include <cinttypes>

#include "runtime/push.hpp"
#include "spirv/strings_gather.hpp"
#include "strings/rope.hpp"
#include "strings/totals.hpp"

namespace vkprims::strings {
namespace {

constexpr RopeKernels kKernels = {
    {.word64 = &spirv::strings_gather_word64, .word32 = &spirv::strings_gather_word32}};

Call call_of(const GatherStringsDesc& desc, const GatherStringsBuffers& buffers) {
  const Count count = desc.count.or_all(buffers.indices.bytes / 4);
  return {.a = {"in", buffers.in},
          .indices = buffers.indices,
          .count = count,
          .gathers = true,
          .stop = static_cast<std::int32_t>(buffers.in.rows),
          .rows = count.max,
          .longest_row_bytes = desc.longest_row_bytes,
          .schedule = desc.schedule};
}

Status check_index_count(const char* primitive, const BufferView& indices) {
  if (indices.bytes / 4 <= kMaxStringRows) return {};
  return Status::error(Status::invalid_argument,
                       "%s: indices.bytes is %" PRIu64 ", at most 4 * (2^31 - 1) are allowed",
                       primitive, indices.bytes);
}

}  // namespace

Status add_gather(Commands& commands, const GatherStringsDesc& desc,
                  const GatherStringsBuffers& buffers) {
  return add_rope(commands, kKernels, call_of(desc, buffers),
                  {buffers.out, buffers.report, buffers.scratch});
}

Status warm_up_gather(Commands& commands, const GatherStringsDesc& desc) {
  return warm_up_rope(commands, kKernels, desc.schedule);
}

ScratchNeed gather_scratch(const Device& device, const GatherStringsDesc&, std::uint64_t indices) {
  return rope_scratch(device, kKernels, {.gathers = true, .rows = indices});
}

Status record_gather(VkCommandBuffer cmd, const Device& device, const GatherStringsDesc& desc,
                     const GatherStringsBuffers& buffers) {
  return record_call("strings::gather", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_count("strings::gather", desc.count));
    const Call call = call_of(desc, buffers);
    if (call.rows > kMaxStringRows) {
      return Status::error(Status::invalid_argument,
                           "strings::gather: count is %" PRIu64 " (indices.bytes is %" PRIu64
                           "), at most %" PRIu64 " (2^31 - 1) are allowed",
                           call.rows, buffers.indices.bytes, kMaxStringRows);
    }
    return check_and_add_rope(commands, kKernels, call,
                              {buffers.out, buffers.report, buffers.scratch});
  });
}

Status warm_up(const Device& device, const GatherStringsDesc& desc) {
  return warm_up_call("strings::gather", device,
                      [&](Commands& commands) { return warm_up_gather(commands, desc); });
}

ScratchNeed gathered_bytes_scratch(const Device& device, const GatheredBytesDesc&,
                                   std::uint64_t indices) {
  if (!device || indices > kMaxStringRows) return {};
  return totals_scratch(*device.state(), indices);
}

Status record_gathered_bytes(VkCommandBuffer cmd, const Device& device, const GatheredBytesDesc&,
                             const GatheredBytesBuffers& buffers) {
  return record_call("strings::gathered_bytes", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_index_count(commands.primitive(), buffers.indices));
    VKPRIMS_TRY(check_column(commands.primitive(), {"in", buffers.in}));
    const std::uint64_t items = buffers.indices.bytes / 4;
    std::vector<Operand> operands{{"indices", buffers.indices, 4 * items, 4, false}};
    append(operands, {"in", buffers.in});
    return check_and_add_totals(commands,
                                {.operation = VKP_TOTALS_GATHERED_BYTES,
                                 .operands = std::move(operands),
                                 .push = {.a = push_strings(buffers.in),
                                          .numbers = push_u64(buffers.indices.address),
                                          .items = static_cast<abi::uint>(items),
                                          .rows = static_cast<abi::uint>(buffers.in.rows)},
                                 .out = buffers.out},
                                buffers.scratch);
  });
}

Status warm_up(const Device& device, const GatheredBytesDesc&) {
  return warm_up_call("strings::gathered_bytes", device, [&](Commands& commands) {
    return warm_up_totals(commands, VKP_TOTALS_GATHERED_BYTES);
  });
}

}  // namespace vkprims::strings

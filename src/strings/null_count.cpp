// The host side of the primitive strings::null_count.
#include "vkprims/strings/null_count.hpp"

#include <cinttypes>

#include "runtime/push.hpp"
#include "strings/totals.hpp"

namespace vkprims::strings {
namespace {

Status check_desc(const NullCountDesc& desc) {
  if (desc.rows <= kMaxStringRows && desc.first_bit <= 31) return {};
  return Status::error(Status::invalid_argument,
                       "strings::null_count: rows is %" PRIu64
                       " and first_bit is %u, at most %" PRIu64 " and 31 are allowed",
                       desc.rows, desc.first_bit, kMaxStringRows);
}

std::uint64_t words_of(const NullCountDesc& desc) {
  return desc.rows ? bit_bytes(desc.rows, desc.first_bit) / 4 : 0;
}

}  // namespace

ScratchNeed null_count_scratch(const Device& device, const NullCountDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return totals_scratch(*device.state(), words_of(desc));
}

Status record_null_count(VkCommandBuffer cmd, const Device& device, const NullCountDesc& desc,
                         const NullCountBuffers& buffers) {
  return record_call("strings::null_count", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    const BufferView& validity = buffers.validity;
    const std::uint64_t words = validity.address ? words_of(desc) : 0;
    return check_and_add_totals(
        commands,
        {.operation = VKP_TOTALS_NULLS,
         .operands = {{"validity", validity, 4 * words, 4, false, "", "rows"}},
         .push = {.a = {.validity = push_u64(validity.address), .first_bit = desc.first_bit},
                  .items = static_cast<abi::uint>(words),
                  .rows = static_cast<abi::uint>(desc.rows)},
         .out = buffers.out},
        buffers.scratch);
  });
}

Status warm_up(const Device& device, const NullCountDesc&) {
  return warm_up_call("strings::null_count", device, [&](Commands& commands) {
    return warm_up_totals(commands, VKP_TOTALS_NULLS);
  });
}

}  // namespace vkprims::strings

// The host side of the primitives strings::from_views and strings::view_bytes.
#include "vkprims/strings/from_views.hpp"

#include <cinttypes>

#include "runtime/push.hpp"
#include "spirv/strings_from_views.hpp"
#include "strings/rope.hpp"
#include "strings/totals.hpp"

namespace vkprims::strings {
namespace {

constexpr RopeKernels kKernels = {
    {.word64 = &spirv::strings_from_views_word64, .word32 = &spirv::strings_from_views_word32}};

template <class Buffers>
std::uint64_t rows_of(const Buffers& buffers) {
  return buffers.lengths.bytes / 4;
}

// Checks the views of `Desc` and `Buffers`, whatever is made of them.
template <class Desc, class Buffers>
Status check_views(const char* primitive, const Desc& desc, const Buffers& buffers) {
  VKPRIMS_TRY(check_enum(primitive, "offset_width", desc.offset_width, IndexWidth::u64));
  if (rows_of(buffers) <= kMaxStringRows) return {};
  return Status::error(Status::invalid_argument,
                       "%s: lengths.bytes is %" PRIu64 ", at most 4 * (2^31 - 1) are allowed",
                       primitive, buffers.lengths.bytes);
}

template <class Desc, class Buffers>
std::vector<Operand> operands_of(const Desc& desc, const Buffers& buffers) {
  const std::uint64_t rows = rows_of(buffers), width = size_of(desc.offset_width);
  if (rows == 0) return {};
  return {{"chars", buffers.chars, buffers.chars.bytes, 1, false, "", "chars.bytes"},
          {"offsets", buffers.offsets, rows * width, width, false, "", "rows"},
          {"lengths", buffers.lengths, rows * 4, 4, false, "", "rows"}};
}

// Offsets and bytes as a column has them, but without the end of the last row.
template <class Desc, class Buffers>
StringColumnView column_of(const Desc& desc, const Buffers& buffers) {
  return {.offsets = {.address = buffers.offsets.address},
          .chars = buffers.chars,
          .offset_width = desc.offset_width};
}

Call call_of(const FromViewsDesc& desc, const FromViewsBuffers& buffers) {
  return {.a = {nullptr, column_of(desc, buffers)},
          .b = {nullptr, {.offsets = {.address = buffers.lengths.address}}},
          .own = operands_of(desc, buffers),
          .flags = desc.null_length,
          .rows = rows_of(buffers),
          .longest_row_bytes = desc.longest_row_bytes,
          .schedule = desc.schedule};
}

}  // namespace

ScratchNeed from_views_scratch(const Device& device, const FromViewsDesc&, std::uint64_t rows) {
  return rope_scratch(device, kKernels, {.rows = rows});
}

Status record_from_views(VkCommandBuffer cmd, const Device& device, const FromViewsDesc& desc,
                         const FromViewsBuffers& buffers) {
  return record_call("strings::from_views", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_views(commands.primitive(), desc, buffers));
    return check_and_add_rope(commands, kKernels, call_of(desc, buffers),
                              {buffers.out, buffers.report, buffers.scratch});
  });
}

Status warm_up(const Device& device, const FromViewsDesc& desc) {
  return warm_up_call("strings::from_views", device, [&](Commands& commands) {
    return warm_up_rope(commands, kKernels, desc.schedule);
  });
}

ScratchNeed view_bytes_scratch(const Device& device, const ViewBytesDesc&, std::uint64_t rows) {
  if (!device || rows > kMaxStringRows) return {};
  return totals_scratch(*device.state(), rows);
}

Status record_view_bytes(VkCommandBuffer cmd, const Device& device, const ViewBytesDesc& desc,
                         const ViewBytesBuffers& buffers) {
  return record_call("strings::view_bytes", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_views(commands.primitive(), desc, buffers));
    return check_and_add_totals(commands,
                                {.operation = VKP_TOTALS_BYTES_OF_VIEWS,
                                 .operands = operands_of(desc, buffers),
                                 .push = {.a = push_strings(column_of(desc, buffers)),
                                          .numbers = push_u64(buffers.lengths.address),
                                          .items = static_cast<abi::uint>(rows_of(buffers)),
                                          .null_length = desc.null_length},
                                 .out = buffers.out},
                                buffers.scratch);
  });
}

Status warm_up(const Device& device, const ViewBytesDesc&) {
  return warm_up_call("strings::view_bytes", device, [&](Commands& commands) {
    return warm_up_totals(commands, VKP_TOTALS_BYTES_OF_VIEWS);
  });
}

}  // namespace vkprims::strings

// Ropes made by kernels that are not the library's.
#include <cinttypes>

#include "strings/rope.hpp"
#include "vkprims/strings/rope.hpp"

namespace vkprims::strings {
namespace {

constexpr const char* kName = "strings::rope";
constexpr std::uint32_t kMostPieces =
    VKP_STRINGS_ROPE_WORKGROUP * VKP_STRINGS_PIECES;  // on every device

bool has_valid_pieces(const RopeDesc& desc) {
  return desc.kernel.pieces >= 1 && desc.kernel.pieces <= kMostPieces;
}

Status check_module(const Spirv* module, const char* name) {
  if (module) return {};
  return Status::error(Status::invalid_argument, "%s: kernel.%s is null", kName, name);
}

Status check_kernel(const RopeDesc& desc) {
  if (!has_valid_pieces(desc)) {
    return Status::error(Status::invalid_argument, "%s: kernel.pieces is %u, must be 1 … %u", kName,
                         desc.kernel.pieces, kMostPieces);
  }
  VKPRIMS_TRY(check_enum(kName, "schedule", desc.schedule, Schedule::multi_pass));
  if (desc.kernel.attempt64 || desc.kernel.attempt32) {
    VKPRIMS_TRY(check_module(desc.kernel.attempt64, "attempt64"));
    VKPRIMS_TRY(check_module(desc.kernel.attempt32, "attempt32"));
  }
  VKPRIMS_TRY(check_module(desc.kernel.word64, "word64"));
  return check_module(desc.kernel.word32, "word32");
}

Status check_desc(const RopeDesc& desc) {
  VKPRIMS_TRY(check_kernel(desc));
  if (desc.rows > kMaxStringRows) {
    return Status::error(Status::invalid_argument,
                         "%s: rows is %" PRIu64 ", at most %" PRIu64 " (2^31 - 1) are allowed",
                         kName, desc.rows, kMaxStringRows);
  }
  if (desc.columns <= 2) return {};
  return Status::error(Status::invalid_argument, "%s: columns is %u, must be 0 … 2", kName,
                       desc.columns);
}

RopeKernels kernels_of(const RopeDesc& desc) {
  return {.of_rows = desc.kernel, .operation = desc.constant};
}

Call call_of(const RopeDesc& desc, const RopeBuffers& buffers) {
  return {.a = desc.columns > 0 ? NamedColumn{"a", buffers.a} : NamedColumn{},
          .b = desc.columns > 1 ? NamedColumn{"b", buffers.b} : NamedColumn{},
          .text = desc.text,
          .more = desc.more_text,
          .indices = buffers.indices,
          .rows = desc.rows,
          .row_bytes = desc.row_bytes,
          .longest_row_bytes = desc.longest_row_bytes,
          .schedule = desc.schedule};
}

}  // namespace

ScratchNeed rope_scratch(const Device& device, const RopeDesc& desc) {
  if (!has_valid_pieces(desc)) return {};
  return rope_scratch(device, kernels_of(desc), call_of(desc, {}));
}

Status record_rope(VkCommandBuffer cmd, const Device& device, const RopeDesc& desc,
                   const RopeBuffers& buffers) {
  return record_call(kName, cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    return check_and_add_rope(commands, kernels_of(desc), call_of(desc, buffers),
                              {buffers.out, buffers.report, buffers.scratch});
  });
}

Status warm_up(const Device& device, const RopeDesc& desc) {
  return warm_up_call(kName, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_kernel(desc));
    return warm_up_rope(commands, kernels_of(desc), desc.schedule);
  });
}

}  // namespace vkprims::strings

// The host side of the primitive strings::change_case.
#include "vkprims/strings/change_case.hpp"

#include "spirv/strings_change_case.hpp"
#include "spirv/strings_change_case_bytes.hpp"
#include "spirv/strings_change_case_long.hpp"
#include "spirv/strings_unit_sums.hpp"
#include "strings/case_table.hpp"
#include "strings/change_case/change_case.abi.h"
#include "strings/rope.hpp"

namespace vkprims::strings {
namespace {

RopeKernels kernels_of(const ChangeCaseDesc& desc) {
  return {.of_rows = {.word64 = &spirv::strings_change_case_word64,
                      .word32 = &spirv::strings_change_case_word32,
                      .before = &spirv::strings_change_case_bytes},
          .of_long = {.sums = &spirv::strings_unit_sums_growth,
                      .behind = &spirv::strings_change_case_long},
          .operation = desc.to == Case::upper ? VKP_CASE_UPPER + 0u : VKP_CASE_LOWER + 0u};
}

Call call_of(const ChangeCaseDesc& desc, const StringColumnView& in) {
  return {.a = {"in", in},
          .text = case_table(desc.to),
          .flags = VKP_STRINGS_WAS_TRIED,
          .rows = in.rows,
          .longest_row_bytes = desc.longest_row_bytes,
          .schedule = desc.schedule};
}

}  // namespace

ScratchNeed change_case_scratch(const Device& device, const ChangeCaseDesc& desc,
                                std::uint64_t rows, std::uint64_t chars_bytes) {
  return rope_scratch(device, kernels_of(desc),
                      call_of(desc, {.chars = {0, chars_bytes}, .rows = rows}));
}

Status record_change_case(VkCommandBuffer cmd, const Device& device, const ChangeCaseDesc& desc,
                          const ChangeCaseBuffers& buffers) {
  return record_call("strings::change_case", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_enum(commands.primitive(), "to", desc.to, Case::lower));
    return check_and_add_rope(commands, kernels_of(desc), call_of(desc, buffers.in),
                              {buffers.out, buffers.report, buffers.scratch});
  });
}

Status warm_up(const Device& device, const ChangeCaseDesc& desc) {
  return warm_up_call("strings::change_case", device, [&](Commands& commands) {
    return warm_up_rope(commands, kernels_of(desc), desc.schedule);
  });
}

}  // namespace vkprims::strings

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

constexpr RopeKernel kKernel = {.word64 = &spirv::strings_change_case_word64,
                                .word32 = &spirv::strings_change_case_word32,
                                .before = &spirv::strings_change_case_bytes};
constexpr LongKernels kLong = {.sums = &spirv::strings_unit_sums_growth,
                               .behind = &spirv::strings_change_case_long};

std::uint32_t operation(const ChangeCaseDesc& desc) {
  return desc.to == Case::upper ? VKP_CASE_UPPER : VKP_CASE_LOWER;
}

}  // namespace

ScratchNeed change_case_scratch(const Device& device, const ChangeCaseDesc& desc,
                                std::uint64_t rows, std::uint64_t chars_bytes) {
  if (!device || rows > kMaxStringRows) return {};
  return rope_scratch(*device.state(), kKernel, rows, case_table(desc.to).size(), 0,
                      {kLong, chars_bytes, desc.longest_row_bytes});
}

Status record_change_case(VkCommandBuffer cmd, const Device& device, const ChangeCaseDesc& desc,
                          const ChangeCaseBuffers& buffers) {
  VKPRIMS_RECORD_CALL("strings::change_case", cmd, device);
  VKPRIMS_TRY(check_enum("strings::change_case", "to", desc.to, Case::lower));
  return record_rope(cmd, *device.state(), kKernel,
                     {.primitive = "strings::change_case",
                      .a = {"in", buffers.in},
                      .text = case_table(desc.to),
                      .flags = VKP_STRINGS_WAS_TRIED,
                      .rows = buffers.in.rows,
                      .longest_row_bytes = desc.longest_row_bytes,
                      .schedule = desc.schedule},
                     buffers.out, buffers.report, buffers.scratch, operation(desc), kLong);
}

Status warm_up(const Device& device, const ChangeCaseDesc& desc) {
  VKPRIMS_WARM_UP_CALL("strings::change_case", device);
  return warm_up_rope(*device.state(), kKernel, desc.schedule, operation(desc), kLong);
}

}  // namespace vkprims::strings

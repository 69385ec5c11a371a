// The host side of the primitive strings::find.
#include "vkprims/strings/find.hpp"

#include <cstdint>

#include "spirv/strings_numbers.hpp"
#include "spirv/strings_numbers_long.hpp"
#include "spirv/strings_unit_sums.hpp"
#include "strings/map.hpp"

namespace vkprims::strings {
namespace {

// Whether it matters how the text overlaps itself.
bool counts_overlapping(const FindDesc& desc) {
  const bool counts =
      desc.number == StringNumber::count || desc.number == StringNumber::count_tokens;
  return counts && period_of(desc.text) < desc.text.size();
}

constexpr LongKernels kLong = {.sums = &spirv::strings_unit_sums_numbers,
                               .rows = &spirv::strings_numbers_long_sums};
constexpr LongKernels kLongChains = {.sums = &spirv::strings_unit_sums_number_chains,
                                     .rows = &spirv::strings_numbers_long_chains,
                                     .sum_bytes = 24};

const LongKernels& long_kernels_of(const FindDesc& desc) {
  static constexpr LongKernels kNone;
  if (desc.number == StringNumber::count_bytes) return kNone;
  return counts_overlapping(desc) ? kLongChains : kLong;
}

MapKernels kernel_of(const FindDesc& desc) {
  const auto number = static_cast<std::uint32_t>(desc.number);
  return {.spirv = &spirv::strings_numbers,
          .operation = number,
          .long_kernels = long_kernels_of(desc),
          .of_long = number};
}

// To count, the kernels need the period of the text in place of a stop.
std::int32_t stop_of(const FindDesc& desc) {
  if (counts_overlapping(desc)) return static_cast<std::int32_t>(period_of(desc.text));
  return desc.stop ? static_cast<std::int32_t>(*desc.stop) : -1;
}

Call call_of(const FindDesc& desc, const StringColumnView& in) {
  return {.a = {"in", in},
          .text = desc.text,
          .start = static_cast<std::int32_t>(desc.start),
          .stop = stop_of(desc),
          .rows = in.rows,
          .longest_row_bytes = desc.longest_row_bytes};
}

}  // namespace

ScratchNeed find_scratch(const Device& device, const FindDesc& desc, std::uint64_t chars_bytes) {
  return map_scratch(device, kernel_of(desc), call_of(desc, {.chars = {0, chars_bytes}}));
}

Status record_find(VkCommandBuffer cmd, const Device& device, const FindDesc& desc,
                   const FindBuffers& buffers) {
  return record_call("strings::find", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_enum("strings::find", "number", desc.number, StringNumber::count_tokens));
    const std::uint32_t stop = desc.stop.value_or(INT32_MAX);
    if (desc.start > stop || stop > INT32_MAX) {
      return Status::error(
          Status::invalid_argument,
          "strings::find: start is %u and stop is %u, must ascend and be below 2^31", desc.start,
          stop);
    }
    return check_and_add_map(commands, kernel_of(desc), call_of(desc, buffers.in),
                             {buffers.out, 4 * buffers.in.rows, buffers.validity}, buffers.scratch);
  });
}

Status warm_up(const Device& device, const FindDesc& desc) {
  return warm_up_call("strings::find", device,
                      [&](Commands& commands) { return warm_up_map(commands, kernel_of(desc)); });
}

}  // namespace vkprims::strings

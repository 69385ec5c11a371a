// The host side of the primitive strings::split.
#include "vkprims/strings/split.hpp"

#include <cstdint>

#include "spirv/strings_split.hpp"
#include "spirv/strings_split_long.hpp"
#include "spirv/strings_split_short.hpp"
#include "spirv/strings_unit_sums.hpp"
#include "strings/rope.hpp"

namespace vkprims::strings {
namespace {

constexpr RopeKernel kAny = {
    .word64 = &spirv::strings_split_word64, .word32 = &spirv::strings_split_word32, .marks = true};
constexpr LongKernels kLong = {.sums = &spirv::strings_unit_sums_tokens,
                               .rows = &spirv::strings_split_long_sums};
// These are for delimiters that overlap themselves.
constexpr LongKernels kLongChains = {.sums = &spirv::strings_unit_sums_token_chains,
                                     .rows = &spirv::strings_split_long_chains,
                                     .sum_bytes = 24};
constexpr RopeKernel kShort = {.word64 = &spirv::strings_split_short_word64,
                               .word32 = &spirv::strings_split_short_word32,
                               .strip_words = VKP_STRINGS_SHORT_WORDS};

// Whether there is a kernel of short rows for the delimiter.
bool may_be_short(const SplitDesc& desc) { return desc.delimiter.size() <= 1; }

const LongKernels& long_kernels_of(const SplitDesc& desc) {
  const bool overlaps =
      !desc.delimiter.empty() && period_of(desc.delimiter) < desc.delimiter.size();
  return overlaps ? kLongChains : kLong;
}

}  // namespace

ScratchNeed split_scratch(const Device& device, const SplitDesc& desc, std::uint64_t rows,
                          std::uint64_t chars_bytes) {
  if (!device || rows > kMaxStringRows) return {};
  return rope_scratch(*device.state(), kAny, rows, text_bytes(desc.delimiter), 0,
                      {long_kernels_of(desc), chars_bytes, desc.longest_row_bytes});
}

Status record_split(VkCommandBuffer cmd, const Device& device, const SplitDesc& desc,
                    const SplitBuffers& buffers) {
  VKPRIMS_RECORD_CALL("strings::split", cmd, device);
  if (desc.token > INT32_MAX) {
    return Status::error(Status::invalid_argument,
                         "strings::split: token is %u, must be below 2^31", desc.token);
  }
  const std::uint32_t in_bytes = row_bytes(desc.row_bytes, buffers.in);
  const bool is_short = may_be_short(desc) && are_short(in_bytes);
  return record_rope(cmd, *device.state(), is_short ? kShort : kAny,
                     {.primitive = "strings::split",
                      .a = {"in", buffers.in},
                      .text = desc.delimiter,
                      .start = static_cast<std::int32_t>(desc.token),
                      .stop = static_cast<std::int32_t>(period_of(desc.delimiter)),
                      .flags = desc.rest ? VKP_STRINGS_REST : 0u,
                      .rows = buffers.in.rows,
                      .row_bytes = in_bytes,
                      .longest_row_bytes = desc.longest_row_bytes,
                      .schedule = desc.schedule},
                     buffers.out, buffers.report, buffers.scratch, desc.delimiter.empty(),
                     long_kernels_of(desc));
}

Status warm_up(const Device& device, const SplitDesc& desc) {
  VKPRIMS_WARM_UP_CALL("strings::split", device);
  const std::uint32_t by_whitespace = desc.delimiter.empty();
  if (may_be_short(desc)) {
    VKPRIMS_TRY(
        warm_up_rope(*device.state(), kShort, desc.schedule, by_whitespace, long_kernels_of(desc)));
  }
  return warm_up_rope(*device.state(), kAny, desc.schedule, by_whitespace, long_kernels_of(desc));
}

}  // namespace vkprims::strings

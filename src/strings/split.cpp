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
                               .lane_words = VKP_STRINGS_SHORT_WORDS};

// Whether there is a kernel of short rows for the delimiter.
bool may_be_short(const SplitDesc& desc) { return desc.delimiter.size() <= 1; }

const LongKernels& long_kernels_of(const SplitDesc& desc) {
  const bool overlaps =
      !desc.delimiter.empty() && period_of(desc.delimiter) < desc.delimiter.size();
  return overlaps ? kLongChains : kLong;
}

RopeKernels kernels_of(const SplitDesc& desc, bool is_short) {
  return {.of_rows = is_short ? kShort : kAny,
          .of_long = long_kernels_of(desc),
          .operation = desc.delimiter.empty()};
}

Call call_of(const SplitDesc& desc, const StringColumnView& in) {
  return {.a = {"in", in},
          .text = desc.delimiter,
          .start = static_cast<std::int32_t>(desc.token),
          .stop = static_cast<std::int32_t>(period_of(desc.delimiter)),
          .flags = desc.rest ? VKP_STRINGS_REST : 0u,
          .rows = in.rows,
          .row_bytes = row_bytes(desc.row_bytes, in),
          .longest_row_bytes = desc.longest_row_bytes,
          .schedule = desc.schedule};
}

}  // namespace

ScratchNeed split_scratch(const Device& device, const SplitDesc& desc, std::uint64_t rows,
                          std::uint64_t chars_bytes) {
  return rope_scratch(device, kernels_of(desc, false),
                      call_of(desc, {.chars = {0, chars_bytes}, .rows = rows}));
}

Status record_split(VkCommandBuffer cmd, const Device& device, const SplitDesc& desc,
                    const SplitBuffers& buffers) {
  return record_call("strings::split", cmd, device, [&](Commands& commands) {
    if (desc.token > INT32_MAX) {
      return Status::error(Status::invalid_argument,
                           "strings::split: token is %u, must be below 2^31", desc.token);
    }
    const Call call = call_of(desc, buffers.in);
    const bool is_short = may_be_short(desc) && are_short(call.row_bytes);
    return check_and_add_rope(commands, kernels_of(desc, is_short), call,
                              {buffers.out, buffers.report, buffers.scratch});
  });
}

Status warm_up(const Device& device, const SplitDesc& desc) {
  return warm_up_call("strings::split", device, [&](Commands& commands) {
    if (may_be_short(desc)) {
      VKPRIMS_TRY(warm_up_rope(commands, kernels_of(desc, true), desc.schedule));
    }
    return warm_up_rope(commands, kernels_of(desc, false), desc.schedule);
  });
}

}  // namespace vkprims::strings

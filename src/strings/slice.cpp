// The host side of the primitive strings::slice.
#include "vkprims/strings/slice.hpp"

#include <algorithm>

#include "runtime/push.hpp"
#include "spirv/strings_long_rows.hpp"
#include "spirv/strings_slice.hpp"
#include "spirv/strings_slice_bytes.hpp"
#include "spirv/strings_slice_head.hpp"
#include "spirv/strings_slice_long.hpp"
#include "spirv/strings_slice_step.hpp"
#include "spirv/strings_slice_step_long.hpp"
#include "spirv/strings_unit_sums.hpp"
#include "strings/rope.hpp"
#include "strings/slice/slice.abi.h"

namespace vkprims::strings {
namespace {

constexpr RopeKernel kNeighbours = {
    .word64 = &spirv::strings_slice_word64, .word32 = &spirv::strings_slice_word32, .marks = true};
// The kernel for slices among the first 16 characters.
constexpr RopeKernel kHead = {.word64 = &spirv::strings_slice_head_word64,
                              .word32 = &spirv::strings_slice_head_word32,
                              .lane_words = VKP_STRINGS_SHORT_WORDS};
// The kernel for characters apart from each other, or in reverse.
constexpr RopeKernel kBySteps = {.word64 = &spirv::strings_slice_step_word64,
                                 .word32 = &spirv::strings_slice_step_word32};
// The kernel for slices of whole rows by steps of 1 or 2. These are tried first as if every byte
// were a character.
constexpr RopeKernel kBySmallSteps = {.word64 = kBySteps.word64,
                                      .word32 = kBySteps.word32,
                                      .attempt64 = &spirv::strings_slice_bytes_word64,
                                      .attempt32 = &spirv::strings_slice_bytes_word32};

constexpr LongKernels kLongNeighbours = {.sums = &spirv::strings_unit_sums_characters,
                                         .rows = &spirv::strings_slice_long};
constexpr LongKernels kLongHeads = {.list = &spirv::strings_long_rows_heads,
                                    .sums = &spirv::strings_unit_sums_characters,
                                    .rows = &spirv::strings_slice_long};
constexpr LongKernels kLongSteps = {.sums = &spirv::strings_unit_sums_characters,
                                    .second_sums = &spirv::strings_unit_sums_steps,
                                    .behind = &spirv::strings_slice_step_long};

bool is_near(const SliceDesc& desc) {
  const auto is_first = [](std::int32_t position) { return position >= 0 && position < 16; };
  return desc.step == 1 && !desc.per_row && desc.stop && is_first(*desc.stop) &&
         is_first(desc.start.value_or(0));
}

// Whether an attempt is made. There are attempts in one pass only.
bool is_tried(const SliceDesc& desc) {
  return !desc.start && !desc.stop && (desc.step == -1 || desc.step == 2 || desc.step == -2) &&
         desc.schedule != Schedule::multi_pass;
}

// About how many bytes a row has: characters of one byte, and some of more.
std::uint32_t row_bytes(const SliceDesc& desc) {
  if (!is_near(desc)) return 0;
  return static_cast<std::uint32_t>(std::max(*desc.stop - desc.start.value_or(0), 0) * 5 / 4 + 1);
}

// Whether the kernel reads abi::SlicePositions.
bool has_positions(const SliceDesc& desc) { return desc.per_row || desc.step != 1; }

std::uint32_t operation(const SliceDesc& desc) {
  if (!is_tried(desc)) return desc.per_row ? 1 : 0;
  return (desc.step < 0 ? VKP_STRINGS_BACKWARD : 0u) |
         (desc.step != -1 ? VKP_STRINGS_EVERY_SECOND : 0u);
}

RopeKernels kernels_of(const SliceDesc& desc) {
  const std::uint32_t op = operation(desc);
  if (is_near(desc)) return {kHead, kLongHeads, op};
  if (is_tried(desc)) return {kBySmallSteps, kLongSteps, op};
  return desc.step == 1 ? RopeKernels{kNeighbours, kLongNeighbours, op}
                        : RopeKernels{kBySteps, kLongSteps, op};
}

Status check_desc(const SliceDesc& desc) {
  if (desc.step == 0) {
    return Status::error(Status::invalid_argument, "strings::slice: step is 0, must not be");
  }
  if (desc.per_row && (desc.step != 1 || desc.start || desc.stop)) {
    return Status::error(Status::invalid_argument,
                         "strings::slice: per_row goes with step 1, and without start and stop");
  }
  return {};
}

abi::SlicePositions positions_of(const SliceDesc& desc, const SliceBuffers& buffers) {
  if (!desc.per_row) return {.step = desc.step};
  return {.starts = push_u64(buffers.starts.address),
          .stops = push_u64(buffers.stops.address),
          .step = desc.step};
}

// A position that is not given becomes one that is an end of all rows.
Call call_of(const SliceDesc& desc, const SliceBuffers& buffers,
             const abi::SlicePositions& positions) {
  const bool backward = desc.step < 0;
  Call call{.a = {"in", buffers.in},
            .start = desc.start.value_or(backward ? INT32_MAX : 0),
            .stop = desc.stop.value_or(backward ? INT32_MIN : INT32_MAX),
            .flags = is_tried(desc) ? VKP_STRINGS_WAS_TRIED : 0u,
            .rows = buffers.in.rows,
            .row_bytes = row_bytes(desc),
            .longest_row_bytes = desc.longest_row_bytes,
            .schedule = desc.schedule};
  if (has_positions(desc)) {
    call.text = {reinterpret_cast<const char*>(&positions), sizeof positions};
  }
  if (!desc.per_row) return call;
  for (const auto& [name, view] : {std::pair{"starts", buffers.starts}, {"stops", buffers.stops}}) {
    call.own.push_back({name, view, view.address ? 4 * call.rows : 0, 4, false});
  }
  return call;
}

}  // namespace

ScratchNeed slice_scratch(const Device& device, const SliceDesc& desc, std::uint64_t rows,
                          std::uint64_t chars_bytes) {
  if (!check_desc(desc)) return {};
  const SliceBuffers buffers{.in = {.chars = {0, chars_bytes}, .rows = rows}};
  return rope_scratch(device, kernels_of(desc), call_of(desc, buffers, {}));
}

Status record_slice(VkCommandBuffer cmd, const Device& device, const SliceDesc& desc,
                    const SliceBuffers& buffers) {
  return record_call("strings::slice", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    const abi::SlicePositions positions = positions_of(desc, buffers);
    return check_and_add_rope(commands, kernels_of(desc), call_of(desc, buffers, positions),
                              {buffers.out, buffers.report, buffers.scratch});
  });
}

Status warm_up(const Device& device, const SliceDesc& desc) {
  return warm_up_call("strings::slice", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    return warm_up_rope(commands, kernels_of(desc), desc.schedule);
  });
}

}  // namespace vkprims::strings

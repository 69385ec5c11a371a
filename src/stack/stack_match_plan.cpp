#include "stack/stack_match_plan.hpp"

#include <algorithm>

#include "runtime/arithmetic.hpp"

namespace vkprims {

std::uint64_t StackPlan::groups() const { return ceil_div(max_tiles, VKP_STACK_GROUP); }

StackPlan stack_plan(const DeviceState& state, std::uint64_t max_count, std::uint32_t max_blocks) {
  constexpr std::uint32_t kMaxMore = 15 + 1;  // items of a cell, and one without a symbol
  StackPlan plan{};
  plan.workgroup_size = std::min(state.tuning.csr_workgroup_size, max_blocks);
  // An invocation takes up to 43 words: 17 each for match and close_of, 2 for symbols, 5 for blocks
  // and links, and scans.
  while (plan.workgroup_size * 44 * 4 > state.shared_bytes) plan.workgroup_size /= 2;
  plan.tile_items = std::uint64_t{plan.workgroup_size} * VKP_STACK_BLOCK - kMaxMore;
  plan.max_tiles = std::max<std::uint64_t>(1, ceil_div(max_count, plan.tile_items));
  plan.level_words = max_count < state.tuning.stack_short_count ? 1 : 2;
  if (max_count == 0) return plan;
  std::uint64_t keys = 0, level_keys = plan.max_tiles;
  for (int level = 0; level < 4 || level_keys > 1; ++level) {  // four at least
    if (level != 0) level_keys = ceil_div(level_keys, VKP_STACK_FAN_OUT);
    keys += round_up(level_keys, VKP_STACK_FAN_OUT);
  }
  const std::uint64_t list_words =
      std::uint64_t{plan.workgroup_size} * VKP_STACK_BLOCK + VKP_STACK_LIST_EXTRA;
  const std::uint64_t tile_bytes = 4 * list_words + VKP_STACK_EFFECT_BYTES + VKP_STACK_PLACE_BYTES;
  plan.need.bytes = VKP_STACK_LISTS_OFFSET + plan.max_tiles * tile_bytes +
                    plan.groups() * VKP_STACK_GROUP_BYTES + keys * 8;
  return plan;
}

Specialization stack_tree_constants(const DeviceState& state, const StackPlan& plan) {
  // With a single group of tiles there is one workgroup, or hardly more, for each processor.
  const std::uint32_t wanted = plan.groups() == 1 ? 256 : VKP_STACK_GROUP;
  Specialization constants{.workgroup_size = std::min(state.largest_workgroup, wanted)};
  return constants.set(VKP_STACK_SPEC_INDEX_WORDS, 1)
      .set(VKP_STACK_SPEC_BLOCKS, plan.workgroup_size)
      .set(VKP_STACK_SPEC_LEVEL_WORDS, plan.level_words);
}

Specialization stack_finish_constants(const DeviceState& state, const StackPlan& plan,
                                      IndexWidth index_width, std::uint32_t wanted) {
  const std::uint32_t size =
      plan.groups() == 1 ? std::min(state.largest_workgroup, 256u) : plan.workgroup_size;
  Specialization constants{.workgroup_size = size, .row_words = 4};
  return constants
      .set(VKP_STACK_SPEC_INPUT, 0)  // it does not look at symbols, nor store rows
      .set(VKP_STACK_SPEC_WANTS, wanted)
      .set(VKP_STACK_SPEC_INDEX_WORDS, size_of(index_width) / 4)
      .set(VKP_STACK_SPEC_BLOCKS, plan.workgroup_size)
      .set(VKP_STACK_SPEC_LEVEL_WORDS, plan.level_words);
}

bool stack_rows_are_aligned(VkDeviceAddress out, std::uint32_t head, IndexWidth index_width) {
  return (out - std::uint64_t{head} * size_of(index_width)) % 16 == 0;
}

Status check_closes(const char* primitive, StackInput input, const BufferView& closes) {
  if (closes.address == 0 || input == StackInput::bits) return {};
  return Status::error(Status::invalid_argument,
                       "%s: closes is given, but input is %s; it is for StackInput::bits",
                       primitive, input == StackInput::tags_u8 ? "tags_u8" : "tags_u32");
}

Operand operand_of_symbols(StackInput input, std::uint64_t count, const BufferView& symbols) {
  if (input == StackInput::bits) return {"symbols", symbols, mask_bytes(count), 4, false};
  const std::uint32_t size = input == StackInput::tags_u8 ? 1 : 4;
  return {"symbols", symbols, count * size, size, false};
}

Operand operand_of_closes(StackInput input, std::uint64_t count, const BufferView& closes) {
  return {"closes", closes, input == StackInput::bits ? mask_bytes(count) : 0, 4, false};
}

Operand operand_of_stack_indices(const char* name, const BufferView& indices, std::uint64_t count,
                                 IndexWidth index_width) {
  const std::uint32_t size = size_of(index_width);
  return {name, indices, indices.address ? count * size : 0, size, true};
}

Operand operand_of_stack_header(const BufferView& header) {
  const VkDeviceSize bytes = header.address ? sizeof(StackHeader) : 0;
  return {"header", header, bytes, 8, true, "", "a StackHeader"};
}

std::uint32_t stack_head(StackInput input, VkDeviceAddress symbols) {
  if (input == StackInput::bits) return 0;
  return static_cast<std::uint32_t>(symbols % 16) / (input == StackInput::tags_u8 ? 1 : 4);
}

VkDeviceAddress stack_first_cell(StackInput input, VkDeviceAddress symbols) {
  return input == StackInput::bits ? symbols : symbols - symbols % 16;
}

}  // namespace vkprims

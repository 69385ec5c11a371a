// The host side of the primitive nearest_smaller.
#include "vkprims/nearest_smaller.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>

#include "runtime/arithmetic.hpp"
#include "runtime/commands.hpp"
#include "runtime/push.hpp"
#include "spirv/nearest_smaller_finish.hpp"
#include "spirv/nearest_smaller_tiles.hpp"
#include "spirv/nearest_smaller_tree.hpp"
#include "stack/nearest_smaller/nearest_smaller.abi.h"

namespace vkprims {
namespace {

constexpr std::uint64_t kFanOut = VKP_NEAREST_FAN_OUT;

Status check_desc(const NearestSmallerDesc& desc) {
  VKPRIMS_TRY(check_type("nearest_smaller", desc.type));
  VKPRIMS_TRY(check_enum("nearest_smaller", "direction", desc.direction, NearestDirection::next));
  VKPRIMS_TRY(
      check_enum("nearest_smaller", "compare", desc.compare, NearestCompare::greater_equal));
  VKPRIMS_TRY(check_enum("nearest_smaller", "index_width", desc.index_width, IndexWidth::u64));
  VKPRIMS_TRY(check_count("nearest_smaller", desc.count));
  if (desc.index_width == IndexWidth::u32 && desc.count.max > 0xffffffffu) {
    return Status::error(Status::invalid_argument,
                         "nearest_smaller: count.max is %" PRIu64
                         ", must be 0 … 2^32 - 1 with IndexWidth::u32",
                         desc.count.max);
  }
  return {};
}

struct Plan {
  std::uint32_t blocks;          // of a tile
  std::uint32_t workgroup_size;  // of a tile
  std::uint32_t tree_workgroup_size;
  std::uint64_t tile_items;  // at least: a sequence may begin inside of 16 bytes
  std::uint64_t max_tiles;
  std::uint64_t leaves;  // of the tree
  ScratchNeed need;
};

Plan plan_of(const DeviceState& state, const NearestSmallerDesc& desc) {
  const std::uint64_t size = size_of(desc.type);
  Plan plan{};
  plan.workgroup_size = std::min(state.tuning.csr_workgroup_size, VKP_NEAREST_MAX_BLOCKS);
  plan.blocks = VKP_NEAREST_MAX_BLOCKS;
  // Besides these words it needs less than 1 KiB.
  const std::uint32_t shared_bytes = plan.blocks * VKP_NEAREST_SHARED_WORDS * 4;
  if (shared_bytes + 1024 > state.shared_bytes) plan.blocks /= 2;
  plan.tree_workgroup_size = state.largest_workgroup >= 512 ? 512 : 64;  // powers of the fan-out
  const std::uint64_t block_items = VKP_NEAREST_BLOCK_BYTES / size, most_head = 16 / size - 1;
  plan.tile_items = plan.blocks * block_items - most_head;
  plan.max_tiles = ceil_div(desc.count.max, plan.tile_items);
  plan.leaves = plan.max_tiles * (plan.blocks / VKP_NEAREST_GROUP);
  if (plan.max_tiles <= 1) return plan;
  std::uint64_t keys = 0;
  for (std::uint64_t nodes = plan.leaves; keys == 0 || nodes > 1;) {
    nodes = ceil_div(nodes, kFanOut);
    keys += nodes * kFanOut;
  }
  const std::uint64_t record_bytes =
      VKP_NEAREST_HEADER_BYTES + (plan.blocks + plan.blocks / kFanOut) * size + plan.blocks * 4;
  plan.need.bytes =
      VKP_NEAREST_RECORDS_OFFSET + plan.max_tiles * record_bytes + (keys + kFanOut) * size;
  return plan;
}

std::array<Operand, 4> operands_of(const Plan& plan, const NearestSmallerDesc& desc,
                                   const NearestSmallerBuffers& buffers) {
  const std::uint32_t size = size_of(desc.type), index_size = size_of(desc.index_width);
  return {{{"keys", buffers.keys, desc.count.max * size, size, false},
           {"out", buffers.out, desc.count.max * index_size, index_size, true},
           operand_of(desc.count),
           operand_of(buffers.scratch, plan.need)}};
}

// The constants of tiles.comp and finish.comp.
Specialization specialization_of(const NearestSmallerDesc& desc, const Plan& plan) {
  Specialization constants{.workgroup_size = plan.workgroup_size};
  return constants.set(VKP_NEAREST_SPEC_TYPE, static_cast<std::uint32_t>(desc.type))
      .set(VKP_NEAREST_SPEC_COMPARE, static_cast<std::uint32_t>(desc.compare))
      .set(VKP_NEAREST_SPEC_MIRRORED, desc.direction == NearestDirection::next)
      .set(VKP_NEAREST_SPEC_INDEX_WORDS, size_of(desc.index_width) / 4)
      .set(VKP_NEAREST_SPEC_BLOCKS, plan.blocks);
}

// Adds the heights of the tree, whose keys are numbers that are in order already.
Status add_tree(Commands& commands, const NearestSmallerDesc& desc, const Plan& plan,
                abi::NearestSmallerPush push, const Access& scratch) {
  Specialization constants = specialization_of(desc, plan);
  constants.workgroup_size = plan.tree_workgroup_size;
  constants.set(VKP_NEAREST_SPEC_TYPE, 0)
      .set(VKP_NEAREST_SPEC_COMPARE, 0)
      .set(VKP_NEAREST_SPEC_INDEX_WORDS, 1);
  for (std::uint64_t nodes = plan.leaves; nodes > 1;) {
    VKPRIMS_TRY(commands.dispatch(spirv::nearest_smaller_tree(size_of(desc.type) == 8), constants,
                                  push, Grid(ceil_div(nodes, kFanOut * plan.tree_workgroup_size)),
                                  {operand_of(desc.count), scratch}));
    // A workgroup does as many heights as it takes to get from its invocations' nodes to one node.
    for (std::uint32_t width = plan.tree_workgroup_size; width != 0; width /= kFanOut) {
      nodes = ceil_div(nodes, kFanOut);
      ++push.height;
    }
  }
  return {};
}

Status add_nearest_smaller(Commands& commands, const NearestSmallerDesc& desc,
                           const NearestSmallerBuffers& buffers) {
  if (desc.count.max == 0) return {};
  const Plan plan = plan_of(commands.state(), desc);
  const auto [keys, out, count, room] = operands_of(plan, desc, buffers);
  const bool pairs = size_of(desc.type) == 8;
  const Specialization constants = specialization_of(desc, plan);
  Grid tiles(desc.count, plan.tile_items, buffers.scratch);
  abi::NearestSmallerPush push{.key_base = push_u64(keys),
                               .out_base = push_u64(out),
                               .scratch = push_u64(room),
                               .count = push_count(desc.count),
                               .max_tiles = static_cast<std::uint32_t>(plan.max_tiles)};
  const Access scratch = writes(room.address() + VKP_NEAREST_RECORDS_OFFSET,
                                room.need ? room.need - VKP_NEAREST_RECORDS_OFFSET : 0);
  VKPRIMS_TRY(commands.prepare(tiles));
  VKPRIMS_TRY(commands.dispatch(spirv::nearest_smaller_tiles(pairs), constants, push, tiles,
                                {count, keys, scratch, out}));
  if (plan.max_tiles == 1) return {};
  VKPRIMS_TRY(add_tree(commands, desc, plan, push, scratch));
  return commands.dispatch(spirv::nearest_smaller_finish(pairs), constants, push, tiles,
                           {count, keys, scratch, out});
}

}  // namespace

ScratchNeed nearest_smaller_scratch(const Device& device, const NearestSmallerDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return plan_of(*device.state(), desc).need;
}

Status record_nearest_smaller(VkCommandBuffer cmd, const Device& device,
                              const NearestSmallerDesc& desc,
                              const NearestSmallerBuffers& buffers) {
  return record_call("nearest_smaller", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    VKPRIMS_TRY(check_operands("nearest_smaller",
                               operands_of(plan_of(commands.state(), desc), desc, buffers)));
    return add_nearest_smaller(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const NearestSmallerDesc& desc) {
  return warm_up_call("nearest_smaller", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    NearestSmallerDesc any = desc;
    any.count.max = kMaxCount;
    return add_nearest_smaller(commands, any, {});
  });
}

}  // namespace vkprims

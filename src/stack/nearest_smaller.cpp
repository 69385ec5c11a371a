// The host side of the primitive nearest_smaller.
#include "vkprims/nearest_smaller.hpp"

#include <algorithm>
#include <cinttypes>

#include "stack/nearest_smaller/nearest_smaller.abi.h"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/nearest_smaller_finish.hpp"
#include "spirv/nearest_smaller_tiles.hpp"
#include "spirv/nearest_smaller_tree.hpp"
#include "runtime/validate.hpp"
#include "runtime/arithmetic.hpp"

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

struct Shape {
  std::uint32_t blocks;          // of a tile
  std::uint32_t workgroup_size;  // of a tile
  std::uint32_t tree_workgroup_size;
  std::uint64_t tile_items;  // at least: a sequence may begin inside of 16 bytes
  std::uint64_t max_tiles;
  std::uint64_t leaves;  // of the tree
  ScratchNeed need;
};

Shape shape_of(const DeviceState& state, const NearestSmallerDesc& desc) {
  const std::uint64_t size = size_of(desc.type);
  Shape shape{};
  shape.workgroup_size = std::min(state.tuning.csr_workgroup_size, VKP_NEAREST_MAX_BLOCKS);
  shape.blocks = VKP_NEAREST_MAX_BLOCKS;
  // Besides these words it needs less than 1 KiB.
  const std::uint32_t shared_bytes = shape.blocks * VKP_NEAREST_SHARED_WORDS * 4;
  if (shared_bytes + 1024 > state.shared_bytes) shape.blocks /= 2;
  shape.tree_workgroup_size = state.largest_workgroup >= 512 ? 512 : 64;  // powers of the fan-out
  const std::uint64_t block_items = VKP_NEAREST_BLOCK_BYTES / size, most_head = 16 / size - 1;
  shape.tile_items = shape.blocks * block_items - most_head;
  shape.max_tiles = ceil_div(desc.count.max, shape.tile_items);
  shape.leaves = shape.max_tiles * (shape.blocks / VKP_NEAREST_GROUP);
  if (shape.max_tiles <= 1) return shape;
  std::uint64_t keys = 0;
  for (std::uint64_t level = shape.leaves; keys == 0 || level > 1;) {
    level = ceil_div(level, kFanOut);
    keys += level * kFanOut;
  }
  const std::uint64_t record_bytes =
      VKP_NEAREST_HEADER_BYTES + (shape.blocks + shape.blocks / kFanOut) * size + shape.blocks * 4;
  shape.need.bytes =
      VKP_NEAREST_RECORDS_OFFSET + shape.max_tiles * record_bytes + (keys + kFanOut) * size;
  return shape;
}

struct NearestSmallerPipelines {
  VkPipeline tiles = VK_NULL_HANDLE;
  VkPipeline tree = VK_NULL_HANDLE, finish = VK_NULL_HANDLE;  // only if there is more than one tile
};

Status get_pipelines(DeviceState& state, const NearestSmallerDesc& desc, const Shape& shape,
                     bool may_compile, NearestSmallerPipelines& pipelines) {
  Specialization constants{.workgroup_size = shape.workgroup_size};
  const auto own = [&](std::uint32_t constant) -> std::uint32_t& {
    return constants.own[constant - VKP_SPEC_FIRST_OWN];
  };
  own(VKP_NEAREST_SPEC_TYPE) = static_cast<std::uint32_t>(desc.type);
  own(VKP_NEAREST_SPEC_COMPARE) = static_cast<std::uint32_t>(desc.compare);
  own(VKP_NEAREST_SPEC_MIRRORED) = desc.direction == NearestDirection::next;
  own(VKP_NEAREST_SPEC_INDEX_WORDS) = size_of(desc.index_width) / 4;
  own(VKP_NEAREST_SPEC_BLOCKS) = shape.blocks;
  const bool word = size_of(desc.type) == 4;
  const auto get = [&](const Spirv& of_words, const Spirv& of_pairs, VkPipeline& pipeline) {
    return state.pipelines.get(state.vk, word ? of_words : of_pairs, constants, may_compile,
                               pipeline);
  };
  VKPRIMS_TRY(
      get(spirv::nearest_smaller_tiles_word, spirv::nearest_smaller_tiles_pair, pipelines.tiles));
  if (shape.max_tiles <= 1) return {};
  VKPRIMS_TRY(get(spirv::nearest_smaller_finish_word, spirv::nearest_smaller_finish_pair,
                  pipelines.finish));
  // From here on keys are numbers that are in order already.
  own(VKP_NEAREST_SPEC_TYPE) = own(VKP_NEAREST_SPEC_COMPARE) = 0;
  own(VKP_NEAREST_SPEC_INDEX_WORDS) = 1;
  constants.workgroup_size = shape.tree_workgroup_size;
  return get(spirv::nearest_smaller_tree_word, spirv::nearest_smaller_tree_pair, pipelines.tree);
}

}  // namespace

ScratchNeed nearest_smaller_scratch(const Device& device, const NearestSmallerDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return shape_of(*device.state(), desc).need;
}

Status record_nearest_smaller(VkCommandBuffer cmd, const Device& device,
                              const NearestSmallerDesc& desc,
                              const NearestSmallerBuffers& buffers) {
  VKPRIMS_RECORD_CALL("nearest_smaller", cmd, device);
  VKPRIMS_TRY(check_desc(desc));
  DeviceState& state = *device.state();
  const Shape shape = shape_of(state, desc);
  const std::uint32_t size = size_of(desc.type), index_size = size_of(desc.index_width);
  const VkDeviceSize key_bytes = desc.count.max * size, out_bytes = desc.count.max * index_size;
  VKPRIMS_TRY(check_arguments("nearest_smaller", {{"keys", buffers.keys, key_bytes, size, false},
                                                  {"out", buffers.out, out_bytes, index_size, true},
                                                  argument_of(desc.count),
                                                  argument_of(buffers.scratch, shape.need)}));
  if (desc.count.max == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  NearestSmallerPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, desc, shape, may_compile, pipelines));
  OldGrid tiles;
  VKPRIMS_TRY(make_grid(state, desc.count, shape.tile_items, buffers.scratch, may_compile, tiles));
  abi::NearestSmallerPush push{.key_base = push_u64(buffers.keys.address),
                               .out_base = push_u64(buffers.out.address),
                               .scratch = push_u64(buffers.scratch.address),
                               .count = push_count(desc.count),
                               .max_tiles = static_cast<std::uint32_t>(shape.max_tiles)};
  const Access keys = reads(buffers.keys.address, key_bytes);
  const Access out = writes(buffers.out.address, out_bytes);
  const Access scratch =
      writes(buffers.scratch.address + VKP_NEAREST_RECORDS_OFFSET,
             shape.need.bytes ? shape.need.bytes - VKP_NEAREST_RECORDS_OFFSET : 0);
  CommandStream stream(state, cmd);
  stream.dispatch(pipelines.tiles, push, tiles, {reads(desc.count), keys, scratch, out});
  if (shape.max_tiles == 1) return {};
  for (std::uint64_t level = shape.leaves; level > 1;) {
    OldGrid tree;
    tree.groups = ceil_div(level, kFanOut * shape.tree_workgroup_size);
    stream.dispatch(pipelines.tree, push, tree, {reads(desc.count), scratch});
    // A workgroup does as many levels as it takes to get from its invocations' nodes to one node.
    for (std::uint32_t width = shape.tree_workgroup_size; width != 0; width /= kFanOut) {
      level = ceil_div(level, kFanOut);
      ++push.level;
    }
  }
  stream.dispatch(pipelines.finish, push, tiles, {reads(desc.count), keys, scratch, out});
  return {};
}

Status warm_up(const Device& device, const NearestSmallerDesc& desc) {
  VKPRIMS_WARM_UP_CALL("nearest_smaller", device);
  VKPRIMS_TRY(check_desc(desc));
  DeviceState& state = *device.state();
  NearestSmallerDesc any = desc;
  any.index_width = IndexWidth::u64;
  any.count.max = kMaxCount;
  const Shape shape = shape_of(state, any);
  NearestSmallerPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, desc, shape, true, pipelines));
  OldGrid grid;
  return make_grid(state, any.count, shape.tile_items, {}, true, grid);
}

}  // namespace vkprims

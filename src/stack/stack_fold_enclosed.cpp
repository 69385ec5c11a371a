// Folds over what lies between an open and its close: ranges on a tree of folds. See
// shaders/stack/stack_fold/.
#include "spirv/stack_fold_enclosed.hpp"

#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/stack_fold_nodes.hpp"
#include "stack/stack_fold/stack_fold.abi.h"
#include "stack/stack_fold_plan.hpp"
#include "stack/stack_match_plan.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

// Indexed by stack_fold_variant().
constexpr const Spirv* kNodes[] = {&spirv::stack_fold_nodes_u32, &spirv::stack_fold_nodes_f32,
                                   &spirv::stack_fold_nodes_rectangle,
                                   &spirv::stack_fold_nodes_affine};
constexpr const Spirv* kEnclosed[] = {
    &spirv::stack_fold_enclosed_u32, &spirv::stack_fold_enclosed_f32,
    &spirv::stack_fold_enclosed_rectangle, &spirv::stack_fold_enclosed_affine};

StackMatchDesc match_of(const StackFoldDesc& desc) {
  return {.input = desc.input, .count = desc.count};
}

struct Shape {
  VkDeviceSize close_of, nodes, node_bytes;  // places in scratch
  std::uint32_t heights;                     // how many heights of nodes there are
  ScratchNeed need;
};

Shape shape_of(const Device& device, const StackFoldDesc& desc) {
  Shape shape{};
  const std::uint64_t n = desc.count.max;
  if (n == 0) return shape;
  const auto padded = [](VkDeviceSize bytes) { return (bytes + 15) / 16 * 16; };
  shape.close_of = padded(stack_match_scratch(device, match_of(desc)).bytes);
  shape.nodes = shape.close_of + padded(n * 4);
  std::uint64_t below = n;
  while (below > VKP_STACK_FAN_OUT || shape.heights == 0) {
    below = (below + VKP_STACK_FAN_OUT - 1) / VKP_STACK_FAN_OUT;
    shape.node_bytes += below * VKP_STACK_FOLD_ROOM(size_of(desc.monoid) / 4);
    ++shape.heights;
  }
  shape.need.bytes = shape.nodes + shape.node_bytes;
  return shape;
}

struct EnclosedPipelines {
  VkPipeline nodes = VK_NULL_HANDLE, enclosed = VK_NULL_HANDLE;
};

// `words` is the number of words of a value that one load takes.
Status get_pipelines(DeviceState& state, const StackFoldDesc& desc, std::uint32_t words,
                     bool may_compile, EnclosedPipelines& pipelines) {
  Specialization constants{.workgroup_size = state.tuning.csr_workgroup_size,
                           .row_words = words,
                           .op = stack_fold_op(desc.monoid)};
  constants.own[VKP_STACK_SPEC_INPUT - VKP_SPEC_FIRST_OWN] = static_cast<std::uint32_t>(desc.input);
  const std::uint32_t variant = stack_fold_variant(desc.monoid);
  VKPRIMS_TRY(
      state.pipelines.get(state.vk, *kNodes[variant], constants, may_compile, pipelines.nodes));
  return state.pipelines.get(state.vk, *kEnclosed[variant], constants, may_compile,
                             pipelines.enclosed);
}

}  // namespace

ScratchNeed stack_fold_enclosed_scratch(const Device& device, const StackFoldDesc& desc) {
  return shape_of(device, desc).need;
}

Status record_stack_fold_enclosed(VkCommandBuffer cmd, const Device& device,
                                  const StackFoldDesc& desc, const StackFoldBuffers& buffers) {
  DeviceState& state = *device.state();
  const Shape shape = shape_of(device, desc);
  const std::uint64_t n = desc.count.max;
  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  EnclosedPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(
      state, desc, stack_fold_words(desc.monoid, buffers.values.address, buffers.out.address),
      may_compile, pipelines));
  const std::uint64_t group_size = state.tuning.csr_workgroup_size;
  const Scratch& all = buffers.scratch;
  OldGrid nodes, opens;
  VKPRIMS_TRY(
      make_grid(state, desc.count, group_size * VKP_STACK_FAN_OUT, all, may_compile, nodes));
  VKPRIMS_TRY(make_grid(state, desc.count, group_size, all, may_compile, opens));

  // This is the last step that may refuse, so it is rehearsed, and the first to record. Its scratch
  // lies before ours.
  const VkDeviceAddress close_of = all.address + shape.close_of;
  const StackMatchBuffers match{.symbols = buffers.symbols,
                                .closes = buffers.closes,
                                .close_of = {close_of, n * 4},
                                .scratch = {all.buffer, all.offset, all.address, shape.close_of}};
  {
    const Rehearsal rehearsal;
    VKPRIMS_TRY(record_stack_match(cmd, device, match_of(desc), match));
  }
  const CommandStream label(state, cmd);
  VKPRIMS_TRY(record_stack_match(cmd, device, match_of(desc), match));
  // The size of a grid takes the place of that of the matches, which their last command reads.
  VKPRIMS_TRY(record_barrier(cmd, device, BarrierBefore::compute_and_indirect));
  const bool bits = desc.input == StackInput::bits;
  const std::uint32_t head = stack_head(desc.input, buffers.symbols.address);
  const std::uint32_t tag_size = desc.input == StackInput::tags_u8 ? 1 : 4;
  const VkDeviceAddress folds = all.address + shape.nodes;
  abi::StackFoldPush push{.stack = {.symbols = push_u64(buffers.symbols.address - head * tag_size),
                                    .closes = push_u64(buffers.closes.address),
                                    .match = push_u64(close_of),
                                    .count = push_count(desc.count),
                                    .head = head},
                          .values = push_u64(buffers.values.address),
                          .out_base = push_u64(buffers.out.address),
                          .folds = push_u64(folds)};
  const VkDeviceSize in_bytes = stack_symbol_bytes(desc.input, n);
  const VkDeviceSize value_bytes = n * size_of(desc.monoid);
  const Access symbols = reads(buffers.symbols.address, in_bytes);
  const Access closes = reads(buffers.closes.address, bits ? in_bytes : 0);
  const Access values = reads(buffers.values.address, value_bytes);
  const Access out = writes(buffers.out.address, value_bytes);
  CommandStream stream(state, cmd);
  for (push.height = 1; push.height <= shape.heights; ++push.height) {
    stream.dispatch(
        pipelines.nodes, push, nodes,
        {reads(desc.count), symbols, closes, values, out, writes(folds, shape.node_bytes)});
  }
  push.with_open = desc.kind == StackFoldKind::after;
  stream.dispatch(pipelines.enclosed, push, opens,
                  {reads(desc.count), symbols, closes, values, out, reads(folds, shape.node_bytes),
                   reads(close_of, n * 4)});
  return {};
}

Status warm_up_stack_fold_enclosed(const Device& device, const StackFoldDesc& desc) {
  DeviceState& state = *device.state();
  for (const std::uint32_t words : {1u, stack_fold_words(desc.monoid, 0, 0)}) {
    EnclosedPipelines pipelines;
    VKPRIMS_TRY(get_pipelines(state, desc, words, true, pipelines));
  }
  Count any = desc.count;
  any.max = 0xffffffffu;
  OldGrid grid;
  VKPRIMS_TRY(make_grid(state, any, state.tuning.csr_workgroup_size, {}, true, grid));
  return warm_up(device, match_of(desc));
}

}  // namespace vkprims

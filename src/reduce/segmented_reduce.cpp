// The host side of the primitive segmented_reduce.
#include "vkprims/segmented_reduce.hpp"

#include <array>

#include "blocks/fold.hpp"
#include "reduce/segmented.hpp"
#include "reduce/segmented_reduce/segmented_reduce.abi.h"
#include "runtime/push.hpp"
#include "spirv/segmented_reduce_fix_up.hpp"
#include "spirv/segmented_reduce_tiles.hpp"

namespace vkprims {
namespace {

Status check_desc(const DeviceState& state, const SegmentedReduceDesc& desc) {
  VKPRIMS_TRY(check_fold("segmented_reduce", state, fold_of(desc)));
  VKPRIMS_TRY(check_no_conversion("segmented_reduce", fold_of(desc)));
  VKPRIMS_TRY(check_enum("segmented_reduce", "offset_width", desc.offset_width, IndexWidth::u64));
  VKPRIMS_TRY(check_count("segmented_reduce", desc.count));
  VKPRIMS_TRY(check_count("segmented_reduce", desc.value_count, "value_count"));
  return check_value("segmented_reduce", "initial", desc.initial, fold_of(desc));
}

SegmentedPlan plan_of(const DeviceState& state, const SegmentedReduceDesc& desc) {
  return segmented_plan(state, fold_of(desc).words(), desc.count, desc.value_count);
}

std::array<Operand, 6> operands_of(const SegmentedPlan& plan, const SegmentedReduceDesc& desc,
                                   const SegmentedReduceBuffers& buffers) {
  const Fold fold = fold_of(desc);
  const std::uint32_t size = fold.bytes(), offset_size = size_of(desc.offset_width);
  const std::uint64_t n = desc.count.max;
  return {{{"values", buffers.values, desc.value_count * size, fold.alignment(), false, "",
            "value_count"},
           {"offsets", buffers.offsets, (n + 1) * offset_size, offset_size, false, "", "count + 1"},
           {"out", buffers.out, n * size, fold.alignment(), true},
           operand_of(desc.count),
           operand_of("initial", desc.initial, size),
           operand_of(buffers.scratch, plan.need)}};
}

Status add_segmented_reduce(Commands& commands, const SegmentedReduceDesc& desc,
                            const SegmentedReduceBuffers& buffers) {
  const SegmentedPlan plan = plan_of(commands.state(), desc);
  const auto [values, offsets, out, count, initial, scratch] = operands_of(plan, desc, buffers);
  Specialization constants = segmented_specialization(plan, desc.offset_width);
  const Fold fold = fold_of(desc);
  constants.op = fold.operator_constant();
  const FoldType type = fold_type(desc.type);
  const Spirv *tiles = nullptr, *fix_up = nullptr;
  VKPRIMS_TRY(find_kernel("segmented_reduce", fold, MonoidKernel::segmented_reduce_tiles,
                          spirv::segmented_reduce_tiles(type), tiles));
  VKPRIMS_TRY(find_kernel("segmented_reduce", fold, MonoidKernel::segmented_reduce_fix_up,
                          spirv::segmented_reduce_fix_up(type), fix_up));
  const abi::SegmentedReducePush push{.value_base = push_u64(values),
                                      .offset_base = push_u64(offsets),
                                      .out_base = push_u64(out),
                                      .scratch = push_u64(scratch),
                                      .count = push_count(desc.count),
                                      .value_count = push_u64(desc.value_count),
                                      .max_tiles = static_cast<std::uint32_t>(plan.max_tiles),
                                      .has_initial = desc.initial.given(),
                                      .initial = push_element(desc.initial, fold)};
  return add_segmented(commands, plan, *tiles, *fix_up, constants,
                       {offsets, desc.count, desc.value_count, buffers.scratch}, push,
                       {count, initial, values, offsets, writes_header(plan, buffers.scratch),
                        writes_records(plan, buffers.scratch), out});
}

}  // namespace

ScratchNeed segmented_reduce_scratch(const Device& device, const SegmentedReduceDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return plan_of(*device.state(), desc).need;
}

Status record_segmented_reduce(VkCommandBuffer cmd, const Device& device,
                               const SegmentedReduceDesc& desc,
                               const SegmentedReduceBuffers& buffers) {
  return record_call("segmented_reduce", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    if (desc.count.max == 0) return Status();
    VKPRIMS_TRY(check_operands("segmented_reduce",
                               operands_of(plan_of(commands.state(), desc), desc, buffers)));
    return add_segmented_reduce(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const SegmentedReduceDesc& desc) {
  return warm_up_call("segmented_reduce", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    for (const std::uint64_t count : segmented_counts(commands.state(), fold_of(desc).words())) {
      SegmentedReduceDesc any = desc;
      any.count.max = any.value_count = count;
      VKPRIMS_TRY(add_segmented_reduce(commands, any, {}));
    }
    return Status();
  });
}

}  // namespace vkprims

// The host side of the primitive spmv.
#include "vkprims/spmv.hpp"

#include <array>

#include "blocks/indexed.hpp"
#include "reduce/segmented.hpp"
#include "reduce/spmv/spmv.abi.h"
#include "runtime/push.hpp"
#include "spirv/spmv_fix_up.hpp"
#include "spirv/spmv_tiles.hpp"

namespace vkprims {
namespace {

Status check_desc(const DeviceState& state, const SpmvDesc& desc) {
  VKPRIMS_TRY(check_type("spmv", state, desc.type));
  if (desc.type != Type::f32 && desc.type != Type::f64) {
    return Status::error(Status::invalid_argument, "spmv: type is %s, must be f32 or f64",
                         name_of(desc.type));
  }
  VKPRIMS_TRY(check_enum("spmv", "offset_width", desc.offset_width, IndexWidth::u64));
  VKPRIMS_TRY(check_enum("spmv", "out_of_range", desc.out_of_range, OutOfRange::clamp));
  if (desc.out_of_range == OutOfRange::fill) {
    return Status::error(Status::invalid_argument,
                         "spmv: out_of_range is fill (2), must be unchecked, skip or clamp");
  }
  VKPRIMS_TRY(check_count("spmv", desc.count));
  VKPRIMS_TRY(check_count("spmv", desc.value_count, "value_count"));
  VKPRIMS_TRY(check_count("spmv", desc.x_count, "x_count"));
  VKPRIMS_TRY(check_value("spmv", "alpha", desc.alpha, desc.type));
  return check_value("spmv", "beta", desc.beta, desc.type);
}

SegmentedPlan plan_of(const DeviceState& state, const SpmvDesc& desc) {
  return segmented_plan(state, size_of(desc.type) / 4, desc.count, desc.value_count,
                        kSpmvLaneItems);
}

// Whether the columns of each cell of values are aligned to their joint size.
bool is_aligned(std::uint32_t size, VkDeviceAddress values, VkDeviceAddress columns) {
  const std::uint32_t cell_items = 16 / size;
  return (columns - values % 16 / size * 4) % (4 * cell_items) == 0;
}

std::array<Operand, 10> operands_of(const SegmentedPlan& plan, const SpmvDesc& desc,
                                    const SpmvBuffers& buffers) {
  const std::uint32_t size = size_of(desc.type), offset_size = size_of(desc.offset_width);
  const std::uint64_t n = desc.count.max, values = desc.value_count;
  return {{{"values", buffers.values, values * size, size, false, "", "value_count"},
           {"columns", buffers.columns, values * 4, 4, false, "", "value_count"},
           {"offsets", buffers.offsets, (n + 1) * offset_size, offset_size, false, "", "count + 1"},
           {"x", buffers.x, desc.x_count * size, size, false, "", "x_count"},
           {"y", buffers.y, n * size, size, true},
           operand_of_report(buffers.report),
           operand_of(desc.count),
           operand_of("alpha", desc.alpha, size),
           operand_of("beta", desc.beta, size),
           operand_of(buffers.scratch, plan.need)}};
}

Status add_spmv(Commands& commands, const SpmvDesc& desc, const SpmvBuffers& buffers) {
  const SegmentedPlan plan = plan_of(commands.state(), desc);
  const auto [values, columns, offsets, x, y, report, count, alpha, beta, scratch] =
      operands_of(plan, desc, buffers);
  const std::uint32_t size = size_of(desc.type);
  const bool wide = desc.type == Type::f64;
  Specialization constants = segmented_specialization(plan, desc.offset_width);
  constants.row_words = is_aligned(size, values.address(), columns.address()) ? 4 : 1;
  constants.set(VKP_SPMV_SPEC_OUT_OF_RANGE, static_cast<std::uint32_t>(desc.out_of_range));
  // Without columns all products count as 0, but something is read, which is then the first value.
  const abi::SpmvPush push{.value_base = push_u64(values),
                           .column_base = push_u64(columns),
                           .offset_base = push_u64(offsets),
                           .x_base = push_u64(desc.x_count ? x : values),
                           .y_base = push_u64(y),
                           .report = push_u64(report),
                           .scratch = push_u64(scratch),
                           .count = push_count(desc.count),
                           .value_count = push_u64(desc.value_count),
                           .x_count = push_u64(desc.x_count),
                           .max_tiles = static_cast<std::uint32_t>(plan.max_tiles),
                           .alpha = push_value(desc.alpha, desc.type, 1),
                           .beta = push_value(desc.beta, desc.type)};
  return add_segmented(
      commands, plan, spirv::spmv_tiles(wide), spirv::spmv_fix_up(wide), constants,
      {offsets, desc.count, desc.value_count, buffers.scratch}, push,
      {count, alpha, beta, values, columns, offsets, x, writes_header(plan, buffers.scratch),
       writes_records(plan, buffers.scratch), y, report});
}

}  // namespace

ScratchNeed spmv_scratch(const Device& device, const SpmvDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return plan_of(*device.state(), desc).need;
}

Status record_spmv(VkCommandBuffer cmd, const Device& device, const SpmvDesc& desc,
                   const SpmvBuffers& buffers) {
  return record_call("spmv", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    VKPRIMS_TRY(check_report("spmv", buffers.report, desc.out_of_range));
    if (desc.count.max == 0) return Status();
    VKPRIMS_TRY(
        check_operands("spmv", operands_of(plan_of(commands.state(), desc), desc, buffers)));
    return add_spmv(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const SpmvDesc& desc) {
  return warm_up_call("spmv", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    for (const std::uint64_t count : segmented_counts(commands.state(), size_of(desc.type) / 4)) {
      SpmvDesc any = desc;
      any.count.max = any.value_count = count;
      for (const VkDeviceAddress columns : {0, 4}) {
        VKPRIMS_TRY(add_spmv(commands, any, {.columns = {columns}}));
      }
    }
    return Status();
  });
}

}  // namespace vkprims

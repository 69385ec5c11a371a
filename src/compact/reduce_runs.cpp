#include "compact/reduce_runs.hpp"

#include "blocks/alone.hpp"
#include "blocks/lookback.hpp"
#include "blocks/operators.hpp"
#include "compact/reduce_by_key/reduce_by_key.abi.h"
#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "runtime/tuning.hpp"
#include "spirv/reduce_by_key_fold.hpp"
#include "spirv/reduce_by_key_look_back.hpp"
#include "spirv/reduce_by_key_reduce.hpp"

namespace vkprims {
namespace {

// How a descriptor is carried out on a device.
struct Plan {
  ScanPath path;
  StageTile tile;
  std::uint64_t items;  // in a tile at least, as a sequence may begin inside a cell
  std::uint64_t max_tiles;
  VkDeviceSize state_offset;  // in scratch, behind what an indirect grid needs
  ScratchNeed need;
};

Plan plan_of(const DeviceState& state, const RunSums& sums, VkDeviceAddress in) {
  const Count& count = sums.values.count;
  const std::uint32_t size = fold_of(sums.values).bytes();
  const std::uint32_t words = VKP_REDUCE_BY_KEY_STATE_WORDS(size / 4);
  Plan plan{};
  const auto set_tile = [&](const StageTile& tile) {
    plan.tile = tile;
    plan.items = tile.items - (size <= 8 ? 16 / size - 1 : 0);
  };
  plan.path = scan_path(state.tuning, sums.values);
  if (plan.path == ScanPath::alone || count.max == 0) {
    // Runs are only counted row by row; folding takes fewer rows and more invocations.
    const std::uint32_t size_wanted = alone_workgroup(state) * (sums.ones ? 1 : 2);
    const StageTile several =
        stage_tile(state, size, std::min(state.largest_workgroup, size_wanted),
                   sums.ones ? kAloneRows : kAloneRows / 2, 1);
    const std::uint64_t head = size <= 8 && !sums.ones ? in % 16 / size : 0;
    const std::uint64_t cells = ceil_div(count.max + head, std::uint64_t{cell_items(size / 4)});
    const AloneShape shape = alone_shape(state, {several.workgroup_size, several.rows}, cells, 1);
    if (shape.groups != 0) {
      plan.path = ScanPath::alone;
      plan.tile = {shape.workgroup_size, shape.rows, 1, 0};
      plan.max_tiles = 1;
      return plan;
    }
    plan.path = path_of_many(sums.values);
  }
  const auto tiles_of = [&](std::uint64_t n) {
    set_tile(run_tile(state, sums.key, size, sums.ones,
                      plan.path == ScanPath::look_back ? n : kMaxCount));
    return ceil_div(n, plan.items);
  };
  // Scratch must not shrink where tiles grow.
  const std::uint64_t small_tiles =
      tiles_of(std::min<std::uint64_t>(count.max, state.tuning.small_count));
  plan.max_tiles = tiles_of(count.max);
  plan.state_offset = grid_is_indirect(count, plan.items) ? kGridScratchBytes : 0;
  plan.need.bytes = plan.state_offset;
  if (plan.path == ScanPath::look_back) {
    plan.need.bytes += lookback_bytes(std::max(plan.max_tiles, small_tiles), words);
  } else {
    plan.need.bytes += VKP_REDUCE_BY_KEY_TILES_OFFSET + plan.max_tiles * words * 4;
  }
  return plan;
}

Specialization specialization_of(const RunSums& sums, const Plan& plan) {
  Specialization constants{.workgroup_size = plan.tile.workgroup_size,
                           .rows = plan.tile.rows,
                           .op = fold_of(sums.values).operator_constant()};
  constants.set(VKP_SCAN_SPEC_COMMUTES, fold_of(sums.values).commutes());
  constants.set(VKP_SCAN_SPEC_BATCHES, plan.tile.batches);
  constants.set(VKP_SEGMENTS_SPEC_HEADS,
                static_cast<std::uint32_t>(heads_of(sums.key, sums.float_order)));
  const bool narrow = !sums.wide && sums.values.count.max <= 0xffffffffu;
  constants.set(VKP_RUNS_SPEC, (sums.ones ? VKP_RUNS_ONES : 0) | (narrow ? VKP_RUNS_NARROW : 0));
  return constants;
}

struct Operands {
  Operand keys, in, out_keys, out, run_count, count;
};

Operands operands_of(const RunSums& sums, const RunSumsBuffers& b) {
  const Fold fold = fold_of(sums.values);
  const std::uint32_t size = fold.bytes(), key_size = size_of(sums.key);
  const std::uint64_t n = sums.values.count.max;
  return {.keys = {b.keys_name, b.keys, n * key_size, key_size, false},
          .in = {"in", b.in, sums.ones ? 0 : n * size, fold.alignment(), false},
          .out_keys = {b.out_keys_name, b.out_keys, b.out_keys.address ? n * key_size : 0, key_size,
                       true},
          .out = {b.out_name, b.out, n * size, fold.alignment(), true},
          .run_count = operand_of_u64("run_count", b.run_count),
          .count = operand_of(sums.values.count)};
}

}  // namespace

StageTile run_tile(const DeviceState& state, Type key, std::uint32_t bytes, bool ones,
                   std::uint64_t count) {
  const Tuning t = tuning_for(state.tuning, count);
  // Keys that are larger than values take twice the registers of these.
  const std::uint32_t share = size_of(key) > bytes ? 2 : 1;
  const std::uint32_t rows = ones ? t.run_rows : t.key_rows;
  return stage_tile(state, bytes, ones ? t.scan_workgroup_size : t.key_workgroup_size,
                    (rows + share - 1) / share, ones ? t.run_batches : t.key_batches);
}

Status check_run_sums(const DeviceState& state, const RunSums& sums) {
  VKPRIMS_TRY(check_enum(sums.primitive, "key", sums.key, Type::f64));
  VKPRIMS_TRY(check_enum(sums.primitive, "float_order", sums.float_order, FloatOrder::by_bits));
  VKPRIMS_TRY(check_no_conversion(sums.primitive, fold_of(sums.values)));
  return check_scan_desc(sums.primitive, state, sums.values);
}

ScratchNeed run_sums_scratch(const DeviceState& state, const RunSums& sums) {
  return plan_of(state, sums, kWorstAddress).need;
}

Status check_buffers(const DeviceState& state, const RunSums& sums, const RunSumsBuffers& b) {
  const Operands x = operands_of(sums, b);
  return check_operands(sums.primitive,
                        {x.keys, x.in, x.out_keys, x.out, x.run_count, x.count,
                         operand_of(b.scratch, plan_of(state, sums, b.in.address).need)});
}

Status add_run_sums(Commands& commands, const RunSums& sums, const RunSumsBuffers& b) {
  const DeviceState& state = commands.state();
  const Plan plan = plan_of(state, sums, b.in.address);
  const Operands x = operands_of(sums, b);
  const Fold fold = fold_of(sums.values);
  const FoldType type = fold_type(sums.values.type);
  const bool alone = plan.path == ScanPath::alone;
  const Scratch states = part_of(b.scratch, plan.state_offset);
  const VkDeviceSize state_bytes = plan.need.bytes - plan.state_offset;
  const Access states_access = writes(states.address, state_bytes);
  Specialization constants = specialization_of(sums, plan);
  const abi::ReduceByKeyPush push{.keys = push_u64(x.keys),
                                  .out_keys = push_u64(x.out_keys),
                                  .in_base = push_u64(sums.ones ? 0 : x.in.address()),
                                  .out_base = push_u64(x.out),
                                  .count_base = push_u64(x.run_count),
                                  .scratch = push_u64(alone ? 0 : states.address),
                                  .count = push_count(sums.values.count)};

  Grid grid(1);
  if (!alone) {
    grid = Grid(sums.values.count, plan.items, b.scratch);
    VKPRIMS_TRY(commands.prepare(grid));
    VKPRIMS_TRY(commands.fill(states, 0, plan.path == ScanPath::look_back ? state_bytes : 4, 0,
                              beside(grid)));
  }
  const Spirv* spirv = nullptr;
  const Access accesses[] = {x.count, x.keys, x.in, states_access, x.out_keys, x.out, x.run_count};
  if (plan.path == ScanPath::look_back) {
    constants.lookback = lookback_constants(state, false);
    const bool wide = lookback_is_wide(state);
    VKPRIMS_TRY(find_kernel(sums.primitive, fold, MonoidKernel::reduce_by_key_look_back_word32,
                            wide, spirv::reduce_by_key_look_back(type, wide), spirv));
    return commands.dispatch(*spirv, constants, push, grid, accesses);
  }
  if (plan.path == ScanPath::multi_pass) {
    VKPRIMS_TRY(find_kernel(sums.primitive, fold, MonoidKernel::reduce_by_key_fold,
                            spirv::reduce_by_key_fold(type), spirv));
    VKPRIMS_TRY(
        commands.dispatch(*spirv, constants, push, grid, {x.count, x.keys, x.in, states_access}));
  }
  VKPRIMS_TRY(find_kernel(sums.primitive, fold, MonoidKernel::reduce_by_key_reduce,
                          spirv::reduce_by_key_reduce(type), spirv));
  return commands.dispatch(*spirv, constants, push, grid, accesses);
}

Status warm_up_run_sums(Commands& commands, const RunSums& sums) {
  // The counts stand for one workgroup, for small tiles, and for large tiles with counts that fit
  // into 32 bits and with larger ones.
  constexpr std::uint64_t kMostNarrow = 0xffffffffu;
  const std::uint32_t size = fold_of(sums.values).bytes();
  const auto [one, few, most_alone] =
      alone_counts(commands.state(), cell_items(size / 4),
                   std::max(commands.tuning().single_scan_bytes / size, 1u));
  for (const std::uint64_t count :
       {one, few, most_alone, std::uint64_t{commands.tuning().small_count}, kMostNarrow,
        kMaxCount}) {
    RunSums any = sums;
    any.values.count.max = count;
    VKPRIMS_TRY(add_run_sums(commands, any, {}));
  }
  return {};
}

}  // namespace vkprims

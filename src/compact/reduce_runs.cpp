#include "compact/reduce_runs.hpp"

#include "blocks/lookback.hpp"
#include "blocks/operators.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "compact/reduce_by_key/reduce_by_key.abi.h"
#include "spirv/reduce_by_key_fold.hpp"
#include "spirv/reduce_by_key_look_back.hpp"
#include "spirv/reduce_by_key_reduce.hpp"
#include "runtime/tuning.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

constexpr const Spirv* kLookBack[2][kFoldTypes] = {
    {&spirv::reduce_by_key_look_back_u32_word32, &spirv::reduce_by_key_look_back_f32_word32,
     &spirv::reduce_by_key_look_back_u64_word32, &spirv::reduce_by_key_look_back_f64_word32},
    {&spirv::reduce_by_key_look_back_u32_word64, &spirv::reduce_by_key_look_back_f32_word64,
     &spirv::reduce_by_key_look_back_u64_word64, &spirv::reduce_by_key_look_back_f64_word64}};
constexpr const Spirv* kFold[kFoldTypes] = {
    &spirv::reduce_by_key_fold_u32, &spirv::reduce_by_key_fold_f32, &spirv::reduce_by_key_fold_u64,
    &spirv::reduce_by_key_fold_f64};
constexpr const Spirv* kReduce[kFoldTypes] = {
    &spirv::reduce_by_key_reduce_u32, &spirv::reduce_by_key_reduce_f32,
    &spirv::reduce_by_key_reduce_u64, &spirv::reduce_by_key_reduce_f64};

// How a descriptor is carried out on a device.
struct Shape {
  ScanPath path;
  StageTile tile;
  std::uint64_t items;  // in a tile at least, as a sequence may begin inside a cell
  std::uint64_t max_tiles;
  VkDeviceSize state_offset;  // in scratch, behind what an indirect grid needs
  ScratchNeed need;
};

Shape shape_of(const DeviceState& state, const RunSums& sums) {
  const Count& count = sums.values.count;
  const std::uint32_t words = VKP_REDUCE_BY_KEY_STATE_WORDS(size_of(sums.values.type) / 4);
  Shape shape{};
  const auto set_tile = [&](const StageTile& tile) {
    shape.tile = tile;
    shape.items = tile.items - (16 / size_of(sums.values.type) - 1);
  };
  set_tile(stage_tile(state, size_of(sums.values.type), state.largest_workgroup, 2, 8));
  shape.path = scan_path(state.tuning, sums.values);
  if (shape.path == ScanPath::one_group || count.max == 0) {
    if (count.max <= shape.items) {
      shape.path = ScanPath::one_group;
      shape.max_tiles = 1;
      return shape;
    }
    const bool repeats = sums.values.determinism == Determinism::run_to_run;
    shape.path = repeats ? ScanPath::multi_pass : ScanPath::look_back;
  }
  const auto tiles_of = [&](std::uint64_t n) {
    set_tile(run_tile(state, sums.key, sums.values.type, sums.ones,
                      shape.path == ScanPath::look_back ? n : kMaxCount));
    return (n + shape.items - 1) / shape.items;
  };
  // Scratch must not shrink where tiles grow.
  const std::uint64_t small_tiles =
      tiles_of(std::min<std::uint64_t>(count.max, state.tuning.small_count));
  shape.max_tiles = tiles_of(count.max);
  shape.state_offset = grid_is_indirect(count, shape.items) ? kGridScratchBytes : 0;
  shape.need.bytes = shape.state_offset;
  if (shape.path == ScanPath::look_back) {
    shape.need.bytes += lookback_bytes(std::max(shape.max_tiles, small_tiles), words);
  } else {
    shape.need.bytes += VKP_REDUCE_BY_KEY_TILES_OFFSET + shape.max_tiles * words * 4;
  }
  return shape;
}

struct RunPipelines {
  VkPipeline fold = VK_NULL_HANDLE;  // for the schedule in two dispatches only
  VkPipeline reduce = VK_NULL_HANDLE;
};

Status get_pipelines(DeviceState& state, const RunSums& sums, const Shape& shape, bool may_compile,
                     RunPipelines& pipelines) {
  const FoldType type = fold_type(sums.values.type);
  Specialization constants{.workgroup_size = shape.tile.workgroup_size,
                           .rows = shape.tile.rows,
                           .op = fold_operator(sums.values.type, sums.values.op)};
  constants.own[VKP_SCAN_SPEC_COMMUTES - VKP_SPEC_FIRST_OWN] = 1;  // all of vkprims::Op commute
  constants.own[VKP_SCAN_SPEC_BATCHES - VKP_SPEC_FIRST_OWN] = shape.tile.batches;
  constants.own[VKP_SEGMENTS_SPEC_HEADS - VKP_SPEC_FIRST_OWN] =
      static_cast<std::uint32_t>(heads_of(sums.key, sums.float_order));
  const bool narrow = !sums.wide && sums.values.count.max <= 0xffffffffu;
  constants.own[VKP_RUNS_SPEC - VKP_SPEC_FIRST_OWN] =
      (sums.ones ? VKP_RUNS_ONES : 0) | (narrow ? VKP_RUNS_NARROW : 0);
  const Spirv* spirv = kReduce[type];
  if (shape.path == ScanPath::look_back) {
    constants.lookback = lookback_constants(state, false);
    spirv = kLookBack[lookback_is_wide(state)][type];
  }
  VKPRIMS_TRY(state.pipelines.get(state.vk, *spirv, constants, may_compile, pipelines.reduce));
  if (shape.path != ScanPath::multi_pass) return {};
  return state.pipelines.get(state.vk, *kFold[type], constants, may_compile, pipelines.fold);
}

}  // namespace

StageTile run_tile(const DeviceState& state, Type key, Type type, bool ones, std::uint64_t count) {
  const Tuning t = tuning_for(state.tuning, count);
  // Keys that are larger than values take twice the registers of these.
  const std::uint32_t share = size_of(key) > size_of(type) ? 2 : 1;
  const std::uint32_t rows = ones ? t.run_rows : t.key_rows;
  return stage_tile(state, size_of(type), ones ? t.scan_workgroup_size : t.key_workgroup_size,
                    (rows + share - 1) / share, ones ? t.run_batches : t.key_batches);
}

Status check_run_sums(const DeviceState& state, const RunSums& sums) {
  VKPRIMS_TRY(check_enum(sums.primitive, "key", sums.key, Type::f64));
  VKPRIMS_TRY(check_enum(sums.primitive, "float_order", sums.float_order, FloatOrder::by_bits));
  return check_scan_desc(sums.primitive, state, sums.values);
}

ScratchNeed run_sums_scratch(const DeviceState& state, const RunSums& sums) {
  return shape_of(state, sums).need;
}

Status record_run_sums(VkCommandBuffer cmd, DeviceState& state, const RunSums& sums,
                       const RunSumsBuffers& b) {
  const Shape shape = shape_of(state, sums);
  const Count& n = sums.values.count;
  const std::uint32_t size = size_of(sums.values.type), key_size = size_of(sums.key);
  const VkDeviceSize bytes = n.max * size, key_bytes = n.max * key_size;
  const Argument keys{b.keys_name, b.keys, key_bytes, key_size, false};
  const Argument in{"in", b.in, sums.ones ? 0 : bytes, size, false};
  const Argument out_keys{b.out_keys_name, b.out_keys, b.out_keys.address ? key_bytes : 0, key_size,
                          true};
  const Argument out{b.out_name, b.out, bytes, size, true};
  const Argument run_count = argument_of_u64("run_count", b.run_count);
  VKPRIMS_TRY(check_arguments(sums.primitive, {keys, in, out_keys, out, run_count, argument_of(n),
                                               argument_of(b.scratch, shape.need)}));

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  RunPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, sums, shape, may_compile, pipelines));
  OldGrid grid;
  grid.groups = 1;
  if (shape.path != ScanPath::one_group) {
    VKPRIMS_TRY(make_grid(state, n, shape.items, b.scratch, may_compile, grid));
  }
  Scratch states = b.scratch;
  states.offset += shape.state_offset;
  states.address += shape.state_offset;
  const bool alone = shape.path == ScanPath::one_group;
  const abi::ReduceByKeyPush push{.keys = push_u64(b.keys.address),
                                  .out_keys = push_u64(b.out_keys.address),
                                  .in_base = push_u64(sums.ones ? 0 : b.in.address),
                                  .out_base = push_u64(b.out.address),
                                  .count_base = push_u64(b.run_count.address),
                                  .scratch = push_u64(alone ? 0 : states.address),
                                  .count = push_count(n)};
  const VkDeviceSize state_bytes = shape.need.bytes - shape.state_offset;
  const auto access = [](const Argument& a) { return Access{{a.view.address, a.need}, a.writes}; };

  CommandStream stream(state, cmd);
  if (!alone) {
    constexpr Independent kOtherMemory{"the size of the grid lies before the states"};
    stream.prepare(grid);
    stream.fill(states, 0, shape.path == ScanPath::look_back ? state_bytes : 4, 0, &kOtherMemory);
  }
  if (shape.path == ScanPath::multi_pass) {
    stream.dispatch(pipelines.fold, push, grid,
                    {reads(n), access(keys), access(in), writes(states.address, state_bytes)});
  }
  stream.dispatch(pipelines.reduce, push, grid,
                  {reads(n), access(keys), access(in), writes(states.address, state_bytes),
                   access(out_keys), access(out), access(run_count)});
  return {};
}

Status warm_up_run_sums(DeviceState& state, const RunSums& sums) {
  const std::uint64_t small = state.tuning.small_count;
  // The counts stand for one workgroup, for small tiles, and for large tiles with counts that fit
  // into 32 bits and with larger ones.
  constexpr std::uint64_t kMostNarrow = 0xffffffffu;
  for (const std::uint64_t count : {std::uint64_t{1}, small, kMostNarrow, kMaxCount}) {
    RunSums any = sums;
    any.values.count.max = count;
    const Shape shape = shape_of(state, any);
    RunPipelines pipelines;
    VKPRIMS_TRY(get_pipelines(state, any, shape, true, pipelines));
    OldGrid grid;
    VKPRIMS_TRY(make_grid(state, any.values.count, shape.items, {}, true, grid));
  }
  return {};
}

}  // namespace vkprims

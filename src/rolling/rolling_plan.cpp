#include "rolling/rolling_plan.hpp"

#include <algorithm>
#include <utility>

#include "runtime/commands.hpp"
#include "runtime/scratch_layout.hpp"
#include "scan/segment_bits.hpp"

namespace vkprims {
namespace {

// Numbers of invocations, the best first; tile.comp uses no subgroup operations.
constexpr std::uint32_t kTileSizes[] = {128, 256, 64};
// Numbers of invocations for a tile that is as long as a window; steps are at least a subgroup.
constexpr std::uint32_t kSmallestBlock = 128, kLargestBlock = 512, kBlockStep = 64;
// With subgroups of 64, each of 512 invocations has 128 registers (GCN), which is enough only for
// windows of one word.
constexpr std::uint32_t kLargestWideBlock = 256;
// The most such tiles that a workgroup marches over. They are many, so that the first left edge,
// which it reads in addition, does not matter.
constexpr std::uint32_t kMaxBatches = 64;
constexpr std::uint32_t kLevelSize = 128;  // invocations of long windows

// Bytes of shared memory: those of input.glsl and store.glsl, and `more` that the kernel has
// besides.
std::uint32_t shared_bytes(const RollingPlan& plan, const RollingSide& side, std::uint32_t more) {
  const std::uint32_t unit_bytes = plan.is_own() ? 4 : plan.value_bytes;
  const std::uint32_t padding = side.stage_items * unit_bytes / 128 + 1;
  const std::uint32_t valid_words = side.workgroup_size * side.run_items / 32 + 2;
  return (side.stage_items + padding) * plan.value_bytes + 4 * valid_words + more;
}

// Sets `side` to blocks in which each invocation has a run of `run_items` elements. Returns whether
// they fit into shared memory.
bool choose_block(const DeviceState& state, const RollingPlan& plan, std::uint32_t workgroup_size,
                  std::uint32_t run_items, RollingSide& side) {
  side.workgroup_size = workgroup_size;
  side.run_items = run_items;
  side.stage_items = workgroup_size * run_items;
  side.max_runs = 1;
  side.short_window = 0;
  const std::uint32_t partials = 4 * (workgroup_size / 4) * plan.window_bytes;
  return shared_bytes(plan, side, partials) <= state.shared_bytes;
}

// The rows of an invocation, a power of two up to 16. Tests get few, as they want many tiles of few
// elements. Large elements of a monoid get so few that the smallest block fits into shared memory,
// and that they fit into registers.
std::uint32_t wanted_run_items(const DeviceState& state, const RollingPlan& plan) {
  std::uint32_t run_items = state.tuning.rows_per_tile == 1 ? 4 : 8;
  if (!plan.is_own()) return run_items;
  if (plan.value_bytes > 16) run_items /= 2;
  RollingSide block{};
  while (!choose_block(state, plan, kSmallestBlock, run_items, block)) run_items /= 2;
  return run_items;
}

// Chooses a tile for windows of up to half a tile. To have few specializations, there is one for
// windows of up to 64 elements, and one for each power of 4 above. For a monoid they begin at 32,
// for which there is room in 16 KB whatever the elements: choose_edges() needs longer windows, as
// its tiles are not longer and have whole words of validity.
bool choose_tile(const DeviceState& state, const RollingPlan& plan, RollingSide& side) {
  side.path = RollingPath::tile;
  side.run_items = wanted_run_items(state, plan);
  side.batches = 1;
  side.short_window = side.window < side.run_items ? static_cast<std::uint32_t>(side.window) : 0;
  for (const std::uint32_t workgroup_size : kTileSizes) {
    side.workgroup_size = workgroup_size;
    side.tile_items = side.workgroup_size * side.run_items;
    if (side.workgroup_size > state.largest_workgroup || side.window > side.tile_items / 2)
      continue;
    std::uint32_t longest = plan.is_own() ? 32 : 64;
    while (longest < side.window) longest *= 4;
    if (side.short_window) longest = 2 * side.run_items;
    const std::uint32_t runs = side.workgroup_size + longest / side.run_items + 1;
    side.max_runs = side.short_window ? 1 : runs;
    side.stage_items = runs * side.run_items;
    const std::uint32_t folds = 3 * side.max_runs * plan.window_bytes;
    if (shared_bytes(plan, side, folds) <= state.shared_bytes) return true;
  }
  return false;
}

// Whether an invocation has twice as many elements of an edge as of a tile. With 16 elements, sums
// of f64 take so many registers that an H200 has room for one workgroup only: 5.4 ms instead of
// 4.9. Counted values of 8 bytes do not fit into AMD's registers; elsewhere windows of 3,000 of
// them, 10^9 rows, take 10.4 ms instead of 14.1 where rows may be null, so that each tile is one of
// its own, and 16.0 instead of 12.2 where a workgroup marches.
bool has_long_runs(const RollingPlan& plan, bool out_validity, bool wide) {
  if (plan.value_bytes == 4) return plan.window_bytes <= 16;
  if (plan.variant == RollingVariant::pair) return true;
  return out_validity && !wide && !plan.is_own() && plan.window_bytes == 16;
}

bool choose_edges(const DeviceState& state, const RollingPlan& plan, const Count& count,
                  RollingSide& side) {
  const bool out_validity = side.flags & VKP_ROLLING_OUT_VALIDITY;
  side.path = RollingPath::edges;
  const bool wide = state.subgroup_size >= 64 && plan.window_bytes > 4;
  const std::uint32_t run_items =
      (has_long_runs(plan, out_validity, wide) ? 2 : 1) * wanted_run_items(state, plan);
  const std::uint32_t step = std::max(kBlockStep, state.subgroup_size);
  const std::uint32_t largest =
      std::min(state.largest_workgroup, wide ? kLargestWideBlock : kLargestBlock);
  for (std::uint32_t workgroup_size = std::max(kSmallestBlock, step); workgroup_size <= largest;
       workgroup_size += step) {
    if (side.window > workgroup_size * run_items) continue;
    if (!choose_block(state, plan, workgroup_size, run_items, side)) return false;
    const auto window = static_cast<std::uint32_t>(side.window);
    // Each word of validity must belong to one workgroup.
    side.tile_items = out_validity ? window / 32 * 32 : window;
    side.batches = 1;
    if (out_validity) return true;
    side.flags |= VKP_ROLLING_MARCHES;
    const std::uint64_t tiles = ceil_div(count.max, window);
    side.batches = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(tiles / state.tuning.max_reduce_groups, 1, kMaxBatches));
    return true;
  }
  return false;
}

void choose_levels(const DeviceState& state, const RollingPlan& plan, RollingSide& side) {
  side.path = RollingPath::levels;
  side.flags |= VKP_ROLLING_MIDDLES;
  // Runs are long, unless windows are large and would take too many registers.
  const std::uint32_t longer = plan.window_bytes <= 8 ? 2 : 1;
  std::uint32_t run_items = longer * wanted_run_items(state, plan);  // a power of two
  while (!choose_block(state, plan, kLevelSize, run_items, side) ||
         side.stage_items > side.window) {
    run_items /= 2;
  }
  side.tile_items = side.stage_items;
  side.batches = 1;
}

void choose_path(const DeviceState& state, const RollingPlan& plan, const RollingDesc& desc,
                 RollingSide& side) {
  // Only the number of elements is asked for, so nothing need be folded.
  if (desc.op == RollingOp::count && plan.variant == RollingVariant::word) {
    const std::uint64_t window = std::exchange(side.window, 1);
    choose_tile(state, plan, side);
    side.window = window;
    return;
  }
  if (choose_tile(state, plan, side)) return;
  if (choose_edges(state, plan, desc.count, side)) return;
  choose_levels(state, plan, side);
}

}  // namespace

RollingVariant rolling_variant(const RollingDesc& desc) {
  if (desc.own) return RollingVariant::own;
  const bool wide = size_of(desc.type) == 8;
  const auto of_width = [](bool is_wide, RollingVariant narrow) {
    return static_cast<RollingVariant>(static_cast<std::uint32_t>(narrow) +
                                       is_wide * kNarrowRollingVariants);
  };
  RollingVariant variant = of_width(wide, RollingVariant::word);
  switch (desc.op) {
    case RollingOp::arg_min:
    case RollingOp::arg_max:
      return of_width(wide, RollingVariant::arg_word);
    case RollingOp::variance:
      return of_width(desc.type != Type::f32, RollingVariant::variance_f32);
    case RollingOp::mean:
      variant = of_width(desc.type != Type::f32, RollingVariant::f32);
      break;
    case RollingOp::sum:
      if (desc.type == Type::f32) variant = RollingVariant::f32;
      if (desc.type == Type::f64) variant = RollingVariant::f64;
      break;
    case RollingOp::count:
      variant = RollingVariant::word;
      break;
    default:
      break;
  }
  if (!desc.nullable && desc.groups.max == 0) return variant;
  return static_cast<RollingVariant>(static_cast<std::uint32_t>(variant) + 2);
}

RollingPlan rolling_plan(const DeviceState& state, const RollingDesc& desc, bool out_validity) {
  RollingPlan plan{.variant = rolling_variant(desc)};
  if (desc.own) {
    plan.value_bytes = desc.own->bytes;
    plan.window_bytes = desc.own->bytes + 8;  // with a number of elements
  } else {
    constexpr std::uint32_t kWords[] = {1, 1, 3, 3, 5, 4, 2, 2, 4, 4, 6, 6};
    plan.value_bytes = plan.module() < kNarrowRollingVariants ? 4 : 8;
    plan.window_bytes = 4 * kWords[plan.module()];
  }
  const bool counts = desc.op == RollingOp::count;
  plan.type = counts ? VKP_ROLLING_NO_INPUT : static_cast<std::uint32_t>(desc.type);
  std::uint32_t input = desc.nullable ? VKP_ROLLING_VALIDITY : 0;
  std::uint32_t results = out_validity ? VKP_ROLLING_OUT_VALIDITY : 0;
  // Values alone have no number with them that says how many there are.
  bool counted = plan.module() % kNarrowRollingVariants >=
                 static_cast<std::size_t>(RollingVariant::counted_word);
  if (desc.own) counted = desc.nullable || desc.groups.max;
  if (desc.own && counted) input |= VKP_ROLLING_COUNTS;
  const bool may_be_empty = desc.preceding < 1 || desc.following < 0;
  if (counted || desc.partial != RollingPartial::keep || desc.min_periods > 1 ||
      (desc.min_periods == 1 && may_be_empty)) {
    results |= VKP_ROLLING_CHECKS_COUNT;
  }
  if (desc.partial == RollingPartial::infinity) results |= VKP_ROLLING_FILLS;
  if (size_of(result_type(desc)) == 8) results |= VKP_ROLLING_OUT_WORDS_2;

  const std::int64_t first = 1 - desc.preceding;
  if (desc.groups.max == 0) {
    const auto window = static_cast<std::uint64_t>(desc.preceding + desc.following);
    plan.sides[plan.side_count++] = {.first = first, .window = window, .flags = input | results};
  } else {
    if (desc.following > 0) {
      plan.sides[plan.side_count++] = {
          .first = 1,
          .window = static_cast<std::uint64_t>(desc.following),
          .flags = input | VKP_ROLLING_GROUPS_RIGHT | VKP_ROLLING_STORES_PART};
      results |= VKP_ROLLING_ADDS_PART;
    }
    plan.sides[plan.side_count++] = {.first = first,
                                     .window = static_cast<std::uint64_t>(desc.preceding),
                                     .flags = input | results | VKP_ROLLING_GROUPS_LEFT};
  }

  bool indirect = desc.groups.max && segment_bits_grid(state.tuning, desc.groups).is_indirect;
  for (std::uint32_t i = 0; i < plan.side_count; ++i) {
    RollingSide& side = plan.sides[i];
    choose_path(state, plan, desc, side);
    // With validity tiles may be smaller than without, but the scratch that is asked for is the
    // same.
    indirect |= grid_is_indirect(desc.count, side.tile_items / 32 * 32);
    if (side.path != RollingPath::levels) continue;
    const std::uint64_t blocks = desc.count.max / side.tile_items + 2;
    plan.level_bytes = std::max(plan.level_bytes, round_up(blocks * plan.window_bytes, 16));
  }
  plan.heads_bytes = desc.groups.max ? mask_bytes(desc.count.max) : 0;
  plan.parts_bytes = plan.side_count == 2 ? desc.count.max * plan.window_bytes : 0;
  ScratchLayout layout;
  if (indirect) layout.take(2 * kGridScratchBytes);
  plan.heads_offset = layout.take(plan.heads_bytes);
  plan.parts_offset = layout.take(plan.parts_bytes);
  plan.levels_offset = layout.take(4 * plan.level_bytes);
  plan.need = layout.need();
  if (desc.count.max == 0) plan.need.bytes = 0;
  return plan;
}

}  // namespace vkprims

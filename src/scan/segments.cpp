#include "scan/segments.hpp"

#include <algorithm>

#include "blocks/alone.hpp"
#include "blocks/lookback.hpp"
#include "blocks/operators.hpp"
#include "runtime/push.hpp"
#include "runtime/tuning.hpp"
#include "runtime/validate.hpp"
#include "spirv/segmented_scan_look_back.hpp"
#include "spirv/segmented_scan_multi_pass_fold.hpp"
#include "spirv/segmented_scan_multi_pass_scan.hpp"

namespace vkprims {
namespace {

// The turns of a row in multi_pass, on a subgroup of 128: the heads of segments go across it as
// well, if a row has any.
constexpr std::uint32_t kRowTurns = 32;

// Gives a scan of few elements, whose first cell has `head` others before them, its shape: one row,
// as rows take long where segments may begin in them. Several workgroups would count heads in
// scratch, and there is none, so there is one then. Returns false if there are too many elements.
bool choose_alone(const DeviceState& state, std::uint32_t head, bool one_group, SegmentScan& scan) {
  constexpr std::uint32_t kMostGroups = 5;
  const std::uint32_t items = cell_items(fold_of(scan.desc).words());
  const std::uint64_t cells = ceil_div(scan.desc.count.max + head, std::uint64_t{items});
  AloneShape shape = alone_shape(state, {alone_workgroup(state), 1}, cells, kMostGroups);
  const bool fits = shape.groups != 0;
  if (one_group && shape.groups != 1) shape = {state.largest_workgroup, 1};
  scan.tile = {shape.workgroup_size, 1, 0};
  scan.rows = shape.rows;
  scan.max_parts = shape.groups;
  return fits;
}

}  // namespace

std::uint32_t segment_rows(const Tuning& tuning, std::uint32_t words, Heads heads) {
  const std::uint32_t rows =
      std::min<std::uint32_t>(tuning.segment_rows, VKP_SEGMENTS_MAX_ROWS(words));
  const bool wide = heads == Heads::keys_8 || heads == Heads::floats_8;
  return wide && words == 1 ? (rows + 1) / 2 : rows;
}

ScanTile segment_tile(const Tuning& tuning, std::uint32_t words, Heads heads) {
  Tuning own = tuning;
  own.scan_rows = segment_rows(tuning, words, heads);
  own.scan_batches = tuning.segment_batches;
  return scan_tile(own, words);
}

SegmentScan segment_scan(const DeviceState& state, const ScanDesc& desc, Heads heads) {
  const std::uint32_t size = fold_of(desc).bytes();
  SegmentScan scan{.desc = desc, .heads = heads};
  scan.path = desc.count.max == 0 ? ScanPath::alone : scan_path(state.tuning, desc);
  // Whether there is scratch must not depend on where elements begin.
  const std::uint32_t most_head = cell_items(size / 4) - 1;
  if (scan.path == ScanPath::alone && !choose_alone(state, most_head, false, scan)) {
    scan.path = path_of_many(desc);
  }
  if (scan.path == ScanPath::alone) return scan;
  const auto parts_of = [&](std::uint64_t n) {
    const bool looks_back = scan.path == ScanPath::look_back;
    const Tuning tuning = tuning_for(state.tuning, looks_back ? n : kMaxCount);
    scan.tile = segment_tile(tuning, size / 4, heads);
    scan.rows = segment_rows(tuning, size / 4, heads);
    return scan_max_tiles(scan.tile, n);
  };
  // Scratch must not shrink where tiles grow.
  const std::uint64_t small_parts =
      parts_of(std::min<std::uint64_t>(desc.count.max, state.tuning.small_count));
  scan.max_parts = parts_of(desc.count.max);
  if (scan.path == ScanPath::look_back) {
    scan.state_offset =
        grid_is_indirect(desc.count, scan_items_per_group(scan.tile)) ? kGridScratchBytes : 0;
    scan.need.bytes =
        scan.state_offset + lookback_bytes(std::max(scan.max_parts, small_parts), size / 4);
  } else {
    scan.max_parts = scan_groups(state.tuning, scan.tile, scan.rows, scan.max_parts, kRowTurns);
    const std::uint64_t strips_per_group = scan.tile.workgroup_size / kSmallestSubgroup;
    scan.need.bytes = VKP_SCAN_FOLDS_OFFSET + scan.max_parts * (1 + strips_per_group) * (size + 4);
  }
  return scan;
}

Grid segment_scan_grid(const SegmentScan& scan, const Scratch& scratch) {
  if (scan.path != ScanPath::look_back) return Grid(scan.max_parts);
  return {scan.desc.count, scan_items_per_group(scan.tile), scratch};
}

Status clear_segment_scan(Commands& commands, const SegmentScan& scan, const Scratch& scratch,
                          const Independent* independent) {
  if (scan.path == ScanPath::alone) return {};
  // In multi_pass only the counters before the folds have to be 0.
  const VkDeviceSize bytes = scan.path == ScanPath::look_back ? scan.need.bytes - scan.state_offset
                                                              : VkDeviceSize{VKP_SCAN_FOLDS_OFFSET};
  return commands.fill(scratch, scan.state_offset, bytes, 0, independent);
}

Status add_segment_scan(Commands& commands, const SegmentScan& plan, const SegmentScanViews& views,
                        const Grid& look_back_grid) {
  const ScanDesc& desc = plan.desc;
  const DeviceState& state = commands.state();
  const Fold fold = fold_of(desc);
  const FoldType type = fold_type(desc.type);
  const std::uint32_t size = fold.bytes();
  const VkDeviceSize bytes = desc.count.max * size;
  const std::uint32_t head = cell_head(views.in.address, size, size / 4);
  SegmentScan scan = plan;
  const bool alone = plan.path == ScanPath::alone;
  const bool in_place = views.in.address == views.out.address;
  if (alone) choose_alone(state, head, in_place || views.head_count.address != 0, scan);
  const bool aligned =
      desc.count.max == 0 || ((views.out.address - head * size) % 16 == 0 &&
                              (!fold.own || (views.in.address - head * size) % 16 == 0));
  const VkDeviceAddress states_address = views.scratch.address + scan.state_offset;
  const abi::SegmentedScanPush push{.in_base = push_u64(views.in.address),
                                    .out_base = push_u64(views.out.address),
                                    .scratch = push_u64(states_address),
                                    .heads = push_u64(views.heads.address),
                                    .head_count = push_u64(views.head_count.address),
                                    .count = push_count(desc.count),
                                    .max_parts = static_cast<std::uint32_t>(scan.max_parts),
                                    .has_initial = desc.initial.given(),
                                    .initial = push_element(desc.initial, fold)};
  Specialization constants = scan_specialization(desc, scan.tile, scan.rows, aligned);
  constants.set(VKP_SEGMENTS_SPEC_HEADS, static_cast<std::uint32_t>(scan.heads))
      .set(VKP_SCAN_SPEC_TOTAL, views.head_count.address != 0)
      .set(VKP_SCAN_SPEC_ALONE, alone);
  const Access in = reads(views.in.address, bytes), out = writes(views.out.address, bytes);
  const Access states = writes(states_address, scan.need.bytes - scan.state_offset);
  const Access heads = reads(views.heads);
  const Access head_count = writes(views.head_count.address, views.head_count.address ? 8 : 0);
  const Operand count = operand_of(desc.count), initial = operand_of("initial", desc.initial, size);

  const Spirv* spirv = nullptr;
  if (scan.path == ScanPath::look_back) {
    constants.lookback = lookback_constants(state, views.in.address == views.out.address);
    const bool wide = lookback_is_wide(state);
    VKPRIMS_TRY(find_kernel(commands.primitive(), fold,
                            MonoidKernel::segmented_scan_look_back_word32, wide,
                            spirv::segmented_scan_look_back(type, wide), spirv));
    return commands.dispatch(*spirv, constants, push, look_back_grid,
                             {count, initial, in, heads, states, out, head_count});
  }
  const Grid grid(scan.max_parts);
  if (scan.path == ScanPath::multi_pass) {
    Specialization folding = constants;
    if (!fold.own) folding.row_words = 4;  // of the output, which this kernel does not write
    VKPRIMS_TRY(find_kernel(commands.primitive(), fold,
                            MonoidKernel::segmented_scan_multi_pass_fold,
                            spirv::segmented_scan_multi_pass_fold(type), spirv));
    VKPRIMS_TRY(
        commands.dispatch(*spirv, folding, push, grid, {count, initial, in, heads, states}));
  }
  VKPRIMS_TRY(find_kernel(commands.primitive(), fold, MonoidKernel::segmented_scan_multi_pass_scan,
                          spirv::segmented_scan_multi_pass_scan(type), spirv));
  return commands.dispatch(*spirv, constants, push, grid,
                           {count, initial, in, heads, states, out, head_count});
}

Status warm_up_segment_scan(Commands& commands, const ScanDesc& desc, Heads heads,
                            bool counts_heads) {
  const VkDeviceAddress aligned = 1 << 20, unaligned = aligned + output_alignment(desc),
                        in = 1 << 21;
  const auto [one, few, most_alone] =
      alone_counts(commands.state(), cell_items(fold_of(desc).words()),
                   std::max(commands.tuning().single_scan_bytes / fold_of(desc).bytes(), 1u));
  // Without elements there is nothing to do except for a count of heads.
  const std::uint64_t least = counts_heads ? 0 : 1;
  for (const std::uint64_t count :
       {least, one, few, most_alone, std::uint64_t{commands.tuning().small_count}, kMaxCount}) {
    ScanDesc any = desc;
    any.count.max = count;
    const SegmentScan scan = segment_scan(commands.state(), any, heads);
    const auto add_at = [&](VkDeviceAddress from, VkDeviceAddress to) {
      SegmentScanViews views{.in = {from}, .out = {to}};
      if (counts_heads) views.head_count = {aligned};
      return add_segment_scan(commands, scan, views, segment_scan_grid(scan, {}));
    };
    VKPRIMS_TRY(add_at(in, aligned));
    VKPRIMS_TRY(add_at(in, unaligned));
    VKPRIMS_TRY(add_at(in, in));
    VKPRIMS_TRY(add_at(unaligned, unaligned));
  }
  return {};
}

}  // namespace vkprims

#include "scan/segments.hpp"

#include <algorithm>

#include "blocks/lookback.hpp"
#include "blocks/operators.hpp"
#include "runtime/push.hpp"
#include "spirv/segmented_scan_multi_pass_fold.hpp"
#include "spirv/segmented_scan_look_back.hpp"
#include "spirv/segmented_scan_multi_pass_scan.hpp"
#include "runtime/tuning.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

constexpr const Spirv* kLookBack[2][kFoldTypes] = {
    {&spirv::segmented_scan_look_back_u32_word32, &spirv::segmented_scan_look_back_f32_word32,
     &spirv::segmented_scan_look_back_u64_word32, &spirv::segmented_scan_look_back_f64_word32},
    {&spirv::segmented_scan_look_back_u32_word64, &spirv::segmented_scan_look_back_f32_word64,
     &spirv::segmented_scan_look_back_u64_word64, &spirv::segmented_scan_look_back_f64_word64}};
constexpr const Spirv* kFoldStrips[kFoldTypes] = {
    &spirv::segmented_scan_multi_pass_fold_u32, &spirv::segmented_scan_multi_pass_fold_f32,
    &spirv::segmented_scan_multi_pass_fold_u64, &spirv::segmented_scan_multi_pass_fold_f64};
constexpr const Spirv* kStrips[kFoldTypes] = {
    &spirv::segmented_scan_multi_pass_scan_u32, &spirv::segmented_scan_multi_pass_scan_f32,
    &spirv::segmented_scan_multi_pass_scan_u64, &spirv::segmented_scan_multi_pass_scan_f64};

// The turns of a row in strips, on a subgroup of 128: the heads of segments go across it as well,
// if a row has any.
constexpr std::uint32_t kRowTurns = 32;

struct SegmentPipelines {
  VkPipeline fold = VK_NULL_HANDLE;
  VkPipeline scan = VK_NULL_HANDLE;
};

Status get_pipelines(DeviceState& state, const SegmentScan& scan, bool in_place, bool aligned,
                     bool may_compile, SegmentPipelines& pipelines) {
  const FoldType type = fold_type(scan.desc.type);
  Specialization constants = scan_specialization(scan.desc, scan.tile, scan.rows, aligned);
  constants.own[VKP_SEGMENTS_SPEC_HEADS - VKP_SPEC_FIRST_OWN] =
      static_cast<std::uint32_t>(scan.heads);
  const Spirv* spirv = kStrips[type];
  if (scan.path == ScanPath::look_back) {
    constants.lookback = lookback_constants(state, in_place);
    spirv = kLookBack[lookback_is_wide(state)][type];
  }
  VKPRIMS_TRY(state.pipelines.get(state.vk, *spirv, constants, may_compile, pipelines.scan));
  if (scan.path != ScanPath::strips) return {};
  constants.row_words = 4;  // of the output, which this kernel does not write
  return state.pipelines.get(state.vk, *kFoldStrips[type], constants, may_compile, pipelines.fold);
}

}  // namespace

std::uint32_t segment_rows(const Tuning& tuning, Type type, Heads heads) {
  const std::uint32_t words = size_of(type) / 4;
  const std::uint32_t rows =
      std::min<std::uint32_t>(tuning.segment_rows, VKP_SEGMENTS_MAX_ROWS(words));
  const bool wide = heads == Heads::keys_8 || heads == Heads::floats_8;
  return wide && words == 1 ? (rows + 1) / 2 : rows;
}

ScanTile segment_tile(const Tuning& tuning, Type type, Heads heads) {
  Tuning own = tuning;
  own.scan_rows = segment_rows(tuning, type, heads);
  own.scan_batches = tuning.segment_batches;
  return scan_tile(own, size_of(type) / 4);
}

SegmentScan segment_scan(const DeviceState& state, const ScanDesc& desc, Heads heads) {
  const std::uint32_t size = size_of(desc.type);
  SegmentScan scan{.desc = desc, .heads = heads, .path = scan_path(state.tuning, desc)};
  const auto parts_of = [&](std::uint64_t n) {
    const bool looks_back = scan.path == ScanPath::look_back;
    const Tuning tuning = tuning_for(state.tuning, looks_back ? n : kMaxCount);
    scan.tile = segment_tile(tuning, desc.type, heads);
    scan.rows = segment_rows(tuning, desc.type, heads);
    return scan_max_tiles(scan.tile, n);
  };
  // Scratch must not shrink where tiles grow.
  const std::uint64_t small_parts =
      parts_of(std::min<std::uint64_t>(desc.count.max, state.tuning.small_count));
  scan.max_parts = parts_of(desc.count.max);
  if (scan.path == ScanPath::one_group) {
    scan.tile.workgroup_size = state.largest_workgroup;
    scan.max_parts = 1;
  } else if (scan.path == ScanPath::look_back) {
    scan.state_offset =
        grid_is_indirect(desc.count, scan_items_per_group(scan.tile)) ? kGridScratchBytes : 0;
    scan.need.bytes =
        scan.state_offset + lookback_bytes(std::max(scan.max_parts, small_parts), size / 4);
  } else {
    scan.max_parts = scan_groups(state.tuning, scan.tile, scan.rows, scan.max_parts, kRowTurns);
    const std::uint64_t strips_per_group = scan.tile.workgroup_size / kSmallestSubgroup;
    scan.need.bytes = VKP_SCAN_FOLDS_OFFSET + scan.max_parts * (1 + strips_per_group) * (size + 4);
  }
  if (desc.count.max == 0) scan.need.bytes = 0;
  return scan;
}

Status SegmentScanCommands::get(DeviceState& state, const SegmentScan& scan,
                                const SegmentScanViews& views, bool may_compile) {
  scan_ = scan;
  views_ = views;
  states_ = views.scratch;
  const std::uint32_t size = size_of(scan.desc.type);
  const std::uint32_t head = cell_head(views.in.address, size, size / 4);
  const bool aligned = (views.out.address - head * size) % 16 == 0;
  const bool in_place = views.in.address == views.out.address;
  SegmentPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, scan, in_place, aligned, may_compile, pipelines));
  fold_ = pipelines.fold;
  pipeline_ = pipelines.scan;
  if (scan.path != ScanPath::look_back) {
    grid_.groups = scan.max_parts;
    return {};
  }
  states_.offset += scan.state_offset;
  states_.address += scan.state_offset;
  return make_grid(state, scan.desc.count, scan_items_per_group(scan.tile), views.scratch,
                   may_compile, grid_);
}

void SegmentScanCommands::clear(CommandStream& stream, const Independent* independent) const {
  if (scan_.path == ScanPath::one_group) return;
  stream.fill(states_, 0,
              scan_.path == ScanPath::strips ? 4 : scan_.need.bytes - scan_.state_offset, 0,
              independent);
}

void SegmentScanCommands::dispatch(CommandStream& stream) const {
  const ScanDesc& desc = scan_.desc;
  const std::uint32_t size = size_of(desc.type);
  const VkDeviceSize bytes = desc.count.max * size;
  const abi::SegmentedScanPush push{.in_base = push_u64(views_.in.address),
                                    .out_base = push_u64(views_.out.address),
                                    .scratch = push_u64(states_.address),
                                    .heads = push_u64(views_.heads.address),
                                    .count = push_count(desc.count),
                                    .max_parts = static_cast<std::uint32_t>(scan_.max_parts),
                                    .has_initial = desc.initial.given(),
                                    .initial = push_value(desc.initial, desc.type)};
  const Access in = reads(views_.in.address, bytes);
  const Access heads = reads(views_.heads.address, views_.heads.bytes);
  const Access states = writes(states_.address, scan_.need.bytes - scan_.state_offset);
  if (scan_.path == ScanPath::strips) {
    stream.dispatch(fold_, push, grid_,
                    {reads(desc.count), reads(desc.initial, size), in, heads, states});
  }
  stream.dispatch(pipeline_, push, grid_,
                  {reads(desc.count), reads(desc.initial, size), in, heads, states,
                   writes(views_.out.address, bytes)});
}

Status warm_up_segment_scan(DeviceState& state, const ScanDesc& desc, Heads heads) {
  const std::uint64_t small = state.tuning.small_count;
  for (const std::uint64_t count : {std::uint64_t{1}, small, kMaxCount}) {
    ScanDesc any = desc;
    any.count.max = count;
    const SegmentScan scan = segment_scan(state, any, heads);
    for (const bool in_place : {false, true}) {
      for (const bool aligned : {false, true}) {
        SegmentPipelines pipelines;
        VKPRIMS_TRY(get_pipelines(state, scan, in_place, aligned, true, pipelines));
      }
    }
    Grid grid;
    VKPRIMS_TRY(make_grid(state, any.count, scan_items_per_group(scan.tile), {}, true, grid));
  }
  return {};
}

}  // namespace vkprims

// The host side of the primitive rolling.
#include "vkprims/rolling.hpp"

#include <bit>
#include <cinttypes>

#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "rolling/rolling_plan.hpp"
#include "scan/segmented_scan/segmented_scan.abi.h"
#include "spirv/rolling_double.hpp"
#include "spirv/rolling_edges.hpp"
#include "spirv/rolling_fold.hpp"
#include "spirv/rolling_tile.hpp"
#include "spirv/segmented_scan_offsets.hpp"
#include "blocks/tile.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

#define VKPRIMS_ROLLING_KERNELS(stage)                                                             \
  {                                                                                                \
    &spirv::rolling_##stage##_word, &spirv::rolling_##stage##_pair, &spirv::rolling_##stage##_f32, \
        &spirv::rolling_##stage##_f64, &spirv::rolling_##stage##_count_word,                       \
        &spirv::rolling_##stage##_count_pair, &spirv::rolling_##stage##_count_f32,                 \
        &spirv::rolling_##stage##_count_f64, &spirv::rolling_##stage##_arg_word,                   \
        &spirv::rolling_##stage##_arg_pair, &spirv::rolling_##stage##_var_f32,                     \
        &spirv::rolling_##stage##_var_f64                                                          \
  }
constexpr const Spirv* kTile[] = VKPRIMS_ROLLING_KERNELS(tile);
constexpr const Spirv* kEdges[] = VKPRIMS_ROLLING_KERNELS(edges);
constexpr const Spirv* kFold[] = VKPRIMS_ROLLING_KERNELS(fold);
constexpr const Spirv* kDouble[] = VKPRIMS_ROLLING_KERNELS(double);
#undef VKPRIMS_ROLLING_KERNELS

bool is_float(Type type) { return type == Type::f32 || type == Type::f64; }
bool gives_index(RollingOp op) { return op == RollingOp::count || op >= RollingOp::arg_min; }

Status check_range(const char* name, std::int64_t value, std::int64_t low, std::uint64_t high) {
  if (value >= low && value <= static_cast<std::int64_t>(high)) return {};
  return Status::error(Status::invalid_argument,
                       "rolling: %s is %" PRId64 ", must be %" PRId64 " … %" PRIu64, name, value,
                       low, high);
}

Status check_limit(const char* name, std::uint64_t value) {
  if (value <= kMaxCount) return {};
  return Status::error(Status::invalid_argument, "rolling: %s is %" PRIu64 ", must be 0 … %" PRIu64,
                       name, value, kMaxCount);
}

Status check_type_of(const DeviceState& state, const RollingDesc& desc) {
  VKPRIMS_TRY(check_type("rolling", desc.type));
  const RollingVariant variant = rolling_variant(desc);
  const bool needs_f64 = variant == RollingVariant::f64 || variant == RollingVariant::counted_f64 ||
                         variant == RollingVariant::variance_f64;
  if (!needs_f64 || state.info.enabled.float64) return {};
  return Status::error(Status::unsupported,
                       "rolling: %s of type %s is computed in f64, but the device was created "
                       "without float64 (shaderFloat64)",
                       name_of(desc.op), name_of(desc.type));
}

Status check_window(const RollingDesc& desc) {
  const auto limit = static_cast<std::int64_t>(kMaxCount);
  const std::int64_t lowest = desc.groups.max ? 1 : -limit;
  VKPRIMS_TRY(check_range("preceding", desc.preceding, lowest, kMaxCount));
  VKPRIMS_TRY(check_range("following", desc.following, lowest == 1 ? 0 : -limit, kMaxCount));
  if (desc.preceding + desc.following >= 1) return {};
  return Status::error(Status::invalid_argument,
                       "rolling: preceding is %" PRId64 " and following is %" PRId64
                       ", their sum must be at least 1",
                       desc.preceding, desc.following);
}

Status check_desc(const DeviceState& state, const RollingDesc& desc) {
  VKPRIMS_TRY(check_enum("rolling", "op", desc.op, RollingOp::arg_max));
  VKPRIMS_TRY(check_enum("rolling", "partial", desc.partial, RollingPartial::infinity));
  VKPRIMS_TRY(check_enum("rolling", "index_width", desc.index_width, IndexWidth::u64));
  VKPRIMS_TRY(check_enum("rolling", "offset_width", desc.offset_width, IndexWidth::u64));
  VKPRIMS_TRY(check_count("rolling", desc.count));
  VKPRIMS_TRY(check_count("rolling", desc.groups, "groups"));
  VKPRIMS_TRY(check_type_of(state, desc));
  VKPRIMS_TRY(check_window(desc));
  VKPRIMS_TRY(check_limit("min_periods", desc.min_periods));
  VKPRIMS_TRY(check_limit("validity_offset", desc.validity_offset));
  if (gives_index(desc.op) && desc.index_width == IndexWidth::u32 && desc.count.max > 0xffffffffu) {
    return Status::error(Status::invalid_argument,
                         "rolling: count.max is %" PRIu64
                         ", must be 0 … 2^32 - 1 with IndexWidth::u32",
                         desc.count.max);
  }
  if (desc.partial == RollingPartial::infinity && !is_float(result_type(desc))) {
    return Status::error(Status::invalid_argument,
                         "rolling: partial is RollingPartial::infinity, but results of %s of %s "
                         "are not floats",
                         name_of(desc.op), name_of(desc.type));
  }
  return {};
}

// The bits that a row gets if its window has too few elements.
std::uint64_t null_value(const RollingDesc& desc) {
  const bool infinite = desc.partial == RollingPartial::infinity;
  switch (result_type(desc)) {
    case Type::f32:
      return infinite ? 0x7f800000 : 0x7fc00000;
    case Type::f64:
      return infinite ? 0x7ff0000000000000 : 0x7ff8000000000000;
    default:
      return gives_index(desc.op) ? ~std::uint64_t{0} : 0;
  }
}

VkDeviceSize bits_bytes(std::uint64_t bits) { return (bits / 32 + (bits % 32 != 0)) * 4; }

// The sizes of the views in bytes.
struct Sizes {
  VkDeviceSize in, out, validity, out_validity, offsets;
};
Sizes sizes_of(const RollingDesc& desc, bool out_validity) {
  const std::uint64_t n = desc.count.max;
  if (n == 0) return {};
  return {.in = desc.op == RollingOp::count ? 0 : n * size_of(desc.type),
          .out = n * size_of(result_type(desc)),
          .validity = desc.nullable ? bits_bytes(desc.validity_offset + n) : 0,
          .out_validity = out_validity ? bits_bytes(n) : 0,
          .offsets = desc.groups.max ? (desc.groups.max + 1) * size_of(desc.offset_width) : 0};
}

Status check_buffers(const RollingDesc& desc, const RollingBuffers& buffers, const Sizes& sizes,
                     const ScratchNeed& need) {
  const auto unused = [](const char* name, const BufferView& view, bool used, const char* why) {
    if (used || view.address == 0) return Status();
    return Status::error(Status::invalid_argument, "rolling: %s is given, but %s", name, why);
  };
  VKPRIMS_TRY(unused("validity", buffers.validity, desc.nullable, "nullable is false"));
  VKPRIMS_TRY(unused("offsets", buffers.offsets, desc.groups.max != 0, "groups is 0"));
  return check_arguments(
      "rolling", {{"in", buffers.in, sizes.in, size_of(desc.type), false},
                  {"out", buffers.out, sizes.out, size_of(result_type(desc)), true},
                  {"validity", buffers.validity, sizes.validity, 4, false},
                  {"out_validity", buffers.out_validity, sizes.out_validity, 4, true},
                  {"offsets", buffers.offsets, sizes.offsets, size_of(desc.offset_width), false, "",
                   "groups + 1"},
                  argument_of(desc.count),
                  desc.groups.max ? argument_of(desc.groups, "groups") : Argument{},
                  argument_of(buffers.scratch, need)});
}

// The number of blocks that a workgroup of double.comp has; there may be one more block than tiles.
std::uint64_t items_per_double(const RollingSide& side) {
  return std::uint64_t{side.tile_items} * (side.workgroup_size - 1);
}

struct SidePipelines {
  VkPipeline last = VK_NULL_HANDLE;                          // tile or edges
  VkPipeline fold = VK_NULL_HANDLE, twice = VK_NULL_HANDLE;  // of levels
};

Status get_pipelines(DeviceState& state, const RollingDesc& desc, const RollingPlan& plan,
                     const RollingSide& side, bool may_compile, SidePipelines& pipelines) {
  Specialization constants{.workgroup_size = side.workgroup_size,
                           .rows = side.chunk,
                           .op = static_cast<std::uint32_t>(desc.op)};
  const auto own = [&](std::uint32_t constant) -> std::uint32_t& {
    return constants.own[constant - VKP_SPEC_FIRST_OWN];
  };
  own(VKP_ROLLING_SPEC_TYPE) = plan.type;
  own(VKP_ROLLING_SPEC_FLAGS) = side.flags;
  own(VKP_ROLLING_SPEC_STAGE) = side.stage_items;
  own(VKP_ROLLING_SPEC_CHUNKS) = side.max_chunks;
  own(VKP_ROLLING_SPEC_WINDOW) = side.short_window;
  const auto get = [&](const Spirv* const* kernels, VkPipeline& pipeline) {
    return state.pipelines.get(state.vk, *kernels[static_cast<std::uint32_t>(plan.variant)],
                               constants, may_compile, pipeline);
  };
  VKPRIMS_TRY(get(side.path == RollingPath::tile ? kTile : kEdges, pipelines.last));
  if (side.path != RollingPath::levels) return {};
  own(VKP_ROLLING_SPEC_FLAGS) &=
      VKP_ROLLING_VALIDITY | VKP_ROLLING_GROUPS_LEFT | VKP_ROLLING_GROUPS_RIGHT;
  VKPRIMS_TRY(get(kFold, pipelines.fold));
  return get(kDouble, pipelines.twice);
}

Status get_heads_pipeline(DeviceState& state, const RollingDesc& desc, bool may_compile,
                          VkPipeline& pipeline) {
  Specialization constants = tile_specialization(state.tuning, 1);
  constants.own[VKP_SEGMENTED_SCAN_SPEC_OFFSET_WORDS - VKP_SPEC_FIRST_OWN] =
      size_of(desc.offset_width) / 4;
  return state.pipelines.get(state.vk, spirv::segmented_scan_offsets, constants, may_compile,
                             pipeline);
}

struct SideGrids {
  OldGrid last, fold, twice;
};
Status make_grids(DeviceState& state, const RollingDesc& desc, const RollingSide& side,
                  const Scratch& scratch, bool may_compile, SideGrids& grids) {
  VKPRIMS_TRY(
      make_grid(state, desc.count, side.items_per_group(), scratch, may_compile, grids.last));
  if (side.path != RollingPath::levels) return {};
  VKPRIMS_TRY(make_grid(state, desc.count, side.tile_items, scratch, may_compile, grids.fold));
  return make_grid(state, desc.count, items_per_double(side), scratch, may_compile, grids.twice);
}

// Everything that is known about a call.
struct Call {
  const RollingDesc& desc;
  const RollingBuffers& buffers;
  const RollingPlan& plan;
  Sizes sizes;

  VkDeviceAddress at(VkDeviceSize offset) const { return buffers.scratch.address + offset; }
  VkDeviceAddress level(std::uint32_t i) const {
    return at(plan.levels_offset + i * plan.level_bytes);
  }
  abi::RollingInput input() const {
    return {.base = push_u64(buffers.in.address),
            .validity = push_u64(buffers.validity.address + desc.validity_offset / 32 * 4),
            .heads = push_u64(at(plan.heads_offset)),
            .count = push_count(desc.count),
            .validity_bit = static_cast<std::uint32_t>(desc.validity_offset % 32)};
  }
  Access reads_in() const { return reads(buffers.in.address, sizes.in); }
  Access reads_validity() const { return reads(buffers.validity.address, sizes.validity); }
  Access reads_heads() const { return reads(at(plan.heads_offset), plan.heads_bytes); }
};

// Records the folds of blocks, and from them the middles of windows.
void dispatch_levels(CommandStream& stream, const Call& call, const RollingSide& side,
                     const SidePipelines& pipelines, const SideGrids& grids) {
  const RollingPlan& plan = call.plan;
  const std::int64_t items = side.tile_items;
  const std::int64_t skipped = side.first < 0 ? -side.first / items : 0;
  const std::uint64_t first = static_cast<std::uint64_t>(side.first + skipped * items);
  const std::uint64_t blocks = side.window / side.tile_items;
  const VkDeviceSize bytes = plan.level_bytes;
  const abi::RollingFoldPush fold{
      .source = call.input(),
      .folds = push_u64(call.level(0)),
      .heads = push_u64(call.level(2)),
      .first = push_u64(first),
      .block_items = side.tile_items,
      .head_items = static_cast<std::uint32_t>(side.window % side.tile_items)};
  stream.dispatch(pipelines.fold, fold, grids.fold,
                  {reads(call.desc.count), call.reads_in(), call.reads_validity(),
                   call.reads_heads(), writes(call.level(0), bytes), writes(call.level(2), bytes)});
  abi::RollingDoublePush twice{
      .heads = push_u64(call.level(2)),
      .middles = push_u64(call.level(3)),
      .count = push_count(call.desc.count),
      .first = push_u64(first),
      .block_shift = static_cast<std::uint32_t>(std::countr_zero(side.tile_items)),
      .skipped = static_cast<std::uint32_t>(skipped),
      .whole = static_cast<std::uint32_t>(blocks - 1)};
  const std::uint64_t longest = std::min(blocks - 1, call.desc.count.max / side.tile_items + 2);
  do {
    const std::uint32_t from = twice.level % 2;
    twice.from = push_u64(call.level(from));
    twice.to = push_u64(call.level(1 - from));
    stream.dispatch(pipelines.twice, twice, grids.twice,
                    {reads(call.desc.count), reads(call.level(from), bytes),
                     writes(call.level(1 - from), bytes), reads(call.level(2), bytes),
                     writes(call.level(3), bytes)});
    ++twice.level;
  } while (longest >> twice.level);
}

void dispatch_side(CommandStream& stream, const Call& call, const RollingSide& side,
                   const SidePipelines& pipelines, const SideGrids& grids) {
  const RollingDesc& desc = call.desc;
  if (side.path == RollingPath::levels) dispatch_levels(stream, call, side, pipelines, grids);
  const std::uint64_t needed = desc.partial == RollingPartial::keep
                                   ? desc.min_periods
                                   : static_cast<std::uint64_t>(desc.preceding + desc.following);
  const VkDeviceAddress parts = call.at(call.plan.parts_offset);
  const abi::RollingPush push{.source = call.input(),
                              .out_base = push_u64(call.buffers.out.address),
                              .out_validity = push_u64(call.buffers.out_validity.address),
                              .parts = push_u64(parts),
                              .middles = push_u64(call.level(3)),
                              .first = push_u64(static_cast<std::uint64_t>(side.first)),
                              .window = push_u64(side.window),
                              .needed = push_u64(needed),
                              .null_value = push_u64(null_value(desc)),
                              .tile_items = side.tile_items,
                              .batches = side.batches,
                              .ddof = desc.ddof};
  const bool stores_part = side.flags & VKP_ROLLING_STORES_PART;
  const VkDeviceSize part_bytes = call.plan.parts_bytes;
  const VkDeviceSize level_bytes = side.path == RollingPath::levels ? call.plan.level_bytes : 0;
  stream.dispatch(
      pipelines.last, push, grids.last,
      {reads(desc.count), call.reads_in(), call.reads_validity(), call.reads_heads(),
       reads(call.level(3), level_bytes),
       stores_part ? writes(parts, part_bytes) : reads(parts, part_bytes),
       writes(call.buffers.out.address, stores_part ? 0 : call.sizes.out),
       writes(call.buffers.out_validity.address, stores_part ? 0 : call.sizes.out_validity)});
}

}  // namespace

ScratchNeed rolling_scratch(const Device& device, const RollingDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return rolling_plan(*device.state(), desc, false).need;
}

Status record_rolling(VkCommandBuffer cmd, const Device& device, const RollingDesc& desc,
                      const RollingBuffers& buffers) {
  VKPRIMS_RECORD_CALL("rolling", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  const bool out_validity = buffers.out_validity.address != 0;
  const RollingPlan plan = rolling_plan(state, desc, out_validity);
  const Call call{desc, buffers, plan, sizes_of(desc, out_validity)};
  VKPRIMS_TRY(check_buffers(desc, buffers, call.sizes, plan.need));
  if (desc.count.max == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  SidePipelines pipelines[2];
  SideGrids grids[2];
  for (std::uint32_t i = 0; i < plan.side_count; ++i) {
    const RollingSide& side = plan.sides[i];
    VKPRIMS_TRY(get_pipelines(state, desc, plan, side, may_compile, pipelines[i]));
    VKPRIMS_TRY(make_grids(state, desc, side, buffers.scratch, may_compile, grids[i]));
  }
  VkPipeline heads_pipeline = VK_NULL_HANDLE;
  OldGrid heads_grid;
  if (desc.groups.max) {
    VKPRIMS_TRY(get_heads_pipeline(state, desc, may_compile, heads_pipeline));
    VKPRIMS_TRY(make_grid(state, desc.groups, rolling_groups_per_workgroup(state.tuning),
                          buffers.scratch, may_compile, heads_grid));
  }

  CommandStream stream(state, cmd);
  if (desc.groups.max) {
    stream.fill(buffers.scratch, plan.heads_offset, plan.heads_bytes, 0);
    const abi::SegmentedScanOffsetsPush push{.offsets = push_u64(buffers.offsets.address),
                                             .bits = push_u64(call.at(plan.heads_offset)),
                                             .segments = push_count(desc.groups),
                                             .count = push_count(desc.count)};
    stream.dispatch(
        heads_pipeline, push, heads_grid,
        {reads(desc.groups), reads(desc.count), reads(buffers.offsets.address, call.sizes.offsets),
         writes(call.at(plan.heads_offset), plan.heads_bytes)});
  }
  for (std::uint32_t i = 0; i < plan.side_count; ++i) {
    dispatch_side(stream, call, plan.sides[i], pipelines[i], grids[i]);
  }
  return {};
}

Status warm_up(const Device& device, const RollingDesc& desc) {
  VKPRIMS_WARM_UP_CALL("rolling", device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  RollingDesc any = desc;
  any.count.max = kMaxCount;
  for (const bool out_validity : {false, true}) {
    const RollingPlan plan = rolling_plan(state, any, out_validity);
    for (std::uint32_t i = 0; i < plan.side_count; ++i) {
      SidePipelines pipelines;
      VKPRIMS_TRY(get_pipelines(state, any, plan, plan.sides[i], true, pipelines));
      SideGrids grids;
      VKPRIMS_TRY(make_grids(state, any, plan.sides[i], {}, true, grids));
    }
  }
  if (desc.groups.max == 0) return {};
  any.groups.max = kMaxCount;
  VkPipeline pipeline;
  VKPRIMS_TRY(get_heads_pipeline(state, any, true, pipeline));
  OldGrid grid;
  return make_grid(state, any.groups, rolling_groups_per_workgroup(state.tuning), {}, true, grid);
}

}  // namespace vkprims

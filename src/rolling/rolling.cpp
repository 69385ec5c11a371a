// The host side of the primitive rolling.
#include "vkprims/rolling.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>

#include "blocks/fold.hpp"
#include "rolling/rolling_plan.hpp"
#include "runtime/arithmetic.hpp"
#include "runtime/commands.hpp"
#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "scan/segment_bits.hpp"
#include "spirv/rolling_double.hpp"
#include "spirv/rolling_edges.hpp"
#include "spirv/rolling_fold.hpp"
#include "spirv/rolling_tile.hpp"

namespace vkprims {
namespace {

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

Fold fold_of(const RollingDesc& desc) { return {desc.type, Op::add, desc.own}; }

// The descriptor without what has no meaning for a monoid of the application's.
RollingDesc used_part(const RollingDesc& desc) {
  RollingDesc used = desc;
  if (!desc.own) return used;
  used.type = Type::u32;
  used.op = RollingOp::sum;
  used.index_width = IndexWidth::u32;
  return used;
}

Status check_own(const DeviceState& state, const RollingDesc& desc) {
  if (!desc.own) return {};
  VKPRIMS_TRY(check_fold("rolling", state, fold_of(desc)));
  VKPRIMS_TRY(check_no_conversion("rolling", fold_of(desc)));
  if (desc.partial != RollingPartial::infinity) return {};
  return Status::error(Status::invalid_argument,
                       "rolling: partial is RollingPartial::infinity, but results are elements of "
                       "monoid %s",
                       desc.own->name);
}

Status check_desc(const DeviceState& state, const RollingDesc& desc) {
  VKPRIMS_TRY(check_own(state, desc));
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

// Everything that is known about a call. Operands that are not used have no bytes.
struct Call {
  Call(const DeviceState& state, const RollingDesc& d, const RollingBuffers& buffers)
      : desc(d),
        plan(rolling_plan(state, d, buffers.out_validity.address != 0)),
        scratch(buffers.scratch),
        count(operand_of(d.count)) {
    const std::uint64_t n = d.count.max;
    const Fold fold = fold_of(d);
    const std::uint32_t size = fold.bytes(), out_size = d.own ? size : size_of(result_type(d));
    const std::uint32_t out_alignment = d.own ? fold.alignment() : out_size;
    const std::uint32_t offset_size = size_of(d.offset_width);
    const bool masked = buffers.out_validity.address != 0;
    in = {"in", buffers.in, d.op == RollingOp::count ? 0 : n * size, fold.alignment(), false};
    out = {"out", buffers.out, n * out_size, out_alignment, true};
    // Where addresses allow it, one access moves up to 4 words: as many as divide an element.
    const std::uint32_t vector = std::min(4u << std::countr_zero(size / 4), 16u);
    if (d.own && vector > 4 && (in.address() | out.address()) % vector == 0) {
      flags = VKP_ROLLING_ALIGNED;
    }
    validity = {"validity", buffers.validity,
                d.nullable && n ? mask_bytes(d.validity_offset + n) : 0, 4, false};
    out_validity = {"out_validity", buffers.out_validity, masked ? mask_bytes(n) : 0, 4, true};
    offsets = {
        "offsets",   buffers.offsets, d.groups.max && n ? (d.groups.max + 1) * offset_size : 0,
        offset_size, false,           "",
        "groups + 1"};
    if (d.groups.max) groups = operand_of(d.groups, "groups");
  }

  VkDeviceAddress at(VkDeviceSize offset) const { return scratch.address + offset; }
  VkDeviceAddress level(std::uint32_t i) const {
    return at(plan.levels_offset + i * plan.level_bytes);
  }
  BufferView heads() const { return {at(plan.heads_offset), plan.heads_bytes}; }
  /// `place` says which of the two sizes of grids in scratch is that of the grid.
  Grid grid(std::uint64_t items_per_group, std::uint32_t place = 0) const {
    return {desc.count, items_per_group, part_of(scratch, place * kGridScratchBytes)};
  }
  abi::RollingInput input() const {
    return {.base = push_u64(in),
            .validity = push_u64(validity.address() + desc.validity_offset / 32 * 4),
            .heads = push_u64(heads().address),
            .count = push_count(desc.count),
            .validity_bit = static_cast<std::uint32_t>(desc.validity_offset % 32)};
  }
  Specialization specialization(const RollingSide& side) const {
    Specialization constants{.workgroup_size = side.workgroup_size,
                             .rows = side.run_items,
                             .op = static_cast<std::uint32_t>(desc.op)};
    return constants.set(VKP_ROLLING_SPEC_TYPE, plan.type)
        .set(VKP_ROLLING_SPEC_FLAGS, side.flags | flags)
        .set(VKP_ROLLING_SPEC_STAGE, side.stage_items)
        .set(VKP_ROLLING_SPEC_RUNS, side.max_runs)
        .set(VKP_ROLLING_SPEC_WINDOW, side.short_window);
  }

  /// Gives the kernel: the built-in one, or that of the monoid.
  Status find(MonoidKernel kernel, const Spirv& built_in, const Spirv*& spirv) const {
    return find_kernel("rolling", fold_of(desc), kernel, built_in, spirv);
  }

  const RollingDesc& desc;
  RollingPlan plan;
  Scratch scratch;
  std::uint32_t flags = 0;  // VKP_ROLLING_, of the kernels that read elements
  Operand in, out, validity, out_validity, offsets, count, groups;
};

Status check_call(const Call& call) {
  const auto unused = [](const Operand& operand, bool used, const char* why) {
    if (used || operand.address() == 0) return Status();
    return Status::error(Status::invalid_argument, "rolling: %s is given, but %s", operand.name,
                         why);
  };
  VKPRIMS_TRY(unused(call.validity, call.desc.nullable, "nullable is false"));
  VKPRIMS_TRY(unused(call.offsets, call.desc.groups.max != 0, "groups is 0"));
  return check_operands(
      "rolling", {call.in, call.out, call.validity, call.out_validity, call.offsets, call.count,
                  call.groups, operand_of(call.scratch, call.plan.need)});
}

// Adds the commands that set a bit for each element that is the first of its group.
Status add_heads(Commands& commands, const Call& call) {
  const RollingDesc& desc = call.desc;
  Grid grid = segment_bits_grid(commands.tuning(), desc.groups, call.scratch);
  VKPRIMS_TRY(commands.prepare(grid));
  VKPRIMS_TRY(
      commands.fill(call.scratch, call.plan.heads_offset, call.plan.heads_bytes, 0, beside(grid)));
  const BufferView offsets{call.offsets.address(), call.offsets.need};
  return add_segment_bits(
      commands, {desc.groups, desc.offset_width, desc.count, offsets, call.heads()}, grid);
}

// Adds the commands that make the middles of windows from the folds of blocks, by doubling.
Status add_middles(Commands& commands, const Call& call, const RollingSide& side, const Grid& grid,
                   const Specialization& constants, std::uint64_t first, std::uint32_t skipped) {
  const VkDeviceSize bytes = call.plan.level_bytes;
  const std::uint64_t blocks = side.window / side.tile_items;
  abi::RollingDoublePush push{
      .heads = push_u64(call.level(2)),
      .middles = push_u64(call.level(3)),
      .count = push_count(call.desc.count),
      .first = push_u64(first),
      .block_shift = static_cast<std::uint32_t>(std::countr_zero(side.tile_items)),
      .skipped = skipped,
      .whole = static_cast<std::uint32_t>(blocks - 1)};
  const std::uint64_t longest = std::min(blocks - 1, call.desc.count.max / side.tile_items + 2);
  const Spirv* spirv = nullptr;
  VKPRIMS_TRY(
      call.find(MonoidKernel::rolling_double, spirv::rolling_double(call.plan.module()), spirv));
  do {
    const std::uint32_t from = push.level % 2;
    push.from = push_u64(call.level(from));
    push.to = push_u64(call.level(1 - from));
    VKPRIMS_TRY(commands.dispatch(
        *spirv, constants, push, grid,
        {call.count, reads(call.level(from), bytes), writes(call.level(1 - from), bytes),
         reads(call.level(2), bytes), writes(call.level(3), bytes)}));
    ++push.level;
  } while (longest >> push.level);
  return {};
}

// Adds the folds of blocks, which are as long as tiles, and from them the middles of windows.
Status add_levels(Commands& commands, const Call& call, const RollingSide& side, const Grid& tiles,
                  const Grid& doubling) {
  const std::int64_t items = side.tile_items;
  const std::int64_t skipped = side.first < 0 ? -side.first / items : 0;
  const auto first = static_cast<std::uint64_t>(side.first + skipped * items);
  const VkDeviceSize bytes = call.plan.level_bytes;
  const std::uint32_t flags = side.flags & (VKP_ROLLING_VALIDITY | VKP_ROLLING_GROUPS_LEFT |
                                            VKP_ROLLING_GROUPS_RIGHT | VKP_ROLLING_COUNTS);
  Specialization constants = call.specialization(side);
  constants.set(VKP_ROLLING_SPEC_FLAGS, flags | call.flags);
  const abi::RollingFoldPush push{
      .source = call.input(),
      .folds = push_u64(call.level(0)),
      .heads = push_u64(call.level(2)),
      .first = push_u64(first),
      .block_items = side.tile_items,
      .head_items = static_cast<std::uint32_t>(side.window % side.tile_items)};
  const Spirv* spirv = nullptr;
  VKPRIMS_TRY(
      call.find(MonoidKernel::rolling_fold, spirv::rolling_fold(call.plan.module()), spirv));
  VKPRIMS_TRY(commands.dispatch(*spirv, constants, push, tiles,
                                {call.count, call.in, call.validity, reads(call.heads()),
                                 writes(call.level(0), bytes), writes(call.level(2), bytes)}));
  constants.set(VKP_ROLLING_SPEC_FLAGS, flags);
  return add_middles(commands, call, side, doubling, constants, first,
                     static_cast<std::uint32_t>(skipped));
}

Status add_side(Commands& commands, const Call& call, const RollingSide& side) {
  const RollingDesc& desc = call.desc;
  const bool has_levels = side.path == RollingPath::levels;
  Grid tiles = call.grid(side.items_per_group());
  if (has_levels) {
    // There may be one more block than tiles.
    Grid doubling = call.grid(std::uint64_t{side.tile_items} * (side.workgroup_size - 1), 1);
    VKPRIMS_TRY(commands.prepare({&tiles, &doubling}));
    VKPRIMS_TRY(add_levels(commands, call, side, tiles, doubling));
  }
  const std::uint64_t needed = desc.partial == RollingPartial::keep
                                   ? desc.min_periods
                                   : static_cast<std::uint64_t>(desc.preceding + desc.following);
  const BufferView parts{call.at(call.plan.parts_offset), call.plan.parts_bytes};
  const abi::RollingPush push{.source = call.input(),
                              .out_base = push_u64(call.out),
                              .out_validity = push_u64(call.out_validity),
                              .parts = push_u64(parts.address),
                              .middles = push_u64(call.level(3)),
                              .first = push_u64(static_cast<std::uint64_t>(side.first)),
                              .window = push_u64(side.window),
                              .needed = push_u64(needed),
                              .null_value = push_u64(null_value(desc)),
                              .tile_items = side.tile_items,
                              .batches = side.batches,
                              .ddof = desc.ddof};
  const bool stores_part = side.flags & VKP_ROLLING_STORES_PART;
  const Spirv* spirv = nullptr;
  VKPRIMS_TRY(
      side.path == RollingPath::tile
          ? call.find(MonoidKernel::rolling_tile, spirv::rolling_tile(call.plan.module()), spirv)
          : call.find(MonoidKernel::rolling_edges, spirv::rolling_edges(call.plan.module()),
                      spirv));
  return commands.dispatch(
      *spirv, call.specialization(side), push, tiles,
      {call.count, call.in, call.validity, reads(call.heads()),
       reads(call.level(3), has_levels ? call.plan.level_bytes : 0),
       stores_part ? writes(parts) : reads(parts), stores_part ? Access() : call.out,
       stores_part ? Access() : call.out_validity});
}

Status add_rolling(Commands& commands, const Call& call) {
  if (call.desc.count.max == 0) return {};
  if (call.desc.groups.max) VKPRIMS_TRY(add_heads(commands, call));
  for (std::uint32_t i = 0; i < call.plan.side_count; ++i) {
    VKPRIMS_TRY(add_side(commands, call, call.plan.sides[i]));
  }
  return {};
}

}  // namespace

ScratchNeed rolling_scratch(const Device& device, const RollingDesc& desc) {
  const RollingDesc used = used_part(desc);
  if (!device || !check_desc(*device.state(), used)) return {};
  return rolling_plan(*device.state(), used, false).need;
}

Status record_rolling(VkCommandBuffer cmd, const Device& device, const RollingDesc& desc,
                      const RollingBuffers& buffers) {
  return record_call("rolling", cmd, device, [&](Commands& commands) {
    const RollingDesc used = used_part(desc);
    VKPRIMS_TRY(check_desc(commands.state(), used));
    const Call call(commands.state(), used, buffers);
    VKPRIMS_TRY(check_call(call));
    return add_rolling(commands, call);
  });
}

Status warm_up(const Device& device, const RollingDesc& desc) {
  return warm_up_call("rolling", device, [&](Commands& commands) {
    RollingDesc any = used_part(desc);
    VKPRIMS_TRY(check_desc(commands.state(), any));
    any.count.max = kMaxCount;
    if (desc.groups.max) any.groups.max = kMaxCount;
    const VkDeviceAddress alignment = fold_of(any).alignment();
    for (const VkDeviceAddress out_validity : {0, 16}) {
      for (const VkDeviceAddress in : {VkDeviceAddress{16}, alignment}) {
        const RollingBuffers buffers{.in = {in}, .out_validity = {out_validity}};
        VKPRIMS_TRY(add_rolling(commands, Call(commands.state(), any, buffers)));
      }
    }
    return Status();
  });
}

}  // namespace vkprims

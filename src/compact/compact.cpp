#include "compact/compact.hpp"

#include <algorithm>

#include "blocks/alone.hpp"
#include "blocks/lookback.hpp"
#include "blocks/stage.hpp"
#include "compact/partition_three/partition_three.abi.h"
#include "runtime/arithmetic.hpp"
#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "runtime/tuning.hpp"
#include "spirv/compact_count.hpp"
#include "spirv/compact_look_back.hpp"
#include "spirv/compact_place.hpp"

namespace vkprims {
namespace {

std::uint32_t kind_of(Type type) {
  if (type == Type::f32 || type == Type::f64) return VKP_COMPACT_FLOAT;
  return type == Type::i32 || type == Type::i64 ? VKP_COMPACT_SIGNED : VKP_COMPACT_UNSIGNED;
}

// How a compaction is carried out on a device.
struct Plan {
  bool alone;       // one dispatch without scratch does everything
  bool multi_pass;  // two dispatches do everything; if neither is set, one looks back
  StageTile tile;
  std::uint64_t items;  // in a tile at least, as a sequence may begin inside a cell
  std::uint32_t portions;
  std::uint64_t max_tiles;                     // tiles of the first portion, which is the largest
  std::uint32_t counts;                        // numbers that are known of a tile or portion
  VkDeviceSize portion_bytes;                  // what all portions have in scratch
  VkDeviceSize portions_offset, tiles_offset;  // in scratch
  ScratchNeed need;

  VkDeviceSize counts_bytes() const { return VkDeviceSize{4} * counts * max_tiles; }
};

// The shape for few elements, which begin at an address; `plan` has that of one large workgroup.
// All selected elements must be known where there is one output, so one workgroup has them all
// then. Returns whether all have room.
bool choose_alone(const DeviceState& state, const Compaction& c, VkDeviceAddress in, Plan& plan) {
  const std::uint64_t head = in % 16 / c.item_bytes;
  const std::uint64_t cells = ceil_div(c.count.max + head, std::uint64_t{16} / c.item_bytes);
  const StageTile small = stage_tile(state, c.item_bytes, alone_workgroup(state), kAloneRows, 1);
  const AloneShape shape = alone_shape(state, {small.workgroup_size, small.rows}, cells,
                                       c.one_output || c.three ? 1 : kAloneGroups);
  if (shape.groups == 0) return c.count.max <= plan.items;
  plan.tile = {shape.workgroup_size, shape.rows, 1, 0};
  plan.max_tiles = shape.groups;
  return true;
}

Plan plan_of(const DeviceState& state, const Compaction& c, VkDeviceAddress in) {
  Plan plan{};
  const auto choose_tile = [&](std::uint32_t workgroup_size, std::uint32_t rows,
                               std::uint32_t batches) {
    plan.tile = stage_tile(state, c.item_bytes, workgroup_size, rows, batches);
    plan.items = plan.tile.items - (16 / c.item_bytes - 1);
  };
  choose_tile(state.largest_workgroup, 8, state.tuning.compact_batches);
  plan.portions = 1;
  plan.max_tiles = 1;
  const bool is_small = c.schedule == Schedule::automatic &&
                        c.count.max * c.item_bytes <= state.tuning.single_scan_bytes;
  const bool has_room = choose_alone(state, c, in, plan);
  plan.alone = (is_small && has_room) || c.count.max == 0;
  if (plan.alone) return plan;
  const std::uint64_t portion = VKP_COMPACT_PORTION;
  plan.multi_pass = c.one_output || c.schedule == Schedule::multi_pass;
  const auto tiles_of = [&](std::uint64_t n) {
    const Tuning tuning = tuning_for(state.tuning, plan.multi_pass ? kMaxCount : n);
    choose_tile(tuning.scan_workgroup_size, tuning.compact_rows, tuning.compact_batches);
    return ceil_div(std::min(n, portion), plan.items);
  };
  // Scratch must not shrink where tiles grow.
  const std::uint64_t small_tiles =
      tiles_of(std::min<std::uint64_t>(c.count.max, most_small_compaction(state.tuning)));
  plan.portions = static_cast<std::uint32_t>(ceil_div(c.count.max, portion));
  plan.max_tiles = tiles_of(c.count.max);
  plan.counts = c.three ? 2 : 1;
  plan.portion_bytes = VkDeviceSize{plan.portions} *
                       (c.three ? VKP_PARTITION_THREE_PORTION_BYTES : VKP_COMPACT_PORTION_BYTES);
  // With several portions the grid always has the largest size. Its scratch is kept nevertheless,
  // so that scratch never gets smaller as the count grows.
  plan.portions_offset = grid_is_indirect(c.count, plan.items) ? kGridScratchBytes : 0;
  plan.tiles_offset = plan.portions_offset + round_up(plan.portion_bytes, 16);
  plan.need.bytes =
      plan.tiles_offset +
      (plan.multi_pass ? plan.portions * plan.counts_bytes()
                       : lookback_bytes(std::max(plan.max_tiles, small_tiles), plan.counts));
  return plan;
}

Specialization specialization_of(const Compaction& c, const Plan& plan) {
  const bool compares = c.source == VKP_COMPACT_COMPARED, marks = c.source == VKP_COMPACT_HEADS;
  // An element is a head if its bits differ from those of the element before, or for floats its
  // value.
  const std::uint32_t heads_kind = c.by_value ? VKP_COMPACT_FLOAT : VKP_COMPACT_UNSIGNED;
  Specialization constants{.workgroup_size = plan.tile.workgroup_size, .rows = plan.tile.rows};
  constants.set(VKP_COMPACT_SPEC_OUTPUTS,
                (c.rejected ? VKP_COMPACT_REJECTED : 0u) +
                    (c.index_width == IndexWidth::u64 ? VKP_COMPACT_WIDE_INDICES : 0u) +
                    VKP_COMPACT_VALUE_WORDS * c.value_bytes / 4);
  constants.set(VKP_COMPACT_SPEC_BATCHES, plan.tile.batches);
  constants.set(VKP_COMPACT_SPEC_ALONE, plan.alone);
  constants.set(VKP_COMPACT_SPEC_SOURCE, c.source);
  constants.set(VKP_COMPACT_SPEC_KIND, compares ? kind_of(c.type) : marks ? heads_kind : 0);
  constants.set(VKP_COMPACT_SPEC_COMPARE, compares ? static_cast<std::uint32_t>(c.predicate) : 0);
  return constants;
}

struct Operands {
  Operand in, flags, out, rejected, indices, values_in, values_out, selected, count, operand;
};

Operands operands_of(const Compaction& c, const CompactionBuffers& b) {
  const std::uint64_t n = c.count.max;
  const bool moves = b.out.address != 0, bits = c.source == VKP_COMPACT_BITS;
  const VkDeviceSize bytes = n * c.item_bytes, value_bytes = n * c.value_bytes;
  const VkDeviceSize flag_bytes = bits ? mask_bytes(n) : c.source == VKP_COMPACT_BYTES ? n : 0;
  const std::uint32_t index_bytes = size_of(c.index_width);
  const bool reads_items = moves || c.source >= VKP_COMPACT_COMPARED;
  if (c.three) {
    return {.in = {"in", b.in, bytes, c.item_bytes, false},
            .out = {"first", b.out, bytes, c.item_bytes, true},
            .rejected = {"third", b.rejected, bytes, c.item_bytes, true},
            .indices = {"second", b.indices, bytes, c.item_bytes, true},
            .selected = {b.count_name, b.count, 16, 8, true},
            .count = operand_of(c.count),
            .operand = operand_of("arguments", c.operand, c.own->argument_bytes)};
  }
  return {
      .in = {"in", b.in, reads_items ? bytes : 0, c.item_bytes, false},
      .flags = {"flags", b.flags, flag_bytes, bits ? 4u : 1u, false},
      .out = {"out", b.out, moves || c.rejected ? bytes : 0, c.item_bytes, true},
      .rejected = {"rejected", b.rejected, c.rejected && !c.one_output ? bytes : 0, c.item_bytes,
                   true},
      .indices = {"indices", b.indices, b.indices.address ? n * index_bytes : 0, index_bytes, true},
      .values_in = sized({"values_in", b.values_in, value_bytes, 4, false}, c.value_bytes),
      .values_out = sized({"values_out", b.values_out, value_bytes, 4, true}, c.value_bytes),
      .selected = operand_of_u64(b.count_name, b.count),
      .count = operand_of(c.count),
      .operand = c.own ? operand_of("arguments", c.operand, c.own->argument_bytes)
                 : c.source == VKP_COMPACT_COMPARED
                     ? operand_of("operand", c.operand, size_of(c.type))
                     : Operand{}};
}

abi::CompactPush push_of(const Compaction& c, const Operands& x, const Plan& plan,
                         VkDeviceAddress scratch) {
  abi::CompactPush push{.in_base = push_u64(x.in),
                        .flags_base = push_u64(x.flags),
                        .out_base = push_u64(x.out),
                        .rejected_base = push_u64(x.rejected),
                        .index_base = push_u64(x.indices),
                        .values_in_base = push_u64(x.values_in),
                        .values_base = push_u64(x.values_out),
                        .count_base = push_u64(x.selected),
                        .portions_base = push_u64(plan.alone ? 0 : scratch + plan.portions_offset),
                        .tiles_base = push_u64(scratch + plan.tiles_offset),
                        .count = push_count(c.count),
                        .portions = plan.portions,
                        .one_output = c.one_output};
  if (c.own) {
    const std::uint32_t* const w = c.operand.words;
    push.operand = {push_u64(c.operand.address), w[0], w[1]};
    push.flags_base = {w[2], w[3]};
    push.values_in_base = {w[4], w[5]};
    push.values_base = {w[6], w[7]};
  } else {
    push.operand = push_value(c.operand, c.type);
  }
  return push;
}

// Checks a predicate of the application's own.
Status check_own(const DeviceState& state, const Compaction& c) {
  if (!c.own) return {};
  const OwnPredicate& own = *c.own;
  if (!own.find_module) {
    return Status::error(Status::invalid_argument, "%s: predicate %s has no find_module",
                         c.primitive, own.name);
  }
  const Features& has = state.info.enabled;
  if ((own.has_int64 && !has.int64) || (own.has_float64 && !has.float64)) {
    return Status::error(Status::unsupported,
                         "%s: predicate %s needs Features::%s, without which this device was "
                         "created",
                         c.primitive, own.name, own.has_int64 && !has.int64 ? "int64" : "float64");
  }
  if (own.argument_bytes > 32 || own.argument_bytes % 4 != 0) {
    return Status::error(Status::invalid_argument,
                         "%s: predicate %s has %u bytes of arguments, must be a multiple of 4, at "
                         "most 32",
                         c.primitive, own.name, own.argument_bytes);
  }
  return {};
}

Status check_arguments(const Compaction& c) {
  const std::uint32_t bytes = c.own ? c.own->argument_bytes : 0;
  const Value& given = c.operand;
  if (!c.own || (given.address ? bytes != 0 : given.bytes == bytes)) return {};
  return Status::error(Status::invalid_argument,
                       "%s: arguments have %u bytes, those of predicate %s have %u", c.primitive,
                       given.bytes, c.own->name, bytes);
}

// Gives the kernel: the built-in one, or that of the predicate. `kernel` is one of compact, which
// those of partition_three follow in the same order.
Status find_kernel(const Compaction& c, PredicateKernel kernel, const Spirv& built_in,
                   const Spirv*& spirv) {
  spirv = &built_in;
  if (!c.own) return {};
  constexpr auto kFirstOfThree =
      static_cast<std::uint32_t>(PredicateKernel::partition_three_look_back_word32);
  const std::uint32_t number = static_cast<std::uint32_t>(kernel) + (c.three ? kFirstOfThree : 0);
  VKPRIMS_TRY(c.own->find_module(*c.own, PredicateKernel(number), spirv));
  if (spirv) return {};
  return Status::error(Status::invalid_argument,
                       "%s: predicate %s has no kernels for it; name it in the FORMS of "
                       "vkprims_add_predicate()",
                       c.primitive, c.own->name);
}

Status check_predicate(const Compaction& c) {
  const bool is_float = kind_of(c.type) == VKP_COMPACT_FLOAT;
  VKPRIMS_TRY(check_enum(c.primitive, "predicate", c.predicate, Predicate::has_bits));
  if (c.predicate == Predicate::has_bits && is_float) {
    return Status::error(Status::invalid_argument,
                         "%s: predicate is has_bits, which needs an integer type, not %s",
                         c.primitive, name_of(c.type));
  }
  if (!c.operand.given()) {
    return Status::error(Status::invalid_argument,
                         "%s: operand is not given, but the predicate compares with it",
                         c.primitive);
  }
  return check_value(c.primitive, "operand", c.operand, c.type);
}

}  // namespace

Status check_compaction(const Compaction& c) {
  VKPRIMS_TRY(check_type(c.primitive, c.type));
  VKPRIMS_TRY(check_count(c.primitive, c.count));
  VKPRIMS_TRY(check_enum(c.primitive, "index_width", c.index_width, IndexWidth::u64));
  VKPRIMS_TRY(check_enum(c.primitive, "schedule", c.schedule, Schedule::multi_pass));
  if (c.one_output && c.schedule == Schedule::look_back) {
    return Status::error(Status::invalid_argument,
                         "%s: schedule is look_back, but one output needs the number of selected "
                         "elements beforehand; automatic and multi_pass have it",
                         c.primitive);
  }
  const bool compares = c.source == VKP_COMPACT_COMPARED || c.source == VKP_COMPACT_HEADS;
  const std::uint32_t size = size_of(c.type);
  if (compares && c.item_bytes != size) {
    return Status::error(
        Status::invalid_argument,
        "%s: element_bytes is %u, but elements that are compared are %s (%u bytes)", c.primitive,
        c.item_bytes, name_of(c.type), size);
  }
  if (c.own && c.item_bytes != 4 && c.item_bytes != 8 && c.item_bytes != 16) {
    return Status::error(Status::invalid_argument,
                         "%s: predicate %s is for elements of %u bytes, must be 4, 8 or 16",
                         c.primitive, c.own->name, c.item_bytes);
  }
  if (c.item_bytes != 4 && c.item_bytes != 8 && c.item_bytes != 16) {
    return Status::error(Status::invalid_argument, "%s: element_bytes is %u, must be 4, 8 or 16",
                         c.primitive, c.item_bytes);
  }
  return c.source == VKP_COMPACT_COMPARED ? check_predicate(c) : Status();
}

ScratchNeed compaction_scratch(const DeviceState& state, const Compaction& c) {
  return plan_of(state, c, kWorstAddress).need;
}

Status check_buffers(const DeviceState& state, const Compaction& c, const CompactionBuffers& b) {
  VKPRIMS_TRY(check_own(state, c));
  VKPRIMS_TRY(check_arguments(c));
  const Operands x = operands_of(c, b);
  return check_operands(c.primitive, {x.in, x.flags, x.out, x.rejected, x.indices, x.values_in,
                                      x.values_out, x.selected, x.count, x.operand,
                                      operand_of(b.scratch, plan_of(state, c, b.in.address).need)});
}

Status add_compaction(Commands& commands, const Compaction& c, const CompactionBuffers& b) {
  const DeviceState& state = commands.state();
  const Plan plan = plan_of(state, c, b.in.address);
  const Operands x = operands_of(c, b);
  const std::uint32_t item = c.item_bytes == 16 ? 2 : c.item_bytes / 8;  // position of its size
  Specialization constants = specialization_of(c, plan);
  abi::CompactPush push = push_of(c, x, plan, b.scratch.address);
  const Access scratch = writes(b.scratch.address, plan.need.bytes);
  const Access accesses[] = {x.count, x.operand,  x.in,      x.flags,      x.values_in, scratch,
                             x.out,   x.rejected, x.indices, x.values_out, x.selected};
  const Spirv* place = nullptr;
  VKPRIMS_TRY(find_kernel(c, PredicateKernel::compact_place, spirv::compact_place(item), place));
  if (plan.alone) return commands.dispatch(*place, constants, push, Grid(plan.max_tiles), accesses);

  const Scratch tiles = part_of(b.scratch, plan.tiles_offset);
  Grid grid = plan.portions == 1 ? Grid(c.count, plan.items, b.scratch) : Grid(plan.max_tiles);
  VKPRIMS_TRY(commands.prepare(grid));
  const Independent* behind_size = beside(grid);
  if (!plan.multi_pass) {
    constants.lookback = lookback_constants(state, false);
    const bool is_wide = lookback_is_wide(state);
    const Spirv* look_back = nullptr;
    VKPRIMS_TRY(find_kernel(c,
                            is_wide ? PredicateKernel::compact_look_back_word64
                                    : PredicateKernel::compact_look_back_word32,
                            spirv::compact_look_back(item, is_wide), look_back));
    for (; push.portion < plan.portions; ++push.portion) {
      VKPRIMS_TRY(commands.fill(tiles, 0, lookback_bytes(plan.max_tiles, plan.counts), 0,
                                push.portion == 0 ? behind_size : nullptr));
      VKPRIMS_TRY(commands.dispatch(*look_back, constants, push, grid, accesses));
    }
    return {};
  }
  const Spirv* count = nullptr;
  VKPRIMS_TRY(find_kernel(c, PredicateKernel::compact_count, spirv::compact_count(item), count));
  Specialization counting = constants;
  counting.set(VKP_COMPACT_SPEC_OUTPUTS, 0);  // a dispatch that counts has none
  const auto select_portion = [&](std::uint32_t portion) {
    push.portion = portion;
    push.tiles_base = push_u64(tiles.address + portion * plan.counts_bytes());
  };
  VKPRIMS_TRY(commands.fill(b.scratch, plan.portions_offset, plan.portion_bytes, 0, behind_size));
  for (std::uint32_t portion = 0; portion < plan.portions; ++portion) {
    select_portion(portion);
    VKPRIMS_TRY(commands.dispatch(*count, counting, push, grid,
                                  {x.count, x.operand, x.in, x.flags, scratch}));
  }
  for (std::uint32_t portion = 0; portion < plan.portions; ++portion) {
    select_portion(portion);
    VKPRIMS_TRY(commands.dispatch(*place, constants, push, grid, accesses));
  }
  return {};
}

Status warm_up_compaction(Commands& commands, const Compaction& c) {
  VKPRIMS_TRY(check_own(commands.state(), c));
  const auto [one, few, most_alone] =
      alone_counts(commands.state(), 16 / c.item_bytes,
                   std::max(commands.tuning().single_scan_bytes / c.item_bytes, 1u));
  for (const std::uint64_t count : {one, few, most_alone, most_small_compaction(commands.tuning()),
                                    std::uint64_t{VKP_COMPACT_PORTION}}) {
    Compaction any = c;
    any.count.max = count;
    VKPRIMS_TRY(add_compaction(commands, any, {}));
  }
  return {};
}

}  // namespace vkprims

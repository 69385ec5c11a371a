#include "random/dropout_elements.hpp"

#include <algorithm>
#include <bit>

#include "random/dropout/dropout.abi.h"
#include "random/dropout_desc.hpp"
#include "random/rng.hpp"
#include "runtime/push.hpp"
#include "spirv/dropout_elements.hpp"

namespace vkprims {
namespace {

std::uint32_t cell_items(DropoutType type) { return 16 / size_of(type); }

bool is_aligned(const DropoutDesc& desc, const DropoutOperands& o) {
  const std::uint32_t items = cell_items(desc.type);
  for (const Operand* operand : {&o.in, &o.bias, &o.residual, &o.out}) {
    if (operand->address() % 16 != 0) return false;
  }
  if (desc.bias == DropoutBias::row && desc.columns % items != 0) return false;
  if (!is_pitched(desc)) return true;
  const auto whole = [&](std::uint32_t pitch) { return pitch_of(desc, pitch) % items == 0; };
  return desc.columns % items == 0 && whole(desc.in_pitch) && whole(desc.out_pitch) &&
         whole(desc.bias_pitch) && whole(desc.residual_pitch);
}

// Says where it is decided which elements are kept: VKP_DROPOUT_ALL …
std::uint32_t source_of(const DropoutDesc& desc, bool backward) {
  if (!desc.training || dropout_threshold(desc) == 0) return VKP_DROPOUT_ALL;
  if (desc.p == 1) return VKP_DROPOUT_NOTHING;
  if (backward && desc.mask == DropoutMask::bits) return VKP_DROPOUT_READ_BITS;
  if (backward && desc.mask == DropoutMask::bytes) return VKP_DROPOUT_READ_BYTES;
  return desc.draw == DropoutDraw::bits16 ? VKP_DROPOUT_DRAW_16 : VKP_DROPOUT_DRAW_32;
}
bool draws(std::uint32_t source) {
  return source == VKP_DROPOUT_DRAW_32 || source == VKP_DROPOUT_DRAW_16;
}

// The number of rows of cells that a lane has: those of a word of the mask, or one.
std::uint32_t strip_rows(const DropoutDesc& desc, bool backward) {
  const bool by_words =
      draws(source_of(desc, backward)) || (!backward && desc.mask == DropoutMask::bits);
  return by_words ? 32 / cell_items(desc.type) : 1;
}
std::uint64_t group_items(const DeviceState& state, const DropoutDesc& desc, bool backward) {
  return std::uint64_t{strip_rows(desc, backward)} * cell_items(desc.type) *
         state.tuning.workgroup_size;
}

// In the forward direction alpha dropout moves kept elements and gives dropped ones a value.
bool has_alpha(const DropoutDesc& desc, bool backward) {
  return desc.alpha && !backward && desc.training && desc.p != 1;
}

enum class Cells { aligned, shifted, any };

// How cells of 16 bytes lie in memory.
Cells cells_of(const DropoutDesc& desc, const DropoutOperands& o) {
  if (is_aligned(desc, o)) return Cells::aligned;
  const bool in_place = is_in_place(o.in, o.out) || is_in_place(o.residual, o.out);
  const bool flat = desc.bias != DropoutBias::row && !is_pitched(desc);
  return flat && !in_place ? Cells::shifted : Cells::any;
}

Specialization specialization(const DeviceState& state, const DropoutDesc& desc,
                              const DropoutOperands& o, bool backward) {
  const std::uint32_t source = source_of(desc, backward);
  const Cells cells = cells_of(desc, o);
  Specialization constants{
      .workgroup_size = state.tuning.workgroup_size,
      .rows = std::min(std::bit_floor(state.tuning.rows_per_tile), strip_rows(desc, backward)),
      .row_words = cells == Cells::aligned ? 4u : 1u};
  const std::uint32_t flags =
      (o.residual.need ? VKP_DROPOUT_RESIDUAL : 0) | (is_pitched(desc) ? VKP_DROPOUT_PITCHED : 0) |
      (desc.run > 1 && draws(source) ? VKP_DROPOUT_SHARED_DRAWS : 0) |
      (cells == Cells::shifted ? VKP_DROPOUT_SHIFTED : 0) | dropout_half_flag(state, desc.type);
  const std::uint32_t bias = has_alpha(desc, backward) ? VKP_DROPOUT_BIAS_ALPHA
                             : backward                ? VKP_DROPOUT_BIAS_NONE
                                                       : static_cast<std::uint32_t>(desc.bias);
  return constants.set(VKP_DROPOUT_SPEC_SOURCE, source)
      .set(VKP_DROPOUT_SPEC_MASK,
           backward ? VKP_DROPOUT_MASK_NONE : static_cast<std::uint32_t>(desc.mask))
      .set(VKP_DROPOUT_SPEC_ROUNDS, draws(source) ? rounds_of(desc.rng) : 0)
      .set(VKP_DROPOUT_SPEC_BIAS, bias)
      .set(VKP_DROPOUT_SPEC_FLAGS, flags);
}

abi::DropoutPush push_of(const DropoutDesc& desc, const DropoutOperands& o, bool backward) {
  const double scale = dropout_scale(desc);
  abi::DropoutPush push{
      .in_base = push_u64(o.in),
      .out_base = push_u64(o.out),
      .mask = push_u64(o.mask),
      .bias = push_u64(o.bias),
      .residual = push_u64(o.residual),
      .count = push_count(desc.count),
      .rng = push_rng(desc.rng),
      .threshold = dropout_threshold(desc),
      .run = desc.run,
      .scale = push_u64(desc.type == DropoutType::f64
                            ? std::bit_cast<std::uint64_t>(scale)
                            : std::bit_cast<std::uint32_t>(static_cast<float>(scale))),
      .columns = desc.columns,
      .in_pitch = pitch_of(desc, desc.in_pitch),
      .out_pitch = pitch_of(desc, desc.out_pitch),
      .bias_pitch = desc.bias == DropoutBias::row ? 0 : pitch_of(desc, desc.bias_pitch),
      .residual_pitch = pitch_of(desc, desc.residual_pitch)};
  if (has_alpha(desc, backward)) {
    const double p = dropout_probability(desc);
    push.bias = {
        std::bit_cast<std::uint32_t>(static_cast<float>(kDropoutSeluLimit * scale * p)),
        std::bit_cast<std::uint32_t>(static_cast<float>(-kDropoutSeluLimit * scale * (1 - p)))};
  }
  return push;
}

}  // namespace

std::uint32_t dropout_half_flag(const DeviceState& state, DropoutType type) {
  return type == DropoutType::f16 && !state.rounds_halves ? VKP_DROPOUT_ROUND : 0;
}

ScratchNeed dropout_elements_need(const DeviceState& state, const DropoutDesc& desc,
                                  bool backward) {
  const bool indirect = grid_is_indirect(desc.count, group_items(state, desc, backward));
  return {indirect ? kGridScratchBytes : 0};
}

Status add_dropout_elements(Commands& commands, const DropoutDesc& desc,
                            const DropoutOperands& operands, const Scratch& scratch,
                            bool backward) {
  if (desc.count.max == 0) return {};
  const DeviceState& state = commands.state();
  return commands.dispatch(spirv::dropout_elements(static_cast<std::size_t>(desc.type)),
                           specialization(state, desc, operands, backward),
                           push_of(desc, operands, backward),
                           Grid(desc.count, group_items(state, desc, backward), scratch),
                           {operand_of(desc.count), reads(desc.rng), operands.in, operands.bias,
                            operands.residual, operands.out, operands.mask});
}

}  // namespace vkprims

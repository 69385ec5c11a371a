// The host side of the primitives dropout and dropout_backward.
#include "vkprims/dropout.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cmath>

#include "random/dropout/dropout.abi.h"
#include "random/dropout_column_sums.hpp"
#include "runtime/push.hpp"
#include "random/rng.hpp"
#include "spirv/dropout_elements.hpp"
#include "runtime/arithmetic.hpp"

namespace vkprims {
namespace {

constexpr const Spirv* kElements[] = {&spirv::dropout_elements_f32, &spirv::dropout_elements_f16,
                                      &spirv::dropout_elements_bf16, &spirv::dropout_elements_f64};

constexpr double kSeluLimit = 1.7580993408473766;  // -lambda * alpha of SELU
constexpr std::uint32_t kMaxColumns = (std::uint32_t{1} << 31) - 1;

std::size_t index_of(DropoutType type) { return static_cast<std::size_t>(type); }
std::uint32_t cell_items(DropoutType type) { return 16 / size_of(type); }
std::uint64_t rows_of(const DropoutDesc& desc) {
  return desc.columns ? ceil_div(desc.count.max, desc.columns) : 0;
}
std::uint32_t draw_bits(const DropoutDesc& desc) {
  return desc.draw == DropoutDraw::bits16 ? 16 : 32;
}

struct Pitch {
  const char* name;
  std::uint32_t DropoutDesc::*value;
};
constexpr Pitch kPitches[] = {{"in_pitch", &DropoutDesc::in_pitch},
                              {"out_pitch", &DropoutDesc::out_pitch},
                              {"bias_pitch", &DropoutDesc::bias_pitch},
                              {"residual_pitch", &DropoutDesc::residual_pitch}};

// Whether some view has gaps between its rows.
bool is_pitched(const DropoutDesc& desc) {
  return std::any_of(std::begin(kPitches), std::end(kPitches), [&](const Pitch& pitch) {
    return desc.*pitch.value != 0 && desc.*pitch.value != desc.columns;
  });
}
std::uint32_t pitch_of(const DropoutDesc& desc, std::uint32_t pitch) {
  return pitch ? pitch : desc.columns;
}

// The name of the function that was called: dropout or dropout_backward, which share a descriptor.
const char* called() { return PublicCall::innermost(); }

Status check_range(const char* name, std::uint32_t value, std::uint32_t low) {
  if (value >= low && value <= kMaxColumns) return {};
  return Status::error(Status::invalid_argument, "%s: %s is %u, must be %u … %u", called(), name,
                       value, low, kMaxColumns);
}

Status check_desc(const DeviceState& state, const DropoutDesc& desc) {
  VKPRIMS_TRY(check_enum(called(), "type", desc.type, DropoutType::f64));
  VKPRIMS_TRY(check_enum(called(), "mask", desc.mask, DropoutMask::bytes));
  VKPRIMS_TRY(check_enum(called(), "draw", desc.draw, DropoutDraw::bits16));
  VKPRIMS_TRY(check_enum(called(), "bias", desc.bias, DropoutBias::full));
  if (desc.type == DropoutType::f64) VKPRIMS_TRY(check_type(called(), state, Type::f64));
  VKPRIMS_TRY(check_count(called(), desc.count));
  VKPRIMS_TRY(check_rng(called(), desc.rng));
  if (!(desc.p >= 0 && desc.p <= 1)) {
    return Status::error(Status::invalid_argument, "%s: p is %g, must be 0 … 1", called(), desc.p);
  }
  VKPRIMS_TRY(check_range("run", desc.run, 1));
  const bool needs_columns = desc.bias == DropoutBias::row || is_pitched(desc);
  VKPRIMS_TRY(check_range("columns", desc.columns, needs_columns ? 1 : 0));
  for (const Pitch& pitch : kPitches) {
    if (desc.*pitch.value == 0 || desc.*pitch.value >= desc.columns) continue;
    return Status::error(Status::invalid_argument,
                         "%s: %s is %u, must be 0 or at least columns, %u", called(), pitch.name,
                         desc.*pitch.value, desc.columns);
  }
  const auto check_number = [&](std::uint64_t number, const char* what, std::uint32_t size) {
    if (number <= 0xffffffffu) return Status();
    return Status::error(Status::invalid_argument,
                         "%s: count.max is %" PRIu64 ", must be at most 2^32 - 1 %s of %u",
                         called(), desc.count.max, what, size);
  };
  VKPRIMS_TRY(check_number(rows_of(desc), "rows", desc.columns));
  if (desc.run > 1) VKPRIMS_TRY(check_number(desc.count.max / desc.run, "runs", desc.run));
  if (desc.alpha && desc.bias != DropoutBias::none) {
    return Status::error(Status::invalid_argument,
                         "%s: alpha is true, but bias is not DropoutBias::none", called());
  }
  return {};
}

// Refuses a view that is given although the descriptor has no use for it, and one that is missing.
// Without elements a view may be missing.
Status check_wanted(const DropoutDesc& desc, const char* name, const BufferView& view, bool wanted,
                    const char* member) {
  if ((view.address != 0) == wanted || (wanted && desc.count.max == 0)) return {};
  return Status::error(Status::invalid_argument, "%s: %s is %s, but desc.%s says it is %s",
                       called(), name, wanted ? "not given" : "given", member,
                       wanted ? "used" : "none");
}

// Bytes up to the end of the last element of a view.
VkDeviceSize bytes_of(const DropoutDesc& desc, std::uint32_t pitch) {
  const std::uint64_t n = desc.count.max;
  const std::uint32_t size = size_of(desc.type);
  if (n == 0 || !is_pitched(desc)) return n * size;
  const std::uint64_t gaps = rows_of(desc) - 1;
  const std::uint64_t gap_bytes = std::uint64_t{pitch_of(desc, pitch) - desc.columns} * size;
  // This is more than there are addresses, so no view has so many bytes.
  constexpr VkDeviceSize kMost = ~VkDeviceSize{0};
  if (gap_bytes && gaps > (kMost - n * size) / gap_bytes) return kMost;
  return gaps * gap_bytes + n * size;
}

// What a call reads and writes besides the mask, in the forward and the backward direction.
struct Operands {
  BufferView in, bias, residual, out;
};

bool is_aligned(const DropoutDesc& desc, const Operands& o) {
  const std::uint32_t items = cell_items(desc.type);
  for (const BufferView& view : {o.in, o.bias, o.residual, o.out}) {
    if (view.address % 16 != 0) return false;
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

// The flag is set for f16 if the device may round halves otherwise than to nearest even.
std::uint32_t half_flag(const DeviceState& state, DropoutType type) {
  return type == DropoutType::f16 && !state.rounds_halves ? VKP_DROPOUT_ROUND : 0;
}

enum class Cells { aligned, shifted, any };

// How cells of 16 bytes lie in memory.
Cells cells_of(const DropoutDesc& desc, const Operands& o) {
  if (is_aligned(desc, o)) return Cells::aligned;
  const bool in_place = o.out.address == o.in.address || o.out.address == o.residual.address;
  const bool flat = desc.bias != DropoutBias::row && !is_pitched(desc);
  return flat && !in_place ? Cells::shifted : Cells::any;
}

Status get_pipeline(DeviceState& state, const DropoutDesc& desc, bool backward, bool residual,
                    Cells cells, bool may_compile, VkPipeline& pipeline) {
  const std::uint32_t source = source_of(desc, backward);
  Specialization constants{
      .workgroup_size = state.tuning.workgroup_size,
      .rows = std::min(std::bit_floor(state.tuning.rows_per_tile), strip_rows(desc, backward)),
      .row_words = cells == Cells::aligned ? 4u : 1u};
  const auto own = [&](std::uint32_t constant) -> std::uint32_t& {
    return constants.own[constant - VKP_SPEC_FIRST_OWN];
  };
  own(VKP_DROPOUT_SPEC_SOURCE) = source;
  own(VKP_DROPOUT_SPEC_MASK) =
      backward ? VKP_DROPOUT_MASK_NONE : static_cast<std::uint32_t>(desc.mask);
  own(VKP_DROPOUT_SPEC_ROUNDS) = draws(source) ? rounds_of(desc.rng) : 0;
  own(VKP_DROPOUT_SPEC_BIAS) = has_alpha(desc, backward) ? VKP_DROPOUT_BIAS_ALPHA
                               : backward                ? VKP_DROPOUT_BIAS_NONE
                                                         : static_cast<std::uint32_t>(desc.bias);
  own(VKP_DROPOUT_SPEC_FLAGS) =
      (residual ? VKP_DROPOUT_RESIDUAL : 0) | (is_pitched(desc) ? VKP_DROPOUT_PITCHED : 0) |
      (desc.run > 1 && draws(source) ? VKP_DROPOUT_SHARED_DRAWS : 0) |
      (cells == Cells::shifted ? VKP_DROPOUT_SHIFTED : 0) | half_flag(state, desc.type);
  return state.pipelines.get(state.vk, *kElements[index_of(desc.type)], constants, may_compile,
                             pipeline);
}

abi::DropoutPush push_of(const DropoutDesc& desc, const Operands& o, const BufferView& mask,
                         bool backward) {
  const double scale = dropout_scale(desc);
  abi::DropoutPush push{
      .in_base = push_u64(o.in.address),
      .out_base = push_u64(o.out.address),
      .mask = push_u64(mask.address),
      .bias = push_u64(o.bias.address),
      .residual = push_u64(o.residual.address),
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
    push.bias = {std::bit_cast<std::uint32_t>(static_cast<float>(kSeluLimit * scale * p)),
                 std::bit_cast<std::uint32_t>(static_cast<float>(-kSeluLimit * scale * (1 - p)))};
  }
  return push;
}

// The matrix that backward leaves in `out` and whose columns are summed.
Matrix matrix_of(const DropoutDesc& desc) {
  return {desc.type, desc.count, desc.columns, pitch_of(desc, desc.out_pitch)};
}
constexpr VkDeviceSize kSumsOffset = kGridScratchBytes;
constexpr std::uint32_t kBlockWords = 2;  // log2 of a block of random words

}  // namespace

std::uint32_t dropout_threshold(const DropoutDesc& desc) {
  const double range = std::ldexp(1.0, static_cast<int>(draw_bits(desc)));
  if (!(desc.p > 0)) return 0;
  return static_cast<std::uint32_t>(std::min(std::round(desc.p * range), range - 1));
}

double dropout_probability(const DropoutDesc& desc) {
  if (!desc.training) return 0;
  if (desc.p == 1) return 1;
  return std::ldexp(dropout_threshold(desc), -static_cast<int>(draw_bits(desc)));
}

double dropout_scale(const DropoutDesc& desc) {
  if (!desc.training) return 1;
  if (desc.p == 1) return 0;
  const double p = desc.draw == DropoutDraw::bits16 ? dropout_probability(desc) : desc.p;
  if (desc.alpha) return 1 / std::sqrt((kSeluLimit * kSeluLimit * p + 1) * (1 - p));
  return 1 / (1 - p);
}

std::uint64_t dropout_draws(const DropoutDesc& desc) {
  if (!desc.training || desc.run == 0) return 0;
  return ceil_div(ceil_div(desc.count.max, desc.run), 32 / draw_bits(desc));
}

VkDeviceSize dropout_mask_bytes(const DropoutDesc& desc) {
  if (desc.mask == DropoutMask::none) return 0;
  return desc.mask == DropoutMask::bits ? ceil_div(desc.count.max, 32) * 4 : desc.count.max;
}

bool dropout_keeps(const DropoutDesc& desc, std::uint64_t i) {
  if (!desc.training) return true;
  if (desc.p == 1) return false;
  const std::uint64_t draw = i / desc.run;
  if (desc.draw == DropoutDraw::bits32) {
    return random_word(desc.rng, draw) >= dropout_threshold(desc);
  }
  const std::uint32_t word = random_word(desc.rng, draw / 2);
  return (draw % 2 ? word >> 16 : word & 0xffff) >= dropout_threshold(desc);
}

namespace {
VkDeviceSize grid_bytes(const DeviceState& state, const DropoutDesc& desc, bool backward) {
  return grid_is_indirect(desc.count, group_items(state, desc, backward)) ? kGridScratchBytes : 0;
}
}  // namespace

ScratchNeed dropout_scratch(const Device& device, const DropoutDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return {grid_bytes(*device.state(), desc, false)};
}

ScratchNeed dropout_backward_scratch(const Device& device, const DropoutDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  if (desc.bias == DropoutBias::row && desc.count.max) {
    const Matrix matrix = matrix_of(desc);
    return {kSumsOffset + column_sums_bytes(*device.state(), matrix)};
  }
  return {grid_bytes(*device.state(), desc, true)};
}

Status record_dropout(VkCommandBuffer cmd, const Device& device, const DropoutDesc& desc,
                      const DropoutBuffers& buffers) {
  VKPRIMS_RECORD_CALL("dropout", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  const bool has_bias = desc.bias != DropoutBias::none, has_mask = desc.mask != DropoutMask::none;
  VKPRIMS_TRY(check_wanted(desc, "bias", buffers.bias, has_bias, "bias"));
  VKPRIMS_TRY(check_wanted(desc, "mask", buffers.mask, has_mask, "mask"));
  if (desc.alpha && buffers.residual.address) {
    return Status::error(Status::invalid_argument, "dropout: alpha is true, but residual is given");
  }
  const ScratchNeed need = dropout_scratch(device, desc);
  const std::uint32_t size = size_of(desc.type);
  const std::uint32_t out_pitch = pitch_of(desc, desc.out_pitch);
  const Argument out{"out", buffers.out, bytes_of(desc, desc.out_pitch), size, true};
  const Argument in{"in", buffers.in, bytes_of(desc, desc.in_pitch), size, false};
  const Argument residual{"residual", buffers.residual,
                          buffers.residual.address ? bytes_of(desc, desc.residual_pitch) : 0, size,
                          false};
  VkDeviceSize bias_bytes = 0;
  if (desc.bias == DropoutBias::row && desc.count.max)
    bias_bytes = VkDeviceSize{desc.columns} * size;
  if (desc.bias == DropoutBias::full) bias_bytes = bytes_of(desc, desc.bias_pitch);
  const Argument bias{"bias",
                      buffers.bias,
                      bias_bytes,
                      size,
                      false,
                      "",
                      desc.bias == DropoutBias::row ? "columns" : "the count"};
  const Argument mask{"mask", buffers.mask, dropout_mask_bytes(desc),
                      desc.mask == DropoutMask::bits ? VkDeviceSize{4} : VkDeviceSize{1}, true};
  const Argument rng = argument_of(desc.rng), scratch = argument_of(buffers.scratch, need);
  // An operand that is read where it is overwritten is checked on its own.
  const auto other_place = [&](const Argument& read, std::uint32_t pitch) {
    const bool in_place =
        read.view.address == out.view.address && pitch_of(desc, pitch) == out_pitch;
    return in_place ? Argument{} : read;
  };
  const Argument count = argument_of(desc.count);
  VKPRIMS_TRY(check_arguments("dropout", {in, residual, bias, mask, count, rng, scratch}));
  VKPRIMS_TRY(check_arguments(
      "dropout", {other_place(in, desc.in_pitch), other_place(residual, desc.residual_pitch), bias,
                  out, mask, count, rng, scratch}));
  if (desc.count.max == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  const Operands o{buffers.in, buffers.bias, buffers.residual, buffers.out};
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc, false, buffers.residual.address != 0, cells_of(desc, o),
                           may_compile, pipeline));
  RngAdvance advance;
  if (desc.training) VKPRIMS_TRY(advance.get(state, desc.rng, may_compile));
  OldGrid grid;
  VKPRIMS_TRY(make_grid(state, desc.count, group_items(state, desc, false), buffers.scratch,
                        may_compile, grid));
  CommandStream stream(state, cmd);
  stream.dispatch(pipeline, push_of(desc, o, buffers.mask, false), grid,
                  {reads(desc.count), reads(desc.rng), reads(o.in.address, in.need),
                   reads(o.bias.address, bias.need), reads(o.residual.address, residual.need),
                   writes(o.out.address, out.need), writes(buffers.mask.address, mask.need)});
  advance.record(stream, desc.rng, dropout_draws(desc), kBlockWords);
  return {};
}

Status record_dropout_backward(VkCommandBuffer cmd, const Device& device, const DropoutDesc& desc,
                               const DropoutBackwardBuffers& buffers) {
  VKPRIMS_RECORD_CALL("dropout_backward", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  VKPRIMS_TRY(check_wanted(desc, "mask", buffers.mask, desc.mask != DropoutMask::none, "mask"));
  const BufferView& sums_view = buffers.bias_gradient;
  if (sums_view.address && desc.bias != DropoutBias::row) {
    return Status::error(
        Status::invalid_argument,
        "dropout_backward: bias_gradient is given, but desc.bias is not DropoutBias::row");
  }
  DropoutDesc own = desc;  // without what only the gradient of the bias needs
  own.bias = DropoutBias::none;
  const ScratchNeed need = dropout_backward_scratch(device, sums_view.address ? desc : own);
  const std::uint32_t size = size_of(desc.type);
  const Argument out{"out", buffers.out, bytes_of(desc, desc.out_pitch), size, true};
  const Argument in{"gradient", buffers.gradient, bytes_of(desc, desc.in_pitch), size, false};
  const Argument mask{"mask", buffers.mask, dropout_mask_bytes(desc),
                      desc.mask == DropoutMask::bits ? VkDeviceSize{4} : VkDeviceSize{1}, false};
  const Argument sums_out{"bias_gradient",
                          sums_view,
                          sums_view.address ? VkDeviceSize{desc.columns} * size : 0,
                          size,
                          true,
                          "",
                          "columns"};
  Rng read_only = desc.rng;
  read_only.advance = false;
  const Argument rng = argument_of(read_only), scratch = argument_of(buffers.scratch, need);
  const Argument count = argument_of(desc.count);
  const bool in_place = in.view.address == out.view.address &&
                        pitch_of(desc, desc.in_pitch) == pitch_of(desc, desc.out_pitch);
  VKPRIMS_TRY(check_arguments("dropout_backward", {in, mask, sums_out, count, rng, scratch}));
  VKPRIMS_TRY(check_arguments(
      "dropout_backward", {in_place ? Argument{} : in, out, mask, sums_out, count, rng, scratch}));
  if (desc.count.max == 0 && sums_out.need == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  const Operands o{buffers.gradient, {}, {}, buffers.out};
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, own, true, false, cells_of(own, o), may_compile, pipeline));
  ColumnSums sums;
  if (sums_out.need)
    VKPRIMS_TRY(sums.get(state, desc.type, half_flag(state, desc.type), may_compile));
  OldGrid grid;
  VKPRIMS_TRY(make_grid(state, desc.count, group_items(state, desc, true), buffers.scratch,
                        may_compile, grid));
  CommandStream stream(state, cmd);
  if (desc.count.max) {
    stream.dispatch(pipeline, push_of(own, o, buffers.mask, true), grid,
                    {reads(desc.count), reads(read_only), reads(o.in.address, in.need),
                     reads(buffers.mask.address, mask.need), writes(o.out.address, out.need)});
  }
  if (sums_out.need) {
    const Access dx = reads(buffers.out.address, out.need);
    const Access gradient = writes(sums_view.address, sums_out.need);
    sums.record(stream, state, matrix_of(desc), dx, buffers.scratch.address + kSumsOffset,
                gradient);
  }
  return {};
}

Status warm_up(const Device& device, const DropoutDesc& desc) {
  VKPRIMS_WARM_UP_CALL("dropout", device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  DropoutDesc backward = desc;
  backward.bias = DropoutBias::none;
  VkPipeline pipeline;
  for (const Cells cells : {Cells::aligned, Cells::shifted, Cells::any}) {
    for (const bool residual : {false, true}) {
      if (residual && desc.alpha) continue;
      VKPRIMS_TRY(get_pipeline(state, desc, false, residual, cells, true, pipeline));
    }
    VKPRIMS_TRY(get_pipeline(state, backward, true, false, cells, true, pipeline));
  }
  if (desc.bias == DropoutBias::row) {
    ColumnSums sums;
    VKPRIMS_TRY(sums.get(state, desc.type, half_flag(state, desc.type), true));
  }
  RngAdvance advance;
  if (desc.training) VKPRIMS_TRY(advance.get(state, desc.rng, true));
  OldGrid grid;
  return make_grid(state, desc.count, group_items(state, desc, false), {}, true, grid);
}

}  // namespace vkprims

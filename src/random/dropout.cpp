// The host side of the primitives dropout and dropout_backward.
#include "vkprims/dropout.hpp"

#include "random/dropout_column_sums.hpp"
#include "random/dropout_desc.hpp"
#include "random/dropout_elements.hpp"
#include "random/rng.hpp"

namespace vkprims {
namespace {

// Refuses a view that is given although the descriptor has no use for it, and one that is missing.
// Without elements a view may be missing.
Status check_wanted(const char* primitive, const DropoutDesc& desc, const char* name,
                    const BufferView& view, bool wanted, const char* member) {
  if ((view.address != 0) == wanted || (wanted && desc.count.max == 0)) return {};
  return Status::error(Status::invalid_argument, "%s: %s is %s, but desc.%s says it is %s",
                       primitive, name, wanted ? "not given" : "given", member,
                       wanted ? "used" : "none");
}

Operand mask_of(const DropoutDesc& desc, const BufferView& mask, bool writes) {
  return {"mask", mask, dropout_mask_bytes(desc), desc.mask == DropoutMask::bits ? 4u : 1u, writes};
}

// An operand that may be overwritten where it is read.
Operand in_place_of_out(const DropoutDesc& desc, std::uint32_t pitch, const Operand& operand) {
  const bool same_rows = pitch_of(desc, pitch) == pitch_of(desc, desc.out_pitch);
  return same_rows ? in_place_of("out", operand) : operand;
}

DropoutOperands operands_of(const DropoutDesc& desc, const DropoutBuffers& buffers) {
  const std::uint32_t size = size_of(desc.type);
  const bool by_row = desc.bias == DropoutBias::row;
  VkDeviceSize bias_bytes = 0;
  if (by_row && desc.count.max) bias_bytes = VkDeviceSize{desc.columns} * size;
  if (desc.bias == DropoutBias::full) bias_bytes = dropout_view_bytes(desc, desc.bias_pitch);
  const VkDeviceSize residual_bytes =
      buffers.residual.address ? dropout_view_bytes(desc, desc.residual_pitch) : 0;
  const Operand in{"in", buffers.in, dropout_view_bytes(desc, desc.in_pitch), size, false};
  const Operand residual{"residual", buffers.residual, residual_bytes, size, false};
  return {
      .in = in_place_of_out(desc, desc.in_pitch, in),
      .bias = {"bias", buffers.bias, bias_bytes, size, false, "", by_row ? "columns" : "the count"},
      .residual = in_place_of_out(desc, desc.residual_pitch, residual),
      .out = {"out", buffers.out, dropout_view_bytes(desc, desc.out_pitch), size, true},
      .mask = mask_of(desc, buffers.mask, true)};
}

DropoutOperands operands_of(const DropoutDesc& desc, const DropoutBackwardBuffers& buffers) {
  const std::uint32_t size = size_of(desc.type);
  const Operand in{"gradient", buffers.gradient, dropout_view_bytes(desc, desc.in_pitch), size,
                   false};
  return {.in = in_place_of_out(desc, desc.in_pitch, in),
          .out = {"out", buffers.out, dropout_view_bytes(desc, desc.out_pitch), size, true},
          .mask = mask_of(desc, buffers.mask, false)};
}

Operand sums_of(const DropoutDesc& desc, const BufferView& view) {
  const std::uint32_t size = size_of(desc.type);
  const VkDeviceSize bytes = view.address ? VkDeviceSize{desc.columns} * size : 0;
  return {"bias_gradient", view, bytes, size, true, "", "columns"};
}

// The elements in the backward direction: no bias is added, and the forward call has advanced the
// state.
DropoutDesc backward_of(const DropoutDesc& desc) {
  DropoutDesc backward = desc;
  backward.bias = DropoutBias::none;
  backward.rng.advance = false;
  return backward;
}

// The matrix that backward leaves in `out` and whose columns are summed.
Matrix matrix_of(const DropoutDesc& desc) {
  return {desc.type, desc.count, desc.columns, pitch_of(desc, desc.out_pitch)};
}
constexpr VkDeviceSize kSumsOffset = kGridScratchBytes;
constexpr std::uint32_t kBlockWords = 2;  // log2 of a block of random words

ScratchNeed backward_need(const DeviceState& state, const DropoutDesc& desc, bool sums) {
  if (sums && desc.count.max) return {kSumsOffset + column_sums_bytes(state, matrix_of(desc))};
  return dropout_elements_need(state, desc, true);
}

Status check_buffers(const DeviceState& state, const DropoutDesc& desc, const DropoutOperands& o,
                     const DropoutBuffers& buffers) {
  const bool has_bias = desc.bias != DropoutBias::none, has_mask = desc.mask != DropoutMask::none;
  VKPRIMS_TRY(check_wanted("dropout", desc, "bias", buffers.bias, has_bias, "bias"));
  VKPRIMS_TRY(check_wanted("dropout", desc, "mask", buffers.mask, has_mask, "mask"));
  if (desc.alpha && buffers.residual.address) {
    return Status::error(Status::invalid_argument, "dropout: alpha is true, but residual is given");
  }
  return check_operands(
      "dropout",
      {o.in, o.residual, o.bias, o.out, o.mask, operand_of(desc.count), operand_of(desc.rng),
       operand_of(buffers.scratch, dropout_elements_need(state, desc, false))});
}

Status check_buffers(const DeviceState& state, const DropoutDesc& desc, const DropoutOperands& o,
                     const Operand& sums, const DropoutBackwardBuffers& buffers) {
  const bool has_mask = desc.mask != DropoutMask::none;
  VKPRIMS_TRY(check_wanted("dropout_backward", desc, "mask", buffers.mask, has_mask, "mask"));
  if (sums.address() && desc.bias != DropoutBias::row) {
    return Status::error(
        Status::invalid_argument,
        "dropout_backward: bias_gradient is given, but desc.bias is not DropoutBias::row");
  }
  return check_operands(
      "dropout_backward",
      {o.in, o.out, o.mask, sums, operand_of(desc.count), operand_of(backward_of(desc).rng),
       operand_of(buffers.scratch, backward_need(state, desc, sums.address() != 0))});
}

Status add_dropout(Commands& commands, const DropoutDesc& desc, const DropoutOperands& operands,
                   const Scratch& scratch) {
  if (desc.count.max == 0) return {};
  VKPRIMS_TRY(add_dropout_elements(commands, desc, operands, scratch, false));
  if (!desc.training) return {};
  return add_rng_advance(commands, desc.rng, dropout_draws(desc), kBlockWords);
}

Status add_dropout_backward(Commands& commands, const DropoutDesc& desc,
                            const DropoutOperands& operands, const Operand& sums,
                            const Scratch& scratch) {
  VKPRIMS_TRY(add_dropout_elements(commands, backward_of(desc), operands, scratch, true));
  if (sums.need == 0) return {};
  return add_column_sums(commands, matrix_of(desc), operands.out, sums,
                         scratch.address + kSumsOffset);
}

}  // namespace

ScratchNeed dropout_scratch(const Device& device, const DropoutDesc& desc) {
  if (!device || !check_dropout_desc("dropout", *device.state(), desc)) return {};
  return dropout_elements_need(*device.state(), desc, false);
}

ScratchNeed dropout_backward_scratch(const Device& device, const DropoutDesc& desc) {
  if (!device || !check_dropout_desc("dropout_backward", *device.state(), desc)) return {};
  return backward_need(*device.state(), desc, desc.bias == DropoutBias::row);
}

Status record_dropout(VkCommandBuffer cmd, const Device& device, const DropoutDesc& desc,
                      const DropoutBuffers& buffers) {
  return record_call("dropout", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_dropout_desc("dropout", commands.state(), desc));
    const DropoutOperands operands = operands_of(desc, buffers);
    VKPRIMS_TRY(check_buffers(commands.state(), desc, operands, buffers));
    return add_dropout(commands, desc, operands, buffers.scratch);
  });
}

Status record_dropout_backward(VkCommandBuffer cmd, const Device& device, const DropoutDesc& desc,
                               const DropoutBackwardBuffers& buffers) {
  return record_call("dropout_backward", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_dropout_desc("dropout_backward", commands.state(), desc));
    const DropoutOperands operands = operands_of(desc, buffers);
    const Operand sums = sums_of(desc, buffers.bias_gradient);
    VKPRIMS_TRY(check_buffers(commands.state(), desc, operands, sums, buffers));
    return add_dropout_backward(commands, desc, operands, sums, buffers.scratch);
  });
}

Status warm_up(const Device& device, const DropoutDesc& desc) {
  return warm_up_call("dropout", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_dropout_desc("dropout", commands.state(), desc));
    DropoutDesc any = desc;
    any.count.max = kMaxCount;
    // Everything is aligned, or something is not, or that is in place.
    constexpr VkDeviceAddress kPlaces[][2] = {{16, 32}, {24, 32}, {24, 24}};
    for (const auto& [in, out] : kPlaces) {
      for (const VkDeviceAddress residual : {VkDeviceAddress{0}, in}) {
        if (residual && desc.alpha) continue;
        const DropoutBuffers buffers{.in = {in}, .residual = {residual}, .out = {out}};
        VKPRIMS_TRY(add_dropout(commands, any, operands_of(any, buffers), {}));
      }
      const DropoutBackwardBuffers buffers{.gradient = {in}, .out = {out}};
      const Operand sums = sums_of(any, {desc.bias == DropoutBias::row ? out : 0});
      VKPRIMS_TRY(add_dropout_backward(commands, any, operands_of(any, buffers), sums, {}));
    }
    return Status();
  });
}

}  // namespace vkprims

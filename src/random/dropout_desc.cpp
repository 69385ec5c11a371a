// The descriptor of dropout and dropout_backward: its checks, and what follows from it on the host.
#include "random/dropout_desc.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>

#include "random/rng.hpp"
#include "runtime/arithmetic.hpp"

namespace vkprims {
namespace {

constexpr std::uint32_t kMaxColumns = (std::uint32_t{1} << 31) - 1;

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

Status check_range(const char* primitive, const char* name, std::uint32_t value,
                   std::uint32_t low) {
  if (value >= low && value <= kMaxColumns) return {};
  return Status::error(Status::invalid_argument, "%s: %s is %u, must be %u … %u", primitive, name,
                       value, low, kMaxColumns);
}

}  // namespace

bool is_pitched(const DropoutDesc& desc) {
  return std::any_of(std::begin(kPitches), std::end(kPitches), [&](const Pitch& pitch) {
    return desc.*pitch.value != 0 && desc.*pitch.value != desc.columns;
  });
}

Status check_dropout_desc(const char* primitive, const DeviceState& state,
                          const DropoutDesc& desc) {
  VKPRIMS_TRY(check_enum(primitive, "type", desc.type, DropoutType::f64));
  VKPRIMS_TRY(check_enum(primitive, "mask", desc.mask, DropoutMask::bytes));
  VKPRIMS_TRY(check_enum(primitive, "draw", desc.draw, DropoutDraw::bits16));
  VKPRIMS_TRY(check_enum(primitive, "bias", desc.bias, DropoutBias::full));
  if (desc.type == DropoutType::f64) VKPRIMS_TRY(check_type(primitive, state, Type::f64));
  VKPRIMS_TRY(check_count(primitive, desc.count));
  VKPRIMS_TRY(check_rng(primitive, desc.rng));
  if (!(desc.p >= 0 && desc.p <= 1)) {
    return Status::error(Status::invalid_argument, "%s: p is %g, must be 0 … 1", primitive, desc.p);
  }
  VKPRIMS_TRY(check_range(primitive, "run", desc.run, 1));
  const bool needs_columns = desc.bias == DropoutBias::row || is_pitched(desc);
  VKPRIMS_TRY(check_range(primitive, "columns", desc.columns, needs_columns ? 1 : 0));
  for (const Pitch& pitch : kPitches) {
    if (desc.*pitch.value == 0 || desc.*pitch.value >= desc.columns) continue;
    return Status::error(Status::invalid_argument,
                         "%s: %s is %u, must be 0 or at least columns, %u", primitive, pitch.name,
                         desc.*pitch.value, desc.columns);
  }
  const auto check_number = [&](std::uint64_t number, const char* what, std::uint32_t size) {
    if (number <= 0xffffffffu) return Status();
    return Status::error(Status::invalid_argument,
                         "%s: count.max is %" PRIu64 ", must be at most 2^32 - 1 %s of %u",
                         primitive, desc.count.max, what, size);
  };
  VKPRIMS_TRY(check_number(rows_of(desc), "rows", desc.columns));
  if (desc.run > 1) VKPRIMS_TRY(check_number(desc.count.max / desc.run, "runs", desc.run));
  if (desc.alpha && desc.bias != DropoutBias::none) {
    return Status::error(Status::invalid_argument,
                         "%s: alpha is true, but bias is not DropoutBias::none", primitive);
  }
  return {};
}

VkDeviceSize dropout_view_bytes(const DropoutDesc& desc, std::uint32_t pitch) {
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
  if (desc.alpha) return 1 / std::sqrt((kDropoutSeluLimit * kDropoutSeluLimit * p + 1) * (1 - p));
  return 1 / (1 - p);
}

std::uint64_t dropout_draws(const DropoutDesc& desc) {
  if (!desc.training || desc.run == 0) return 0;
  return ceil_div(ceil_div(desc.count.max, desc.run), 32 / draw_bits(desc));
}

VkDeviceSize dropout_mask_bytes(const DropoutDesc& desc) {
  if (desc.mask == DropoutMask::none) return 0;
  return desc.mask == DropoutMask::bits ? mask_bytes(desc.count.max) : desc.count.max;
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

}  // namespace vkprims

#include "strings/long_rows.hpp"

#include <algorithm>

namespace vkprims::strings {
namespace {

// Units of a large column are larger, so that a long row does not have too many. They have at most
// 1 MiB, which a workgroup does in 256 turns.
std::uint32_t unit_shift(std::uint64_t chars_bytes) {
  constexpr std::uint64_t kManyUnits = 16384;
  constexpr std::uint32_t kMostShift = 20;
  std::uint32_t shift = VKP_STRINGS_LEAST_UNIT_SHIFT;
  while (shift < kMostShift && chars_bytes >> shift > kManyUnits) ++shift;
  return shift;
}

}  // namespace

std::uint32_t rope_workgroup_size(const DeviceState& state) {
  return std::min<std::uint32_t>(state.tuning.workgroup_size, VKP_STRINGS_ROPE_WORKGROUP);
}

Grid grid_of_some(std::uint64_t most) {
  constexpr std::uint64_t kMostGroups = 2048;  // as many as devices have at a time
  return Grid(std::clamp<std::uint64_t>(most, 1, kMostGroups));
}

Grid LongRowTables::list_grid(const DeviceState& state, std::uint64_t rows) {
  const std::uint64_t tile = std::uint64_t{rope_workgroup_size(state)} * VKP_STRINGS_ROWS;
  return Grid(std::max<std::uint64_t>(ceil_div(rows, tile), 1));
}

VkDeviceSize LongRowTables::zero_bytes() const {
  return empty() ? 0 : round_up(VKP_STRINGS_LONG_HEADER_BYTES + 8 * capacity_, 16);
}

// The other tables are units, results, and sums.
VkDeviceSize LongRowTables::other_bytes() const {
  return empty() ? 0 : round_up(8 * capacity_ + (8 + sum_bytes_) * (capacity_ + 1), 16);
}

LongTables LongRowTables::at(VkDeviceAddress zero, VkDeviceAddress others) const {
  if (empty()) return {};
  return {.rows = zero,
          .units = others,
          .capacity = static_cast<std::uint32_t>(std::min<std::uint64_t>(capacity_, UINT32_MAX)),
          .unit_shift = unit_shift(chars_bytes_)};
}

Status add_unit_sums(Commands& commands, const KernelInputs& inputs, const LongKernels& kernels,
                     const LongRowTables& tables, std::uint64_t rows, std::uint32_t operation) {
  const Specialization constants = long_specialization(commands.state(), operation);
  VKPRIMS_TRY(inputs.dispatch(commands, kernels.list, constants,
                              LongRowTables::list_grid(commands.state(), rows)));
  VKPRIMS_TRY(inputs.dispatch(commands, kernels.sums, constants, tables.units_grid()));
  return inputs.dispatch(commands, kernels.second_sums, constants, tables.units_grid());
}

}  // namespace vkprims::strings

#include "strings/long_rows.hpp"

#include <algorithm>

#include "runtime/push.hpp"
#include "spirv/strings_long_rows.hpp"

namespace vkprims::strings {
namespace {

constexpr VkDeviceSize multiple_of_16(VkDeviceSize bytes) { return (bytes + 15) / 16 * 16; }

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

OldGrid LongRowTables::list_grid(const DeviceState& state, std::uint64_t rows) {
  const std::uint64_t tile = std::uint64_t{rope_workgroup_size(state)} * VKP_STRINGS_ROWS;
  OldGrid grid;
  grid.groups = std::max<std::uint64_t>((rows + tile - 1) / tile, 1);
  return grid;
}

VkDeviceSize LongRowTables::zero_bytes() const {
  return empty() ? 0 : multiple_of_16(VKP_STRINGS_LONG_HEADER_BYTES + 8 * capacity_);
}

// The other tables are units, results, and sums.
VkDeviceSize LongRowTables::other_bytes() const {
  return empty() ? 0 : multiple_of_16(8 * capacity_ + (8 + sum_bytes_) * (capacity_ + 1));
}

LongTables LongRowTables::at(VkDeviceAddress zero, VkDeviceAddress others) const {
  if (empty()) return {};
  return {.rows = zero,
          .units = others,
          .capacity = static_cast<std::uint32_t>(std::min<std::uint64_t>(capacity_, UINT32_MAX)),
          .unit_shift = unit_shift(chars_bytes_)};
}

Status get_long_pipelines(DeviceState& state, const LongKernels& kernels, std::uint32_t operation,
                          bool may_compile, LongPipelines& pipelines) {
  Specialization constants{.workgroup_size = rope_workgroup_size(state)};
  // VKP_STRINGS_SPEC_PLAIN stays 0: what these kernels ask of columns costs nothing compared with
  // their bytes.
  constants.own[VKP_STRINGS_SPEC_OP - VKP_SPEC_FIRST_OWN] = operation;
  const auto get = [&](const Spirv* spirv, VkPipeline& pipeline) {
    return spirv ? state.pipelines.get(state.vk, *spirv, constants, may_compile, pipeline)
                 : Status{};
  };
  VKPRIMS_TRY(get(kernels.list ? kernels.list : &spirv::strings_long_rows_rows, pipelines.list));
  VKPRIMS_TRY(get(kernels.sums, pipelines.sums));
  VKPRIMS_TRY(get(kernels.second_sums, pipelines.second_sums));
  VKPRIMS_TRY(get(kernels.rows, pipelines.rows));
  return get(kernels.behind, pipelines.behind);
}

OldGrid grid_of_some(std::uint64_t most) {
  constexpr std::uint64_t kMostGroups = 2048;  // as many as devices have at a time
  OldGrid grid;
  grid.groups = std::clamp<std::uint64_t>(most, 1, kMostGroups);
  return grid;
}

}  // namespace vkprims::strings

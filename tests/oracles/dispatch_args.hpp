// Oracle of vkprims/dispatch_args.hpp.
#pragma once

#include <array>
#include <cstdint>

namespace vkprims::oracle {

/// Returns {x, y, 1} for `count` items, which the caller has clamped to Count::max.
inline std::array<std::uint32_t, 3> dispatch_args(std::uint64_t count,
                                                  std::uint64_t items_per_group) {
  constexpr std::uint64_t kMaxGroupsPerDimension = 65535;
  const std::uint64_t groups = count / items_per_group + (count % items_per_group != 0);
  if (groups == 0) return {0, 1, 1};
  const std::uint64_t y = (groups - 1) / kMaxGroupsPerDimension + 1;
  const std::uint64_t x = (groups - 1) / y + 1;
  return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 1};
}

}  // namespace vkprims::oracle

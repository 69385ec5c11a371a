// How kernels are shaped on a device.
#pragma once

#include <cstdint>

#include "vkprims/device.hpp"

namespace vkprims {

struct TuningKey {
  std::uint32_t vendor;
  std::uint32_t driver;  // VkDriverId
  std::uint32_t subgroup_size;
};

/// The table's row for a device, within `max_workgroup`; fields of `wanted` that are not 0 take
/// precedence, and outside their ranges are an error.
Status choose_tuning(const TuningKey& key, std::uint32_t max_workgroup, const Tuning& wanted,
                     Tuning& tuning);

}  // namespace vkprims

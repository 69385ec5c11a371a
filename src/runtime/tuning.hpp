// How kernels are shaped on a device.
#pragma once

#include <algorithm>
#include <cstdint>

#include "vkprims/device.hpp"

namespace vkprims {

/// Turns of loops that an invocation may make where a number of workgroups shares data of any size: so many of them are
/// dispatched that none makes more. Lavapipe of Mesa 22.3 ends loops after 65,535 turns, and a device that draws a desktop
/// is reset after seconds.
inline constexpr std::uint64_t kMostTurns = 4'000;

struct TuningKey {
  std::uint32_t vendor;
  std::uint32_t driver;  // VkDriverId
  std::uint32_t subgroup_size;
};

/// The table's row for a device, within `max_workgroup`; fields of `wanted` that are not 0 take
/// precedence, and outside their ranges are an error.
Status choose_tuning(const TuningKey& key, std::uint32_t max_workgroup, const Tuning& wanted,
                     Tuning& tuning);

/// What look-backs in segments, of runs and by key take for a number of elements: small tiles where there would be few.
inline Tuning tuning_for(const Tuning& tuning, std::uint64_t count) {
  Tuning own = tuning;
  if (count > tuning.small_count) return own;
  own.segment_rows = std::min(own.segment_rows, 2u);
  own.run_rows = std::min(own.run_rows, 4u);
  own.key_rows = std::min(own.key_rows, 2u);
  own.segment_batches = own.run_batches = own.key_batches = 1;
  own.key_workgroup_size = own.scan_workgroup_size;
  return own;
}

}  // namespace vkprims

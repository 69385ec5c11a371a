// How kernels are shaped on a device.
#pragma once

#include <algorithm>
#include <cstdint>

#include "vkprims/device.hpp"

namespace vkprims {

/// Turns of loops that an invocation may make where a number of workgroups shares data of any size:
/// so many of them are dispatched that none makes more turns. Lavapipe of Mesa 22.3 ends loops
/// after 65,535 turns, and a device that draws a desktop is reset after seconds.
inline constexpr std::uint64_t kMostTurns = 4'000;

struct TuningKey {
  std::uint32_t vendor;
  std::uint32_t driver;  // VkDriverId
  std::uint32_t subgroup_size;
};

/// Whether a member may have this value on a device with workgroups within `max_workgroup`. `where`
/// begins the message of an error, up to the member's name.
Status check_field(const char* where, const TuningField& field, std::uint32_t value,
                   std::uint32_t max_workgroup);

/// Chooses the table's row for a device, with workgroups within `max_workgroup`. Fields of `wanted`
/// that are not 0 take precedence; it is an error if they are outside their ranges.
Status choose_tuning(const TuningKey& key, std::uint32_t max_workgroup, const Tuning& wanted,
                     Tuning& tuning);

/// The largest number of elements of which select, partition and unique have small tiles.
inline std::uint64_t most_small_compaction(const Tuning& tuning) { return tuning.small_count / 4; }

/// The tuning of look-backs in segments, of runs, by key and of compactions, for a number of
/// elements: tiles are small if there would be few of them.
inline Tuning tuning_for(const Tuning& tuning, std::uint64_t count) {
  Tuning own = tuning;
  if (count > tuning.small_count) return own;
  if (count <= most_small_compaction(tuning)) {
    own.compact_rows = std::min(own.compact_rows, 2u);
    own.compact_batches = 1;
  }
  own.segment_rows = std::min(own.segment_rows, 2u);
  own.run_rows = std::min(own.run_rows, 4u);
  own.key_rows = std::min(own.key_rows, 2u);
  own.segment_batches = own.run_batches = own.key_batches = 1;
  own.key_workgroup_size = own.scan_workgroup_size;
  return own;
}

}  // namespace vkprims

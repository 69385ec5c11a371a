// What tests and experiments change in a Device, and applications do not: limits that are lower
// than those of the device, and faults and statistics of look-backs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vkprims/device.hpp"

namespace vkprims {

/// Diagnostics of look-backs. Results stay right, except with VKP_SEED_ALONE of
/// stack/stack_match/seed_window.abi.h.
struct LookbackDiagnostics {
  /// Counts polls, fallbacks and more into the words of the scratch that vkprims/device/lookback.h
  /// names.
  bool statistics = false;
  std::uint32_t faults = 0;  // VKP_LOOKBACK_SILENT … of vkprims/device/lookback.h
  std::uint32_t period = 1;  // distance in tiles between two faults; at least 1
};

struct DeviceHooks {
  LookbackDiagnostics lookback;
  bool shared16k = false;     // workgroups have 16 KiB of shared memory
  bool workgroup128 = false;  // and at most 128 invocations
  bool dispatches_fills = false;  // as on a graphics queue of NVIDIA's
};

/// Device::create() with hooks.
Status create_device(const DeviceInfo& info, const DeviceHooks& hooks, Device& device);

/// Removes the names "shared16k", "workgroup128" and "dispatched_fills" from a mask
/// (Features::mask) and sets what they name.
std::string take_hooks(std::string_view mask, DeviceHooks& hooks);

}  // namespace vkprims

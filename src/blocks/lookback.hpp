// The host side of shaders/vkprims/device/lookback.glsl.
#pragma once

#include "runtime/device_state.hpp"
#include "vkprims/device/lookback.h"

namespace vkprims {

/// Whether the device publishes states as 64-bit words (the shaders' variant word64).
inline bool lookback_is_wide(const DeviceState& state) {
  return state.info.enabled.int64 && state.info.enabled.int64_atomics;
}

/// Bytes of scratch for the look-back of `tiles` tiles; all of them must be 0 before the dispatch.
inline VkDeviceSize lookback_bytes(std::uint64_t tiles, std::uint32_t element_words) {
  return VKP_LOOKBACK_HEADER_BYTES + tiles * VKP_LOOKBACK_SLOT_BYTES(element_words);
}

inline LookbackConstants lookback_constants(const DeviceState& state, bool in_place) {
  const LookbackDiagnostics& diagnostics = state.hooks.lookback;
  return {.spins = state.tuning.spin_limit,
          .pause = state.tuning.lookback_pause,
          .by_group = state.tuning.tile_order == TileOrder::workgroup,
          .in_place = in_place,
          .statistics = diagnostics.statistics,
          .faults = diagnostics.faults,
          .period = diagnostics.period};
}

}  // namespace vkprims

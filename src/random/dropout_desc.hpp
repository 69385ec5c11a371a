// The descriptor that dropout and dropout_backward share.
#pragma once

#include "runtime/device_state.hpp"
#include "vkprims/dropout.hpp"

namespace vkprims {

inline constexpr double kDropoutSeluLimit = 1.7580993408473766;  // -lambda * alpha of SELU

Status check_dropout_desc(const char* primitive, const DeviceState& state, const DropoutDesc& desc);

/// Whether some view has gaps between its rows.
bool is_pitched(const DropoutDesc& desc);
inline std::uint32_t pitch_of(const DropoutDesc& desc, std::uint32_t pitch) {
  return pitch ? pitch : desc.columns;
}

/// Bytes up to the end of the last element of a view.
VkDeviceSize dropout_view_bytes(const DropoutDesc& desc, std::uint32_t pitch);

}  // namespace vkprims

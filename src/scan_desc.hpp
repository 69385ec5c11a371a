// What descriptors of scans have in common, in segments or not.
#pragma once

#include "device_state.hpp"
#include "vkprims/scan.hpp"

namespace vkprims {

/// Bytes of an input element.
std::uint32_t input_size(const ScanDesc& desc);

Status check_scan_desc(const char* primitive, const DeviceState& state, const ScanDesc& desc);

enum class ScanPath { one_group, look_back, strips };

ScanPath scan_path(const Tuning& tuning, const ScanDesc& desc);

}  // namespace vkprims

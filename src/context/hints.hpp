// Why a system shows no GPU to Vulkan, in words that say what to do.
#pragma once

#include <string>

namespace vkprims {

inline constexpr char kNoLoader[] =
    "no Vulkan loader found (libvulkan.so.1, vulkan-1.dll, libvulkan.dylib; Debian and Ubuntu: the "
    "package libvulkan1)";

/// What may be wrong on a system whose Vulkan offers no device (`has_cpu_device` is false), or only
/// one that runs on the CPU.
std::string device_hints(bool has_cpu_device);

}  // namespace vkprims

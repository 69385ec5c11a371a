// The flags --list-devices and --info.
#pragma once

#include <string>

#include "vkprims/context.hpp"

namespace vkprims::bench {

/// Prints all devices, which one `info` chooses, and why the others are not chosen. Returns the
/// exit status: 0 if a device can be used.
int print_devices(const ContextInfo& info);

/// Prints everything about the device that a bug report or a result needs.
void print_info(const Context& context);

}  // namespace vkprims::bench

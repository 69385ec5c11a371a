// Descriptors that together ask for every pipeline of the library.
#pragma once

#include <functional>

#include "vkprims/device.hpp"

namespace vkprims::pipelines {

/// Calls warm_up() of every primitive on `device` with all types, operators and options that select
/// a kernel, each time after calling `begin` with the primitive's name. Combinations that the
/// primitive or the device refuses need no pipelines; any other failure is thrown as Error.
void warm_up_everything(const Device& device, const std::function<void(const char*)>& begin);

}  // namespace vkprims::pipelines

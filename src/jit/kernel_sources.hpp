// The kernels of monoids as files of the GLSL library; the build makes the table by the list that
// vkprims_add_monoid() has.
#pragma once

#include "jit/own_source.hpp"
#include "vkprims/monoid.hpp"

namespace vkprims::jit {

KernelSource kernel_source(MonoidKernel kernel);

}  // namespace vkprims::jit

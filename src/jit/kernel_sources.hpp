// The kernels of monoids as files of the GLSL library; the build makes the table by the list that
// vkprims_add_monoid() has.
#pragma once

#include "vkprims/monoid.hpp"

namespace vkprims::jit {

struct KernelSource {
  const char* name;   // as in MonoidKernel
  const char* file;   // null: no such kernel
  const char* state;  // word32, word64, or empty without look-back
};

KernelSource kernel_source(MonoidKernel kernel);

}  // namespace vkprims::jit

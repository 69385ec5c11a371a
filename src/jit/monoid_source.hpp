// A monoid's source as vkprims_add_monoid() takes it.
#pragma once

#include "jit/glsl_type.hpp"

namespace vkprims::jit {

struct MonoidSource {
  std::string glsl;  // vkprims_monoid.glsl, which the kernels include
  GlslType element, in, out;
  bool has_load = false, has_store = false, commutes = false;
};

/// Reads a source, which vkprims_monoid.glsl includes by its name.
Status read_monoid(const std::string& name, std::string_view source, MonoidSource& monoid);

}  // namespace vkprims::jit

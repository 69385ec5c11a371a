// What the tests of vkprims::jit share.
#pragma once

#include <cstring>
#include <string>

#include "own_sources.hpp"
#include "support/support.hpp"
#include "vkprims/jit.hpp"

namespace vkprims::test {

/// Returns the Compiler of the whole run. It is used with other Devices, too, all of which live as
/// long.
inline const jit::Compiler& compiler() {
  static const jit::Compiler compiler(context().device());
  return compiler;
}

/// Returns the source of a monoid that the build knows as well.
inline std::string source_of(const std::string& name) {
  for (const auto& monoid : kOwnMonoids) {
    if (monoid.name == name) return monoid.source;
  }
  return "";
}

}  // namespace vkprims::test

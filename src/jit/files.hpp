// GLSL in memory: that of the library, which the build puts here, and what is made at run time.
#pragma once

#include <span>
#include <string_view>

namespace vkprims::jit {

/// A file by the name that #include gives it, relative to shaders/.
struct File {
  std::string_view name, text;
};

/// The GLSL library and the kernels that are compiled for monoids of users, sorted by name.
std::span<const File> files();
/// A hash of all of them, in hexadecimal digits.
const char* files_hash();

}  // namespace vkprims::jit

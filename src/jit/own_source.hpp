// What functions, monoids and orders from text have in common: functions that are made of
// expressions, types that C++ and GLSL agree on, and modules that are compiled when they are first
// needed.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jit/compiler_state.hpp"
#include "jit/glsl_type.hpp"

namespace vkprims::jit {

/// Checks the name of a source, which GLSL includes by it.
Status check_source_name(const char* what, const std::string& name);

/// The error of a source that says something wrong.
Status source_error(const std::string& name, const std::string& sentence);

/// A GLSL function with this head, such as "float f(float x) {", which returns a `result`. Its body
/// is an expression, or statements with a return; messages count its lines.
std::string function_of(const std::string& head, const std::string& result, const std::string& name,
                        const std::string& body);

/// Checks that a C++ type, a template parameter of this name, may be a type of the source.
Status check_type(const std::string& name, const char* parameter, std::uint32_t bytes,
                  ValueKind kind, const GlslType& type);

/// A kernel as a file of the GLSL library.
struct KernelSource {
  const char* name;   // in names of modules
  const char* file;   // null: no such kernel
  const char* state;  // word32, word64, or empty without look-back
};

/// Kernels with the same source, of which each is compiled when a call first needs it.
struct OwnModules {
  std::shared_ptr<CompilerState> compiler;
  std::string name;  // of the source
  const char* what;  // it is, in messages
  std::vector<std::string> definitions;
  std::vector<OwnFile> files;
  Status status;

  /// Gives the kernel with this number, or null if there is no such kernel.
  Status find(std::size_t number, const KernelSource& source, const Spirv*& spirv) const;

  static constexpr std::size_t kMost = 64;

 private:
  // What the compiler has given, so that calls need not compare sources.
  mutable std::array<std::atomic<const Spirv*>, kMost> modules_{};
};

}  // namespace vkprims::jit

// What a Compiler and the kernels that it has made share: shaderc, and the modules that it
// compiled.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "vkprims/jit.hpp"

namespace vkprims::jit {

/// A text that sources may include, besides those of files().
struct OwnFile {
  std::string name, text;
};

/// A module to compile.
struct Request {
  std::string name;  // of the module, in tools
  std::string what;  // what does not compile, in messages, e.g. "monoid path"
  std::string file;  // the main text: one of `files`, or else of the library
  std::vector<std::string> definitions;
  std::vector<OwnFile> files;
};

/// What is known of the device.
struct DeviceLimits {
  Features features;
  std::uint32_t largest_workgroup = 0;
  std::uint32_t shared_bytes = 0;
  bool has_wide_states = false;  // for look-back
};

struct CompilerState {
  CompilerState();
  ~CompilerState();
  CompilerState(const CompilerState&) = delete;
  CompilerState& operator=(const CompilerState&) = delete;

  /// Gives a module, which is compiled if it is neither here nor in the directory. It lives as long
  /// as this object. May be called from any thread; of two that ask for the same module, one waits
  /// for the other.
  Status get(const Request& request, const Spirv*& spirv);

  CompilerInfo info;
  DeviceLimits device;
  Status status;  // an error if there is no device
  std::atomic<std::uint64_t> compiled{0}, from_memory{0}, from_disk{0}, not_written{0};

 private:
  struct Module;
  Status compile(const Request& request, std::vector<std::uint32_t>& words) const;

  void* compiler_ = nullptr;  // shaderc_compiler_t
  std::mutex mutex_;          // guards the map, not the modules
  std::unordered_map<std::string, std::unique_ptr<Module>> modules_;
};

/// The text of a file that a request sees under this name.
bool find_text(const Request& request, std::string_view name, std::string_view& text);

/// An error from what shaderc says: its messages, each with the line that it is about.
Status compile_error(const Request& request, std::string_view messages);

/// Modules in a directory, as files that are named by a hash of the key. Reads one that is whole
/// and has this key.
bool read_module(const std::string& directory, const std::string& key,
                 std::vector<std::uint32_t>& words);
/// Writes one, so that no reader ever sees a part of it.
bool write_module(const std::string& directory, const std::string& key,
                  const std::vector<std::uint32_t>& words);

}  // namespace vkprims::jit

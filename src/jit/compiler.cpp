// Compiler: GLSL to SPIR-V, in memory.
#include <shaderc/shaderc.h>

#include <algorithm>
#include <cstring>

#include "blocks/lookback.hpp"
#include "jit/compiler_state.hpp"
#include "jit/files.hpp"
#include "jit/glsl_type.hpp"
#include "runtime/device_state.hpp"
#include "runtime/validate.hpp"

namespace vkprims::jit {
namespace {

// What shaderc is given of an included file.
struct Included {
  shaderc_include_result result;
  std::string name, message;
};

std::string directory_of(std::string_view name) {
  const std::size_t end = name.rfind('/');
  return end == std::string_view::npos ? "" : std::string(name.substr(0, end + 1));
}

shaderc_include_result* include(void* user_data, const char* requested, int type,
                                const char* requesting, std::size_t) {
  const Request& request = *static_cast<const Request*>(user_data);
  auto* included = new Included{};
  std::string_view text;
  included->name = directory_of(requesting) + requested;
  if (type != shaderc_include_type_relative || !find_text(request, included->name, text)) {
    included->name = requested;
    if (!find_text(request, included->name, text)) {
      // No name means that there is no file, and the text is the message then.
      included->name.clear();
      included->message = "neither this source nor the GLSL library";
      text = included->message;
    }
  }
  included->result = {included->name.data(), included->name.size(), text.data(), text.size(),
                      included};
  return &included->result;
}

void release(void*, shaderc_include_result* result) {
  delete static_cast<Included*>(result->user_data);
}

void append_part(std::string& key, std::string_view part) {
  key += std::to_string(part.size());
  key += ':';
  key += part;
  key += '\n';
}

// Everything that decides on the module. SPIR-V is the same for all devices.
std::string key_of(const Request& request) {
  unsigned version = 0, revision = 0;
  shaderc_get_spv_version(&version, &revision);
  std::string key = std::string("vkprims::jit ") + files_hash() + ' ' + std::to_string(version) +
                    '.' + std::to_string(revision) + '\n';
  append_part(key, request.name);
  append_part(key, request.file);
  for (const std::string& one : request.definitions) append_part(key, one);
  key += '\n';
  for (const OwnFile& file : request.files) {
    append_part(key, file.name);
    append_part(key, file.text);
  }
  return key;
}

}  // namespace

bool find_text(const Request& request, std::string_view name, std::string_view& text) {
  for (const OwnFile& file : request.files) {
    if (file.name != name) continue;
    text = file.text;
    return true;
  }
  const std::span<const File> all = files();
  const auto found = std::lower_bound(all.begin(), all.end(), name,
                                      [](const File& a, std::string_view b) { return a.name < b; });
  if (found == all.end() || found->name != name) return false;
  text = found->text;
  return true;
}

struct CompilerState::Module {
  std::mutex mutex;  // guards what follows
  bool is_done = false;
  std::string name;
  std::vector<std::uint32_t> words;
  Spirv spirv{};
};

CompilerState::CompilerState() : compiler_(shaderc_compiler_initialize()) {}

CompilerState::~CompilerState() {
  shaderc_compiler_release(static_cast<shaderc_compiler_t>(compiler_));
}

Status CompilerState::compile(const Request& request, std::vector<std::uint32_t>& words) const {
  std::string_view text;
  if (!find_text(request, request.file, text)) {
    return Status::error(Status::unsupported, "jit: %s: the GLSL library has no %s",
                         request.what.c_str(), request.file.c_str());
  }
  const shaderc_compile_options_t options = shaderc_compile_options_initialize();
  shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan,
                                         shaderc_env_version_vulkan_1_2);
  shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_performance);
  shaderc_compile_options_set_suppress_warnings(options);
  shaderc_compile_options_set_include_callbacks(options, include, release,
                                                const_cast<Request*>(&request));
  for (const std::string& one : request.definitions) {
    const std::size_t end = std::min(one.find('='), one.size());
    const std::string_view value = std::string_view(one).substr(std::min(end + 1, one.size()));
    shaderc_compile_options_add_macro_definition(options, one.data(), end, value.data(),
                                                 value.size());
  }
  const shaderc_compilation_result_t result =
      shaderc_compile_into_spv(static_cast<shaderc_compiler_t>(compiler_), text.data(), text.size(),
                               shaderc_compute_shader, request.file.c_str(), "main", options);
  Status outcome;
  if (shaderc_result_get_compilation_status(result) == shaderc_compilation_status_success) {
    words.resize(shaderc_result_get_length(result) / 4);
    std::memcpy(words.data(), shaderc_result_get_bytes(result), words.size() * 4);
  } else {
    outcome = compile_error(request, shaderc_result_get_error_message(result));
  }
  shaderc_result_release(result);
  shaderc_compile_options_release(options);
  return outcome;
}

Status CompilerState::get(const Request& request, const Spirv*& spirv) {
  VKPRIMS_TRY(status);
  const std::string key = key_of(request);
  Module* module = nullptr;
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Module>& place = modules_[key];
    if (!place) place = std::make_unique<Module>();
    module = place.get();
  }
  const std::lock_guard lock(module->mutex);
  if (module->is_done) {
    ++from_memory;
  } else if (!info.cache_directory.empty() &&
             read_module(info.cache_directory, key, module->words)) {
    ++from_disk;
  } else {
    VKPRIMS_TRY(compile(request, module->words));
    ++compiled;
    if (!info.cache_directory.empty() && !write_module(info.cache_directory, key, module->words)) {
      ++not_written;
    }
  }
  if (!module->is_done) {
    module->is_done = true;
    module->name = request.name;
    module->spirv = {module->name.c_str(), module->words.data(), module->words.size() * 4};
  }
  spirv = &module->spirv;
  return {};
}

Compiler::Compiler() : state_(std::make_shared<CompilerState>()) {
  state_->status = check_device("jit", Device());
}

Compiler::Compiler(const Device& device, const CompilerInfo& info)
    : state_(std::make_shared<CompilerState>()) {
  state_->info = info;
  state_->status = check_device("jit", device);
  if (!device) return;
  DeviceState& known = *device.state();
  state_->device = {device.features(), known.largest_workgroup, known.shared_bytes,
                    lookback_is_wide(known)};
  known.keep(state_);
}

Status Compiler::compile(std::string_view source, const CompileOptions& options,
                         const Spirv*& spirv) const {
  spirv = nullptr;
  if (without_comments(source).find("#version") == std::string::npos) {
    return Status::error(Status::invalid_argument,
                         "jit: %s: the source does not begin with #version, e.g. #version 460",
                         options.name.c_str());
  }
  return state_->get({.name = options.name,
                      .what = options.name,
                      .file = options.name,
                      .definitions = options.definitions,
                      .files = {{options.name, std::string(source)}}},
                     spirv);
}

CompilerStatistics Compiler::statistics() const {
  return {state_->compiled, state_->from_memory, state_->from_disk, state_->not_written};
}

}  // namespace vkprims::jit

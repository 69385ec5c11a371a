// String kernels from text: the counterpart of vkprims_add_string_kernel().
#include <array>
#include <atomic>

#include "jit/own_source.hpp"
#include "runtime/validate.hpp"

namespace vkprims::jit {

struct StringKernelState {
  std::shared_ptr<CompilerState> compiler;
  StringKernelDesc desc;
  std::string source, text;  // `text` is the kernel, which includes the source
  Status status;
  // What get() has given, so that calls need not compare sources: with states of 32 and 64 bits.
  mutable std::array<std::atomic<const Spirv*>, 2> modules{};
};

namespace {

constexpr std::uint32_t kMostColumns = 2, kMostPieces = 512;
// Rows of more pieces are evaluated for each piece, as in VkprimsStringKernel.cmake.
constexpr std::uint32_t kPiecesAtOnce = 4;

Status check_source(const StringKernelDesc& desc, const std::string& text) {
  VKPRIMS_TRY(check_source_name("string kernel", desc.name));
  if (desc.columns > kMostColumns) {
    return source_error(desc.name,
                        "columns is " + std::to_string(desc.columns) + ", must be 0, 1 or 2");
  }
  if (desc.pieces < 1 || desc.pieces > kMostPieces) {
    return source_error(desc.name,
                        "pieces is " + std::to_string(desc.pieces) + ", must be 1 … 512");
  }
  for (const char* function : {"vkp_evaluate", desc.generates ? "vkp_write_part" : "vkp_piece"}) {
    if (!has_function(text, function)) {
      return source_error(desc.name, std::string("does not define ") + function + "()");
    }
  }
  for (const char* macro : {"VKP_MOST_PIECES", "VKP_EVALUATES_BY_PIECES"}) {
    if (!definition(text, macro).empty()) {
      return source_error(desc.name, std::string("defines ") + macro + ", which `pieces` says");
    }
  }
  return {};
}

// The kernel, as VkprimsStringKernel.cmake has it.
std::string text_of(const StringKernelDesc& desc, const std::string& text) {
  std::string code =
      "#version 460\n"
      "#extension GL_GOOGLE_include_directive : require\n"
      "#include \"vkprims/strings/strings.glsl\"\n";
  if (desc.generates) {
    // The writer comes before the source, whose functions take it.
    code += "#include \"vkprims/strings/writer.glsl\"\n";
    if (!has_function(text, "vkp_parts")) code += "#define VKP_ONE_PART\n";
  } else {
    if (desc.pieces > kPiecesAtOnce) code += "#define VKP_EVALUATES_BY_PIECES\n";
    code += "#define VKP_MOST_PIECES " + std::to_string(desc.pieces) + "u\n";
  }
  if (definition(text, "VKP_STRING_ROW").empty()) code += "#define VKP_STRING_ROW Row\n";
  code += "#include \"" + desc.name + "\"\n#include \"vkprims/strings/";
  return code + (desc.generates ? "generate.glsl\"\nvoid main() { vkp_generate(); }\n"
                                : "pieces.glsl\"\nvoid main() { vkp_rope(); }\n");
}

// What a call knows of the kernel.
strings::RopeKernel kernel_of(const StringKernelDesc& desc, const Spirv* module) {
  return {.word64 = module,
          .word32 = module,
          .pieces = desc.generates ? 1 : desc.pieces,
          .copies = !desc.generates};
}

// Gives the module whose states have 64 bits, or the other one, which serves multi_pass as well.
Status find_module(const StringKernelState& state, bool wide, const Spirv*& spirv) {
  std::atomic<const Spirv*>& place = state.modules[wide ? 1 : 0];
  spirv = place.load(std::memory_order_acquire);
  if (spirv) return {};
  const std::string states = wide ? "word64" : "word32";
  VKPRIMS_TRY(state.compiler->get(
      {.name = state.desc.name + '_' + states,
       .what = "string kernel " + state.desc.name,
       .file = "vkprims_rope.comp",
       .definitions = {"VKP_STATE_" + states},
       .files = {{"vkprims_rope.comp", state.text}, {state.desc.name, state.source}}},
      spirv));
  place.store(spirv, std::memory_order_release);
  return {};
}

}  // namespace

Status StringKernel::status() const {
  return state_ ? state_->status
                : Status::error(Status::invalid_argument, "jit: the string kernel has no source");
}

Status StringKernel::describe(strings::RopeDesc& desc) const {
  VKPRIMS_TRY(status());
  const bool wide =
      state_->compiler->device.has_wide_states && desc.schedule != Schedule::multi_pass;
  const Spirv* module = nullptr;
  VKPRIMS_TRY(find_module(*state_, wide, module));
  // A call looks at one of the two only, but does not take a null.
  desc.kernel = kernel_of(state_->desc, module);
  desc.columns = state_->desc.columns;
  return {};
}

Status StringKernel::record(VkCommandBuffer cmd, const Device& device,
                            const strings::RopeDesc& desc,
                            const strings::RopeBuffers& buffers) const {
  strings::RopeDesc described = desc;
  VKPRIMS_TRY(describe(described));
  return strings::record_rope(cmd, device, described, buffers);
}

ScratchNeed StringKernel::scratch(const Device& device, const strings::RopeDesc& desc) const {
  if (!status()) return {};
  strings::RopeDesc described = desc;
  described.kernel = kernel_of(state_->desc, nullptr);
  described.columns = state_->desc.columns;
  return strings::rope_scratch(device, described);
}

Status StringKernel::warm_up(const Device& device, const strings::RopeDesc& desc) const {
  strings::RopeDesc described = desc;
  VKPRIMS_TRY(describe(described));
  return strings::warm_up(device, described);
}

StringKernel Compiler::string_kernel(std::string_view source, const StringKernelDesc& desc) const {
  const auto state = std::make_shared<StringKernelState>();
  state->compiler = state_;
  state->desc = desc;
  state->source = source;
  const std::string text = without_comments(source);
  state->text = text_of(desc, text);
  state->status = state_->status ? check_source(desc, text) : state_->status;
  StringKernel kernel;
  kernel.state_ = state;
  return kernel;
}

}  // namespace vkprims::jit

// Monoids from text: their kernels are compiled when a call first needs them.
#include <array>
#include <atomic>

#include "jit/compiler_state.hpp"
#include "jit/kernel_sources.hpp"
#include "jit/monoid_source.hpp"
#include "runtime/validate.hpp"

namespace vkprims::jit {

struct MonoidState {
  std::shared_ptr<CompilerState> compiler;
  std::string name, text;
  Status status;
  MonoidSource source;
  // What get() has given, so that calls need not compare sources.
  mutable std::array<std::atomic<const Spirv*>, 64> modules{};
};

namespace {

Status find_module(const vkprims::Monoid& monoid, MonoidKernel kernel, const Spirv*& spirv) {
  const auto& state = *static_cast<const MonoidState*>(monoid.user_data);
  spirv = nullptr;
  VKPRIMS_TRY(state.status);
  const KernelSource source = kernel_source(kernel);
  if (!source.file) return {};
  std::atomic<const Spirv*>& place = state.modules[static_cast<std::size_t>(kernel)];
  spirv = place.load(std::memory_order_acquire);
  if (spirv) return {};
  Request request{.name = state.name + '_' + source.name,
                  .what = "monoid " + state.name,
                  .file = source.file,
                  .definitions = {"VKP_OWN_MONOID"},
                  .files = {{"vkprims_monoid.glsl", state.source.glsl}, {state.name, state.text}}};
  if (*source.state) request.definitions.push_back(std::string("VKP_STATE_") + source.state);
  VKPRIMS_TRY(state.compiler->get(request, spirv));
  place.store(spirv, std::memory_order_release);
  return {};
}

const char* name_of_kind(ValueKind kind) {
  constexpr const char* names[] = {"no number", "an unsigned integer", "a signed integer",
                                   "a floating-point number"};
  return names[static_cast<std::uint32_t>(kind)];
}

// Compares a C++ type with what the source says.
Status check_type(const std::string& name, const char* parameter, std::uint32_t bytes,
                  ValueKind kind, const GlslType& type) {
  const char* in_glsl = type.name.empty() ? "VKP_T" : type.name.c_str();
  if (bytes != 4 * type.words) {
    return Status::error(Status::invalid_argument,
                         "jit: %s: the C++ type %s has %u bytes, but %s of the source has %u",
                         name.c_str(), parameter, bytes, in_glsl, 4 * type.words);
  }
  if (kind == ValueKind::raw || type.kind == ValueKind::raw || kind == type.kind) return {};
  return Status::error(Status::invalid_argument,
                       "jit: %s: the C++ type %s is %s, but %s of the source is %s", name.c_str(),
                       parameter, name_of_kind(kind), in_glsl, name_of_kind(type.kind));
}

}  // namespace

Status Compiler::make_monoid(std::string_view source, const MonoidDesc& desc,
                             const ElementType (&types)[3], vkprims::Monoid& monoid,
                             std::shared_ptr<const MonoidState>& result) const {
  static_assert(static_cast<std::size_t>(MonoidKernel::stack_fold_enclosed) < 64);
  const auto state = std::make_shared<MonoidState>();
  state->compiler = state_;
  state->name = desc.name;
  state->text = source;
  const MonoidSource& read = state->source;
  state->status = [&] {
    VKPRIMS_TRY(state_->status);
    VKPRIMS_TRY(read_monoid(desc.name, source, state->source));
    const struct {
      const char *parameter, *macro;
      const GlslType& type;
      bool converts;
    } sides[] = {{"T", "VKP_T", read.element, true},
                 {"In", "VKP_IN", read.in, read.has_load},
                 {"Out", "VKP_OUT", read.out, read.has_store}};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!types[i].is_element && !sides[i].converts) {
        return Status::error(Status::invalid_argument,
                             "jit: %s: the C++ type %s is not T, but the source has no %s",
                             desc.name.c_str(), sides[i].parameter, sides[i].macro);
      }
      VKPRIMS_TRY(
          check_type(desc.name, sides[i].parameter, types[i].bytes, types[i].kind, sides[i].type));
    }
    return Status();
  }();
  // With an error these are sizes that descriptors pass, so that find_module() gives it.
  monoid.name = state->name.c_str();
  monoid.bytes = types[0].bytes;
  monoid.in_bytes = types[1].bytes;
  monoid.out_bytes = types[2].bytes;
  monoid.has_load = read.has_load;
  monoid.has_store = read.has_store;
  monoid.commutes = read.commutes;
  monoid.has_int64 = read.element.has_int64 || read.in.has_int64 || read.out.has_int64;
  monoid.has_float64 = read.element.has_float64 || read.in.has_float64 || read.out.has_float64;
  monoid.find_module = find_module;
  monoid.user_data = state.get();
  result = state;
  return state->status;
}

}  // namespace vkprims::jit

// Monoids from text: their kernels are compiled when a call first needs them.
#include "jit/kernel_sources.hpp"
#include "jit/monoid_source.hpp"
#include "runtime/validate.hpp"

namespace vkprims::jit {
namespace {

Status find_module(const vkprims::Monoid& monoid, MonoidKernel kernel, const Spirv*& spirv) {
  static_assert(static_cast<std::size_t>(MonoidKernel::rolling_double) < OwnModules::kMost);
  return static_cast<const OwnModules*>(monoid.user_data)
      ->find(static_cast<std::size_t>(kernel), kernel_source(kernel), spirv);
}

}  // namespace

Status Compiler::make_monoid(std::string_view source, const MonoidDesc& desc,
                             const ElementType (&types)[3], vkprims::Monoid& monoid,
                             std::shared_ptr<const OwnModules>& result) const {
  const auto modules = std::make_shared<OwnModules>();
  modules->compiler = state_;
  modules->name = desc.name;
  modules->what = "monoid";
  modules->definitions = {"VKP_OWN_MONOID"};
  MonoidSource read;
  modules->status = [&] {
    VKPRIMS_TRY(state_->status);
    VKPRIMS_TRY(read_monoid(desc.name, source, read));
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
  modules->files = {{"vkprims_monoid.glsl", read.glsl}, {desc.name, std::string(source)}};
  // With an error these are sizes that descriptors pass, so that find_module() gives it.
  monoid.name = modules->name.c_str();
  monoid.bytes = types[0].bytes;
  monoid.in_bytes = types[1].bytes;
  monoid.out_bytes = types[2].bytes;
  monoid.has_load = read.has_load;
  monoid.has_store = read.has_store;
  monoid.commutes = read.commutes;
  monoid.has_int64 = read.element.has_int64 || read.in.has_int64 || read.out.has_int64;
  monoid.has_float64 = read.element.has_float64 || read.in.has_float64 || read.out.has_float64;
  monoid.find_module = find_module;
  monoid.user_data = modules.get();
  result = modules;
  return modules->status;
}

}  // namespace vkprims::jit

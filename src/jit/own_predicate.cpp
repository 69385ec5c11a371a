// Predicates from text: the counterpart of vkprims_add_predicate().
#include "jit/own_source.hpp"
#include "runtime/validate.hpp"

namespace vkprims::jit {
namespace {

constexpr const char* kFunction = "vkp_predicate";

Status find_module(const OwnPredicate& predicate, PredicateKernel kernel, const Spirv*& spirv) {
  constexpr KernelSource kSources[] = {
      {"compact_look_back_word32", "compact/compact/look_back.comp", "word32"},
      {"compact_look_back_word64", "compact/compact/look_back.comp", "word64"},
      {"compact_count", "compact/compact/count.comp", ""},
      {"compact_place", "compact/compact/place.comp", ""}};
  const auto number = static_cast<std::size_t>(kernel);
  if (number >= std::size(kSources)) {
    spirv = nullptr;
    return {};
  }
  return static_cast<const OwnModules*>(predicate.user_data)->find(number, kSources[number], spirv);
}

// What a source is about.
struct Source {
  GlslType element, arguments;  // the latter has no words if there are none
  std::string code;             // the function, or an #include of it
};

Status read_function(const std::string& name, const std::string& source, Source& read) {
  const std::string text = without_comments(source);
  const std::vector<Parameter> parameters = parameters_of(text, kFunction);
  if (parameters.size() < 2 || parameters[1].type != "uvec2" || parameters[1].name != "index") {
    return source_error(name,
                        "vkp_predicate() must have one element, and \"uvec2 index\" behind "
                        "it");
  }
  if (parameters.size() > 3) {
    return source_error(name, "vkp_predicate() has more than one parameter behind index");
  }
  VKPRIMS_TRY(describe_type("jit: " + name, text, parameters[0].type, read.element));
  if (parameters.size() == 3) {
    VKPRIMS_TRY(describe_type("jit: " + name, text, parameters[2].type, read.arguments));
  }
  read.code = "#include \"" + name + "\"\n";
  return {};
}

// `types` are the names of those of x and arguments, null for a C++ type that is none of GLSL's.
Status read_expression(const std::string& name, const std::string& source,
                       const char* const (&types)[2], bool has_arguments, Source& read) {
  if (!types[0] || (has_arguments && !types[1])) {
    return source_error(name, "does not define vkp_predicate(), which structs need");
  }
  VKPRIMS_TRY(describe_type("jit: " + name, {}, types[0], read.element));
  std::string head = std::string("bool ") + kFunction + '(' + types[0] + " x, uvec2 index";
  if (has_arguments) {
    VKPRIMS_TRY(describe_type("jit: " + name, {}, types[1], read.arguments));
    head += std::string(", ") + types[1] + " arguments";
  }
  read.code = function_of(head + ") {\n  const uint i = index.x;\n", "bool", name, source);
  return {};
}

// What the kernels include, as VkprimsPredicate.cmake has it.
std::string glsl_of(const Source& read) {
  std::string code = "#define VKP_ITEM_WORDS " + std::to_string(read.element.words) + "\n";
  if (read.element.has_int64 || read.arguments.has_int64) {
    code += "#extension GL_ARB_gpu_shader_int64 : require\n";
  }
  code += read.code + "#line 1 \"vkprims_predicate.glsl\"\n" +
          type_code(read.element, "vkp_pack_element", "vkp_unpack_element");
  std::string parameter, passed;
  if (read.arguments.words != 0) {
    code += "#define VKP_ARGUMENTS " + read.arguments.name + "\n#define VKP_ARGUMENT_WORDS " +
            std::to_string(read.arguments.words) + "\n" +
            type_code(read.arguments, "vkp_pack_arguments", "vkp_unpack_arguments");
    parameter = ", const VKP_ARGUMENTS arguments";
    passed = ", arguments";
  }
  return code + "uint vkp_part_of(const uint w[VKP_ITEM_WORDS], const uvec2 index" + parameter +
         ") {\n  return vkp_predicate(vkp_unpack_element(w), index" + passed + ") ? 0u : 1u;\n}\n";
}

}  // namespace

Status Compiler::make_predicate(std::string_view source, const PredicateDesc& desc,
                                const ElementType (&types)[2], const char* const (&names)[2],
                                OwnPredicate& predicate,
                                std::shared_ptr<const OwnModules>& result) const {
  const auto modules = std::make_shared<OwnModules>();
  modules->compiler = state_;
  modules->name = desc.name;
  modules->what = "predicate";
  modules->definitions = {"VKP_OWN_PREDICATE"};
  const std::string text(source);
  const bool has_arguments = types[1].bytes != 0;
  Source read;
  modules->status = [&] {
    VKPRIMS_TRY(state_->status);
    VKPRIMS_TRY(check_source_name("predicate", desc.name));
    VKPRIMS_TRY(has_function(without_comments(text), kFunction)
                    ? read_function(desc.name, text, read)
                    : read_expression(desc.name, text, names, has_arguments, read));
    VKPRIMS_TRY(check_type(desc.name, "T", types[0].bytes, types[0].kind, read.element));
    if (read.arguments.words != 0 || has_arguments) {
      if (read.arguments.words == 0) {
        return source_error(desc.name,
                            "vkp_predicate() has no parameter behind index for "
                            "Arguments");
      }
      return check_type(desc.name, "Arguments", types[1].bytes, types[1].kind, read.arguments);
    }
    return Status();
  }();
  modules->files = {{"vkprims_predicate.glsl", glsl_of(read)}, {desc.name, text}};
  // With an error these are sizes that descriptors pass, so that find_module() gives it.
  predicate.name = modules->name.c_str();
  predicate.bytes = types[0].bytes;
  predicate.argument_bytes = types[1].bytes;
  predicate.has_int64 = read.element.has_int64 || read.arguments.has_int64;
  predicate.has_float64 = read.element.has_float64 || read.arguments.has_float64;
  predicate.find_module = find_module;
  predicate.user_data = modules.get();
  result = modules;
  return modules->status;
}

}  // namespace vkprims::jit

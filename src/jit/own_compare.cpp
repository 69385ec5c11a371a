// Orders from text: the counterpart of vkprims_add_compare().
#include "jit/own_source.hpp"
#include "runtime/validate.hpp"

namespace vkprims::jit {
namespace {

Status find_module(const vkprims::Compare& compare, CompareKernel kernel, const Spirv*& spirv) {
  constexpr KernelSource kSources[] = {
      {"merge_sort_tiles", "sort/merge_sort/tiles.comp", ""},
      {"merge_sort_merge_runs", "sort/merge_sort/merge_runs.comp", ""},
      {"merge_sort_partition", "sort/merge_sort/partition.comp", ""},
      {"merge_sort_merge", "sort/merge_sort/merge.comp", ""},
      {"merge_own_partition", "sort/merge/own_partition.comp", ""}};
  const auto number = static_cast<std::size_t>(kernel);
  return static_cast<const OwnModules*>(compare.user_data)->find(number, kSources[number], spirv);
}

// Reads the source, and makes what the kernels include, as VkprimsCompare.cmake has it.
Status read_compare(const std::string& name, const std::string& source, const char* cpp_type,
                    GlslType& element, std::string& glsl) {
  const std::string text = without_comments(source);
  std::string type = definition(text, "VKP_T"), words = definition(text, "VKP_WORDS");
  if (has_function(text, "vkp_less")) {
    if (type.empty()) return source_error(name, "does not say \"#define VKP_T <type>\"");
    glsl = "#include \"" + name + "\"\n";
  } else {
    if (!cpp_type) return source_error(name, "does not define vkp_less(), which structs need");
    type = cpp_type;
    glsl = function_of("bool vkp_less(" + type + " a, " + type + " b) {\n", "bool", name, source) +
           "#define VKP_T " + type + "\n";
  }
  if (!words.empty()) return describe_words("jit: " + name, text, words, element);
  VKPRIMS_TRY(describe_type("jit: " + name, text, type, element));
  if (element.has_int64) glsl = "#extension GL_ARB_gpu_shader_int64 : require\n" + glsl;
  glsl += "#define VKP_WORDS " + std::to_string(element.words) + "\n" +
          type_code(element, "vkp_pack", "vkp_unpack");
  return {};
}

}  // namespace

Status Compiler::make_compare(std::string_view source, const CompareDesc& desc,
                              const ElementType& type, const char* type_name,
                              vkprims::Compare& compare,
                              std::shared_ptr<const OwnModules>& result) const {
  const auto modules = std::make_shared<OwnModules>();
  modules->compiler = state_;
  modules->name = desc.name;
  modules->what = "comparison";
  const std::string text(source);
  GlslType element;
  std::string glsl;
  modules->status = [&] {
    VKPRIMS_TRY(state_->status);
    VKPRIMS_TRY(check_source_name("comparison", desc.name));
    VKPRIMS_TRY(read_compare(desc.name, text, type_name, element, glsl));
    return check_type(desc.name, "T", type.bytes, type.kind, element);
  }();
  modules->files = {{"vkprims_compare.glsl", glsl}, {desc.name, text}};
  // With an error this is a size that descriptors pass, so that find_module() gives it.
  compare.name = modules->name.c_str();
  compare.bytes = type.bytes;
  compare.has_int64 = element.has_int64;
  compare.has_float64 = element.has_float64;
  compare.find_module = find_module;
  compare.user_data = modules.get();
  result = modules;
  return modules->status;
}

}  // namespace vkprims::jit

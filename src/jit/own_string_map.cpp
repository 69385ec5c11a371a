// Maps of strings from text: the counterpart of vkprims_add_string_kernel(… MODE map).
#include "jit/own_source.hpp"
#include "runtime/validate.hpp"

namespace vkprims::jit {
namespace {

constexpr const char* kFunction = "vkp_value";

struct Source {
  GlslType value;  // without words: a bit
  std::uint32_t columns = 1;
  bool makes_nulls = false;
};

// Reads what the function of the source returns and takes, by the rules of VkprimsStringMap.cmake.
Status read_value(const std::string& name, const std::string& text, Source& read) {
  const std::string returned = result_of(text, kFunction);
  if (returned.empty()) return source_error(name, "does not define vkp_value()");
  std::vector<std::string> ins, outs;
  for (const Parameter& parameter : parameters_of(text, kFunction)) {
    (parameter.is_out ? outs : ins).push_back(parameter.type);
  }
  using Types = std::vector<std::string>;
  if ((ins != Types{"uint", "VkpText"} && ins != Types{"uint", "VkpText", "VkpText"}) ||
      outs.size() > 1) {
    return source_error(name,
                        "vkp_value() must have the parameters uint row, VkpText a, perhaps "
                        "VkpText b, and perhaps one that is out");
  }
  if (!outs.empty() && returned != "bool") {
    return source_error(name, "vkp_value() returns " + returned +
                                  " and has an out parameter, must return bool, which says "
                                  "whether the row has a value");
  }
  read.columns = static_cast<std::uint32_t>(ins.size() - 1);
  read.makes_nulls = !outs.empty();
  const std::string& type = outs.empty() ? returned : outs[0];
  read.value.name = type;
  return type == "bool" ? Status() : describe_type("jit: " + name, text, type, read.value);
}

// The kernel, as VkprimsStringMap.cmake has it.
std::string text_of(const std::string& name, const Source& read) {
  const GlslType& value = read.value;
  const std::string words = std::to_string(value.words);
  const std::string room = "[" + (value.words == 0 ? "1" : words) + "]";
  std::string code = "#version 460\n#extension GL_GOOGLE_include_directive : require\n";
  if (value.has_int64) code += "#extension GL_ARB_gpu_shader_int64 : require\n";
  code += "#include \"vkprims/strings/strings.glsl\"\n#define VKP_VALUE_WORDS " + words + "\n";
  std::string parameters = "const uint row, const VkpText a", passed = "row, a";
  if (read.columns == 2) {
    code += "#define VKP_VALUES_OF_TWO\n";
    parameters += ", const VkpText b";
    passed += ", b";
  }
  code += "#include \"" + name + "\"\n";
  code += value.words == 0
              ? "void vkp_pack_value(const bool x, out uint w[1]) { w[0] = uint(x); }\n"
              : type_code(value, "vkp_pack_value", "vkp_unpack_value");
  code += "bool vkp_words_of_row(" + parameters + ", out uint w" + room + ") {\n  " + value.name +
          " x;\n";
  code += read.makes_nulls ? "  const bool valid = vkp_value(" + passed + ", x);\n"
                           : "  const bool valid = true;\n  x = vkp_value(" + passed + ");\n";
  return code + "  vkp_pack_value(x, w);\n  return valid;\n}\nvoid vkp_words_of_null(out uint w" +
         room +
         ") {\n#ifdef VKP_NULL_VALUE\n  vkp_pack_value(VKP_NULL_VALUE, w);\n#else\n"
         "  for (uint k = 0u; k < w.length(); ++k) w[k] = 0u;\n#endif\n}\n"
         "#include \"vkprims/strings/values.glsl\"\nvoid main() { vkp_map_rows(); }\n";
}

}  // namespace

Status Compiler::make_string_map(std::string_view source, const StringMapDesc& desc,
                                 const ElementType& type, strings::MapKernel& kernel) const {
  VKPRIMS_TRY(state_->status);
  VKPRIMS_TRY(check_source_name("map of strings", desc.name));
  const std::string text(source);
  Source read;
  VKPRIMS_TRY(read_value(desc.name, without_comments(text), read));
  VKPRIMS_TRY(check_type(desc.name, "T", type.bytes, type.kind, read.value));
  kernel.value_bytes = 4 * read.value.words;
  kernel.columns = read.columns;
  kernel.makes_nulls = read.makes_nulls;
  kernel.has_int64 = read.value.has_int64;
  kernel.has_float64 = read.value.has_float64;
  return state_->get(
      {.name = desc.name,
       .what = "map of strings " + desc.name,
       .file = "vkprims_values.comp",
       .definitions = {},
       .files = {{"vkprims_values.comp", text_of(desc.name, read)}, {desc.name, text}}},
      kernel.spirv);
}

}  // namespace vkprims::jit

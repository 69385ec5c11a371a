// Maps from text: the counterpart of vkprims_add_map(), for functions of numbers and vectors.
#include <algorithm>

#include "jit/own_source.hpp"
#include "runtime/validate.hpp"

namespace vkprims::jit {
namespace {

constexpr const char* kOne[] = {"x"};
constexpr const char* kSeveral[] = {"a", "b", "c", "d"};

std::span<const char* const> names_of(std::size_t inputs) {
  return inputs == 1 ? std::span<const char* const>(kOne) : kSeveral;
}

// The function of the source.
std::string map_function(const std::string& name, const std::string& source, const GlslType& out,
                         std::span<const GlslType> in) {
  std::string head = out.name + " vkp_map(";
  const std::span<const char* const> names = names_of(in.size());
  for (std::size_t k = 0; k < in.size(); ++k) head += in[k].name + " " + names[k] + ", ";
  return function_of(head + "uvec2 index) {\n  const uint i = index.x;\n", out.name, name, source);
}

// What the kernel includes, as VkprimsMap.cmake has it.
std::string glsl_of(const std::string& function, const GlslType& out,
                    std::span<const GlslType> in) {
  std::uint32_t most = out.words;
  bool is_wide = out.has_int64;
  for (const GlslType& type : in) {
    most = std::max(most, type.words);
    is_wide = is_wide || type.has_int64;
  }
  const std::string words = std::to_string(out.words);
  std::string code = "#define VKP_MAP_ITEMS " + std::to_string(most < 3 ? 4 / most : 1) +
                     "\n#define VKP_OUT0_WORDS " + words + "\n";
  if (is_wide) code += "#extension GL_ARB_gpu_shader_int64 : require\n";
  code += function;
  // Behind the source's own lines.
  code += "#line 1 \"vkprims_map.glsl\"\n";
  std::string each, members, passed;
  for (std::size_t k = 0; k < in.size(); ++k) {
    const std::string number = std::to_string(k), size = std::to_string(in[k].words);
    each += " DO(" + number + ", w" + number + ", " + size + ")";
    members += "  uint w" + number + "[" + size + "];\n";
    passed += "vkp_unpack_in" + number + "(x.w" + number + "), ";
    code += type_code(in[k], "vkp_pack_in" + number, "vkp_unpack_in" + number);
  }
  code += "#define VKP_EACH_INPUT(DO)" + each + "\n";
  code += type_code(out, "vkp_pack_out0", "vkp_unpack_out0");
  code += "#define VKP_EACH_OUTPUT(DO) DO(0, w0, " + words + ")\n";
  code += "struct VkpMapItem {\n  uint none;\n" + members + "};\n";
  code += "struct VkpMapResult {\n  uint w0[" + words + "];\n};\n";
  return code +
         "VkpMapResult vkp_map_item(const VkpMapItem x, const uvec2 index) {\n"
         "  VkpMapResult y;\n  vkp_pack_out0(vkp_map(" +
         passed + "index), y.w0);\n  return y;\n}\n";
}

}  // namespace

Status Compiler::make_map(std::string_view source, const MapDesc& desc,
                          std::span<const char* const> names, vkprims::Map& map) const {
  map.name = "jit map";
  map.outputs = 1;
  map.inputs = static_cast<std::uint32_t>(names.size() - 1);
  map.out_names[0] = "out";
  VKPRIMS_TRY(state_->status);
  VKPRIMS_TRY(check_source_name("map", desc.name));
  std::vector<GlslType> types(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    VKPRIMS_TRY(describe_type("jit: " + desc.name, {}, names[k], types[k]));
    map.has_int64 = map.has_int64 || types[k].has_int64;
    map.has_float64 = map.has_float64 || types[k].has_float64;
    if (k > 0) {
      map.in_bytes[k - 1] = 4 * types[k].words;
      map.in_names[k - 1] = names_of(map.inputs)[k - 1];
    }
  }
  map.out_bytes[0] = 4 * types[0].words;
  const std::span<const GlslType> in = std::span<const GlslType>(types).subspan(1);
  const std::string text(source), function = map_function(desc.name, text, types[0], in);
  VKPRIMS_TRY(state_->get(
      {.name = desc.name,
       .what = "map " + desc.name,
       .file = "elementwise/map/map.glsl",
       .definitions = {},
       .files = {{"vkprims_map.glsl", glsl_of(function, types[0], in)}, {desc.name, text}}},
      map.spirv));
  map.name = map.spirv->name;  // which lives as long as the Device
  return {};
}

}  // namespace vkprims::jit

// The counterpart of vkprims_add_monoid(), with the same rules, sentences and GLSL.
#include "jit/monoid_source.hpp"

#include "jit/own_source.hpp"
#include "runtime/validate.hpp"

namespace vkprims::jit {
namespace {

// VKP_IN and vkp_load(), or VKP_OUT and vkp_store().
struct Side {
  const char* macro;
  const char* function;
};

Status read_side(const std::string& name, const std::string& text, const Side& side,
                 const GlslType& element, GlslType& type, bool& has) {
  const std::string given = definition(text, side.macro);
  has = has_function(text, side.function);
  if (given.empty() && has) {
    return source_error(name, std::string("defines ") + side.function + "() but not " + side.macro +
                                  ", its other type");
  }
  if (!given.empty() && !has) {
    return source_error(name,
                        std::string("defines ") + side.macro + " but not " + side.function + "()");
  }
  type = element;
  if (!has) return {};
  return describe_type("jit: " + name, text, given, type);
}

// Functions whose parameters are const stay functions where CMake builds the kernels, so the
// source's are called through such ones.
constexpr const char* kCombine =
    "VKP_T vkp_combine(const VKP_T left, const VKP_T right) {\n"
    "  return vkp_own_combine(left, right);\n}\n";
constexpr const char* kLoad =
    "VKP_T vkp_load(const VKP_IN x, const uvec2 index) {\n  return vkp_own_load(x, index);\n}\n";
constexpr const char* kStore =
    "VKP_OUT vkp_store(const VKP_T exclusive, const VKP_T inclusive, const uvec2 index) {\n"
    "  return vkp_own_store(exclusive, inclusive, index);\n}\n";

std::string words_line(const char* macro, const GlslType& type) {
  return std::string("#define ") + macro + ' ' + std::to_string(type.words) + '\n';
}

std::string glsl_of(const std::string& name, const MonoidSource& monoid, bool packs_itself) {
  std::string before, after, functions = kCombine;
  const auto rename = [&](const std::string& function) {
    before += "#define vkp_" + function + " vkp_own_" + function + "\n";
    after += "#undef vkp_" + function + "\n";
  };
  rename("combine");
  if (monoid.has_load) rename("load"), functions += kLoad;
  if (monoid.has_store) rename("store"), functions += kStore;
  std::string code = before + "#include \"" + name + "\"\n" + after + functions;
  if (!packs_itself) {
    code += words_line("VKP_WORDS", monoid.element);
    code += type_code(monoid.element, "vkp_pack", "vkp_unpack");
  }
  if (monoid.has_load) {
    code += words_line("VKP_IN_WORDS", monoid.in);
    code += type_code(monoid.in, "vkp_pack_in", "vkp_unpack_in");
  }
  if (monoid.has_store) {
    code += words_line("VKP_OUT_WORDS", monoid.out);
    code += type_code(monoid.out, "vkp_pack_out", "vkp_unpack_out");
  }
  return code;
}

}  // namespace

Status read_monoid(const std::string& name, std::string_view source, MonoidSource& monoid) {
  VKPRIMS_TRY(check_source_name("monoid", name));
  const std::string text = without_comments(source);
  const std::string type = definition(text, "VKP_T");
  if (type.empty()) return source_error(name, "does not say \"#define VKP_T <type>\"");
  for (const char* function : {"vkp_identity", "vkp_combine"}) {
    if (!has_function(text, function)) {
      return source_error(name, std::string("does not define ") + function + "()");
    }
  }
  const std::string words = definition(text, "VKP_WORDS");
  VKPRIMS_TRY(words.empty() ? describe_type("jit: " + name, text, type, monoid.element)
                            : describe_words("jit: " + name, text, words, monoid.element));
  monoid.commutes = !definition(text, "VKP_COMMUTES").empty();
  VKPRIMS_TRY(
      read_side(name, text, {"VKP_IN", "vkp_load"}, monoid.element, monoid.in, monoid.has_load));
  VKPRIMS_TRY(read_side(name, text, {"VKP_OUT", "vkp_store"}, monoid.element, monoid.out,
                        monoid.has_store));
  if (parameters_of(text, "vkp_load").size() > 2) {
    return source_error(name,
                        "vkp_load() has a parameter behind index, which only vkprims_add_monoid() "
                        "knows");
  }
  monoid.glsl = glsl_of(name, monoid, !words.empty());
  return {};
}

}  // namespace vkprims::jit

#include "jit/own_source.hpp"

#include <algorithm>
#include <cctype>

#include "runtime/validate.hpp"

namespace vkprims::jit {
namespace {

// Whether a text has a word, and is more than an expression then.
bool has_word(std::string_view text, std::string_view word) {
  const auto is_part = [&](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + word.size())) return true;
  }
  return false;
}

std::string line(std::size_t number, const std::string& name) {
  return "\n#line " + std::to_string(number) + " \"" + name + "\"\n";
}

const char* name_of_kind(ValueKind kind) {
  constexpr const char* names[] = {"no number", "an unsigned integer", "a signed integer",
                                   "a floating-point number"};
  return names[static_cast<std::uint32_t>(kind)];
}

}  // namespace

Status check_source_name(const char* what, const std::string& name) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.- ";
  if (!name.empty() && name.find_first_not_of(kAllowed) == std::string::npos &&
      name.compare(0, 7, "vkprims") != 0) {
    return {};
  }
  return Status::error(Status::invalid_argument,
                       "jit: the name of a %s is \"%s\", must be letters, digits, blanks, _, - and "
                       "., and not begin with vkprims",
                       what, name.c_str());
}

Status source_error(const std::string& name, const std::string& sentence) {
  return Status::error(Status::invalid_argument, "jit: %s: %s", name.c_str(), sentence.c_str());
}

// Whatever is behind the body counts as its last line.
std::string function_of(const std::string& head, const std::string& result, const std::string& name,
                        const std::string& body) {
  const bool is_whole = has_word(without_comments(body), "return");
  const auto lines = static_cast<std::size_t>(std::count(body.begin(), body.end(), '\n')) + 1;
  return head + (is_whole ? "" : "  return " + result + "(") + line(1, name) + body +
         line(lines, name) + (is_whole ? "}\n" : ");}\n");
}

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

Status OwnModules::find(std::size_t number, const KernelSource& source, const Spirv*& spirv) const {
  spirv = nullptr;
  VKPRIMS_TRY(status);
  if (!source.file) return {};
  std::atomic<const Spirv*>& place = modules_[number];
  spirv = place.load(std::memory_order_acquire);
  if (spirv) return {};
  Request request{.name = name + '_' + source.name,
                  .what = std::string(what) + ' ' + name,
                  .file = source.file,
                  .definitions = definitions,
                  .files = files};
  if (*source.state) request.definitions.push_back(std::string("VKP_STATE_") + source.state);
  VKPRIMS_TRY(compiler->get(request, spirv));
  place.store(spirv, std::memory_order_release);
  return {};
}

}  // namespace vkprims::jit

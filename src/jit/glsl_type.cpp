#include "jit/glsl_type.hpp"

#include <vector>

namespace vkprims::jit {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_character(char c) { return is_letter(c) || is_digit(c); }

bool is_name(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return false;
  for (const char c : text) {
    if (!is_name_character(c)) return false;
  }
  return true;
}

std::string_view strip(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Each run of blanks becomes one space; there are none at the ends.
std::string with_single_spaces(std::string_view text) {
  std::string result;
  for (const char c : strip(text)) {
    const bool blank = kBlank.find(c) != std::string_view::npos;
    if (!blank) result += c;
    if (blank && result.back() != ' ') result += ' ';
  }
  return result;
}

// A built-in type as scalars.
struct Scalars {
  std::string_view type;    // of a scalar; empty: the type is none of these
  std::uint32_t words = 1;  // of a scalar
  std::uint32_t count = 1;
  std::uint32_t rows = 0;  // of a matrix

  ValueKind kind() const {
    if (type == "float" || type == "double") return ValueKind::floating;
    return type[0] == 'u' ? ValueKind::unsigned_integer : ValueKind::signed_integer;
  }
};

Scalars scalars_of(std::string_view type) {
  constexpr std::string_view kScalars[] = {"uint", "int", "float", "double", "uint64_t", "int64_t"};
  constexpr std::string_view kVectors[] = {"uvec", "ivec", "vec", "dvec", "u64vec", "i64vec"};
  const auto is_dimension = [](char c) { return c >= '2' && c <= '4'; };
  for (std::size_t i = 0; i < 6; ++i) {
    const std::uint32_t words = i < 3 ? 1 : 2;
    if (type == kScalars[i]) return {kScalars[i], words};
    const std::string_view vector = kVectors[i];
    if (type.size() == vector.size() + 1 && type.substr(0, vector.size()) == vector &&
        is_dimension(type.back())) {
      return {kScalars[i], words, static_cast<std::uint32_t>(type.back() - '0')};
    }
  }
  if (type.substr(0, 3) == "mat" && (type.size() == 4 || (type.size() == 6 && type[4] == 'x')) &&
      is_dimension(type[3]) && is_dimension(type.back())) {
    const auto columns = static_cast<std::uint32_t>(type[3] - '0');
    const auto rows = static_cast<std::uint32_t>(type.back() - '0');
    return {kScalars[2], 1, columns * rows, rows};
  }
  return {};
}

// Adds GLSL that stores scalar `x` in w[at] …, and that makes it of these words.
void add_scalar(std::string_view scalar, const std::string& x, std::uint32_t at, GlslType& type) {
  const std::string low = "w[" + std::to_string(at) + "]";
  const std::string high = "w[" + std::to_string(at + 1) + "]";
  const std::string both = "uvec2(" + low + ", " + high + ")";
  std::string words, value;
  if (scalar == "uint") {
    words = x, value = low;
  } else if (scalar == "int") {
    words = "uint(" + x + ")", value = "int(" + low + ")";
  } else if (scalar == "float") {
    words = "floatBitsToUint(" + x + ")", value = "uintBitsToFloat(" + low + ")";
  } else if (scalar == "double") {
    words = "unpackDouble2x32(" + x + ")", value = "packDouble2x32(" + both + ")";
  } else if (scalar == "uint64_t") {
    words = "unpackUint2x32(" + x + ")", value = "packUint2x32(" + both + ")";
  } else {
    words = "unpackUint2x32(uint64_t(" + x + "))", value = "int64_t(packUint2x32(" + both + "))";
  }
  const bool is_wide = scalars_of(scalar).words == 2;
  type.pack += "  " + low + " = " + words;
  if (is_wide) type.pack += ".x; " + high + " = " + words + ".y";
  type.pack += ";\n";
  type.unpack += "  " + x + " = " + value + ";\n";
}

Status error(std::string_view where, const std::string& sentence) {
  return Status::error(Status::invalid_argument, "%.*s: %s", static_cast<int>(where.size()),
                       where.data(), sentence.c_str());
}

constexpr const char* kScalarNames =
    "uint, int, float, double, uint64_t, int64_t and their vectors and matrices";

// The text between the braces of a struct.
bool find_struct(std::string_view text, std::string_view type, std::string_view& body) {
  constexpr std::string_view kStruct = "struct";
  for (std::size_t at = 0; (at = text.find(kStruct, at)) != std::string_view::npos; ++at) {
    std::string_view rest = text.substr(at + kStruct.size());
    const std::size_t name = rest.find_first_not_of(kBlank);
    if (name == 0 || name == std::string_view::npos) continue;
    rest.remove_prefix(name);
    if (rest.substr(0, type.size()) != type) continue;
    rest.remove_prefix(type.size());
    const std::size_t open = rest.find_first_not_of(kBlank);
    if (open == std::string_view::npos || rest[open] != '{') continue;
    const std::size_t close = rest.find('}');
    if (close == std::string_view::npos) continue;
    body = rest.substr(open + 1, close - open - 1);
    return true;
  }
  return false;
}

// Splits `x` or `x[3]`; the length is 0 if there is no array.
bool read_declarator(std::string_view text, std::string_view& name, std::uint32_t& length) {
  const std::size_t open = text.find('[');
  name = text.substr(0, open);
  length = 0;
  if (!is_name(name)) return false;
  if (open == std::string_view::npos) return true;
  const std::string_view number = text.substr(open + 1);
  if (number.size() < 2 || number.size() > 4 || number.back() != ']') return false;
  for (const char c : number.substr(0, number.size() - 1)) {
    if (!is_digit(c)) return false;
    length = 10 * length + static_cast<std::uint32_t>(c - '0');
  }
  return length > 0;
}

// Adds the scalars of one declarator, whose type has these.
Status add_declarator(std::string_view where, const Scalars& scalars, std::string_view declarator,
                      bool is_member, GlslType& type) {
  std::string compact;
  for (const char c : declarator) {
    if (c != ' ') compact += c;
  }
  std::string_view name;
  std::uint32_t length = 0;
  if (!read_declarator(compact, name, length)) {
    return error(where, '"' + compact + "\" of " + type.name +
                            " is neither a name nor an array of a number of elements");
  }
  if (type.words % scalars.words != 0) {
    return error(where, "member " + std::string(name) + " of " + type.name +
                            " has 8-byte numbers and follows an odd number of 4-byte ones: reorder "
                            "the members, so that C++ has no gap there");
  }
  for (std::uint32_t element = 0; element < (length ? length : 1); ++element) {
    for (std::uint32_t number = 0; number < scalars.count; ++number) {
      std::string x = "x";
      if (is_member) x += "." + std::string(name);
      if (length) x += "[" + std::to_string(element) + "]";
      if (scalars.rows) x += "[" + std::to_string(number / scalars.rows) + "]";
      if (scalars.count > 1) {
        x += "[" + std::to_string(scalars.rows ? number % scalars.rows : number) + "]";
      }
      add_scalar(scalars.type, x, type.words, type);
      type.words += scalars.words;
    }
  }
  if (scalars.type == "double") type.has_float64 = true;
  if (scalars.words == 2 && scalars.type != "double") type.has_int64 = true;
  return {};
}

Status add_member(std::string_view where, std::string_view text, GlslType& type) {
  std::string member = with_single_spaces(text);
  if (member.empty()) return {};
  for (const std::string_view qualifier : {"precise ", "highp ", "mediump ", "lowp "}) {
    if (member.compare(0, qualifier.size(), qualifier) != 0) continue;
    member.erase(0, qualifier.size());
    break;
  }
  const std::size_t space = member.find(' ');
  const std::string member_type = member.substr(0, space);
  if (space == std::string::npos || !is_name(member_type)) {
    return error(where, '"' + member + "\" is not a member that can be read");
  }
  const Scalars scalars = scalars_of(member_type);
  if (scalars.type.empty()) {
    return error(where, "member \"" + member + "\" of " + type.name + " has type " + member_type +
                            ", which is none of " + kScalarNames);
  }
  for (const std::string_view declarator : split(std::string_view(member).substr(space + 1), ',')) {
    if (Status s = add_declarator(where, scalars, declarator, true, type); !s) return s;
  }
  return {};
}

}  // namespace

std::string without_comments(std::string_view text) {
  std::string lines, result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at, 2) == "//") at = std::min(text.find('\n', at), text.size());
    if (at < text.size()) lines += text[at];
  }
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const std::size_t end =
        lines.compare(at, 2, "/*") == 0 ? lines.find("*/", at + 2) : std::string::npos;
    if (end == std::string::npos) {
      result += lines[at];
    } else {
      at = end + 1;
    }
  }
  return result;
}

std::string definition(std::string_view text, std::string_view name) {
  for (std::string_view line : split(text, '\n')) {
    line = strip(line);
    if (line.empty() || line[0] != '#') continue;
    line = strip(line.substr(1));
    constexpr std::string_view kDefine = "define";
    if (line.substr(0, kDefine.size()) != kDefine) continue;
    line.remove_prefix(kDefine.size());
    if (line.empty() || kBlank.find(line[0]) == std::string_view::npos) continue;
    line = strip(line);
    if (line.substr(0, name.size()) != name) continue;
    line.remove_prefix(name.size());
    if (line.empty()) return "1";
    if (kBlank.find(line[0]) != std::string_view::npos) return std::string(strip(line));
  }
  return {};
}

// Finds the name of a function or macro that is called or defined.
static std::size_t find_function(std::string_view text, std::string_view name) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string_view::npos; ++at) {
    if (at == 0 || is_name_character(text[at - 1])) continue;
    const std::size_t next = text.find_first_not_of(kBlank, at + name.size());
    if (next != std::string_view::npos && text[next] == '(') return at;
  }
  return std::string_view::npos;
}

bool has_function(std::string_view text, std::string_view name) {
  return find_function(text, name) != std::string_view::npos;
}

std::string result_of(std::string_view text, std::string_view name) {
  const std::size_t at = find_function(text, name);
  if (at == std::string_view::npos) return {};
  const std::string_view before = strip(text.substr(0, at));
  return std::string(before.substr(before.find_last_of(kBlank) + 1));
}

std::vector<Parameter> parameters_of(std::string_view text, std::string_view name) {
  std::vector<Parameter> parameters;
  const std::size_t at = find_function(text, name);
  const std::size_t open = text.find('(', at), close = text.find(')', open);
  if (at == std::string_view::npos || close == std::string_view::npos) return parameters;
  for (std::string_view parameter : split(text.substr(open + 1, close - open - 1), ',')) {
    parameter = strip(parameter);
    const std::size_t end = parameter.find_last_of(kBlank);
    if (end == std::string_view::npos) continue;
    const std::string_view before = strip(parameter.substr(0, end));
    const std::size_t type = before.find_last_of(kBlank) + 1;
    const std::string_view qualifiers = before.substr(0, type);
    parameters.push_back({std::string(before.substr(type)), std::string(parameter.substr(end + 1)),
                          qualifiers.find("out") != std::string_view::npos});
  }
  return parameters;
}

Status describe_type(std::string_view where, std::string_view text, std::string_view type,
                     GlslType& description) {
  description = {};
  description.name = type;
  const Scalars scalars = scalars_of(type);
  if (!scalars.type.empty()) {
    if (scalars.count == 1) description.kind = scalars.kind();
    if (Status s = add_declarator(where, scalars, "x", false, description); !s) return s;
  } else {
    std::string_view body;
    if (!find_struct(text, type, body)) {
      return error(
          where, description.name + " is neither a struct of this file nor one of " + kScalarNames);
    }
    for (const std::string_view member : split(body, ';')) {
      if (Status s = add_member(where, member, description); !s) return s;
    }
  }
  if (description.words == 0) {
    return error(where, "struct " + description.name + " has no members");
  }
  if (description.words > 8) {
    return error(where, description.name + " has " + std::to_string(4 * description.words) +
                            " bytes, must be 4 … 32");
  }
  if ((description.has_int64 || description.has_float64) && description.words % 2 != 0) {
    return error(where, description.name +
                            " has 8-byte members and an odd number of 4-byte "
                            "words: add a member, so that C++ has no gap at its "
                            "end");
  }
  return {};
}

Status describe_words(std::string_view where, std::string_view text, std::string_view words,
                      GlslType& description) {
  if (words.size() != 1 || words[0] < '1' || words[0] > '8') {
    return error(where, "VKP_WORDS is " + std::string(words) + ", must be 1 … 8");
  }
  for (const char* function : {"vkp_pack", "vkp_unpack"}) {
    if (has_function(text, function)) continue;
    return error(where, std::string("defines VKP_WORDS but not ") + function + "()");
  }
  description = {};
  description.words = static_cast<std::uint32_t>(words[0] - '0');
  return {};
}

std::string type_code(const GlslType& type, std::string_view pack, std::string_view unpack) {
  const std::string words = std::to_string(type.words);
  std::string code = "void ";
  code.append(pack).append("(const ").append(type.name).append(" x, out uint w[").append(words);
  code.append("]) {\n").append(type.pack).append("}\n").append(type.name).append(" ");
  code.append(unpack).append("(const uint w[").append(words).append("]) {\n  ").append(type.name);
  return code.append(" x;\n").append(type.unpack).append("  return x;\n}\n");
}

}  // namespace vkprims::jit

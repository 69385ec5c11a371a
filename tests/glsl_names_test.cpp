// The names of the installed GLSL library: a kernel of a user's that includes one of its files gets
// no name, and is asked for none, that does not begin with vkp_, Vkp or VKP_.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sources.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

namespace fs = std::filesystem;

using Tokens = std::vector<std::string>;

// Returns the code of a file without comments, and without the lines that only C++ reads.
std::string code_of(const std::string& text) {
  std::string code;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) i = std::min(text.find('\n', i), text.size() - 1);
    if (text.compare(i, 2, "/*") == 0) i = std::min(text.find("*/", i), text.size() - 2) + 2;
    if (text.compare(i, 2, "\\\n") == 0) i += 2;
    code += text[i];
  }
  std::istringstream lines(code);
  std::string shared;
  bool is_cpp = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("#ifdef __cplusplus", 0) == 0) is_cpp = true;
    if (!is_cpp) shared += line + "\n";
    if (line.rfind("#else", 0) == 0 || line.rfind("#endif", 0) == 0) is_cpp = false;
  }
  return shared;
}

Tokens tokens_of(const std::string& code) {
  static const std::regex token("[A-Za-z_]\\w*|[0-9][\\w.]*|\\S");
  Tokens tokens;
  for (std::sregex_iterator i(code.begin(), code.end(), token), end; i != end; ++i) {
    tokens.push_back(i->str());
  }
  return tokens;
}

bool is_word(const std::string& token) {
  return std::isalpha(static_cast<unsigned char>(token[0])) || token[0] == '_';
}

bool has(const Tokens& tokens, const char* token) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

// Returns what a declaration without its bodies in braces and its layout declares: a type, a
// function, or one or more variables.
Tokens declared_by(const Tokens& words) {
  Tokens names;
  int depth = 0;
  bool is_named = false;  // the rest up to a comma is a size or an initialiser
  std::string last;
  for (const std::string& word : words) {
    const bool ends = word == "," || word == "=" || word == "[" || word == "(" || word == "{";
    if (depth == 0 && ends) {
      if (!is_named) names.push_back(last);
      if (!is_named && word == "(") return names;  // what follows are parameters
      is_named = word != ",";
    }
    if (word == "(" || word == "[") ++depth;
    if (word == ")" || word == "]") --depth;
    // What follows the body of a block or struct is another name.
    if (word == "{") is_named = false, last.clear();
    if (is_word(word)) last = word;
  }
  // The layout of a workgroup declares nothing: layout(…) in;
  if (!is_named && !last.empty() && last != "in") names.push_back(last);
  return names;
}

// Returns the names that a file of the library declares outside all functions.
Tokens globals_of(const Tokens& tokens) {
  Tokens names, declaration, body;
  int depth = 0;
  const auto declare = [&] {
    if (!declaration.empty() && declaration[0] == "layout") {
      const auto end = std::find(declaration.begin(), declaration.end(), ")");
      declaration.erase(declaration.begin(), end + 1);
    }
    const Tokens found = declared_by(declaration);
    names.insert(names.end(), found.begin(), found.end());
    // The members of a block without an instance name are global.
    const bool is_open = has(declaration, "uniform") && declaration.back() == "{";
    declaration.clear();
    if (is_open) {
      const Tokens members = globals_of(std::exchange(body, {}));
      names.insert(names.end(), members.begin(), members.end());
    }
  };
  for (const std::string& token : tokens) {
    if (token == "}" && --depth == 0) {
      const bool is_function = has(declaration, "(") && !has(declaration, "=") &&
                               !has(declaration, "buffer") && !has(declaration, "uniform");
      if (is_function) declare();
      continue;
    }
    if (token == "{" && depth++ == 0) {
      declaration.push_back(token);
      body.clear();
    } else if (depth != 0) {
      body.push_back(token);
    } else if (token == ";") {
      declare();
    } else {
      declaration.push_back(token);
    }
  }
  return names;
}

// Returns the global names of a file: what it declares, macros that it defines or asks for, and
// whatever begins with a capital letter, as types and macros of an includer do.
std::set<std::string> global_names(const std::string& text) {
  static const std::regex directive("#\\s*(\\w+)(.*)");
  std::istringstream lines(code_of(text));
  std::set<std::string> names;
  std::string code;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, directive)) {
      code += line + "\n";
      continue;
    }
    const std::string kind = match[1].str();
    const Tokens words = tokens_of(match[2].str());
    if (kind == "define") names.insert(words.at(0));
    if (kind != "if" && kind != "ifdef" && kind != "ifndef" && kind != "elif") continue;
    for (const std::string& word : words) {
      if (is_word(word) && word != "defined") names.insert(word);
    }
  }
  const Tokens tokens = tokens_of(code);
  for (const std::string& name : globals_of(tokens)) names.insert(name);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool is_member = i != 0 && tokens[i - 1] == ".";
    if (std::isupper(static_cast<unsigned char>(tokens[i][0])) && !is_member) {
      names.insert(tokens[i]);
    }
  }
  return names;
}

bool is_reserved(const std::string& name) {
  for (const char* prefix : {"vkp_", "Vkp", "VKP_", "VKPRIMS_", "GL_", "__"}) {
    if (name.rfind(prefix, 0) == 0) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("names: the global names of GLSL are found") {
  std::string found;
  for (const std::string& name : global_names(R"(
    /* no */ #ifndef A_GLSL  // nor this
    #define B(x) \
      (x)
    #if defined(C) && D > 0
    #endif
    struct e { uint no; };
    layout(push_constant) uniform f { uint g; uvec2 h[2]; };
    layout(buffer_reference, std430, buffer_reference_align = 4) buffer i { uint no; };
    layout(constant_id = 3) const uint j = max(1, 2), k[2] = uint[](no, no);
    shared uint l[4 * 4];
    uint m(uint no);
    uint n(const uint no) { if (no > O) { return x.NO; } P no; return 0; }
    const uint q = 1u;)")) {
    found += name + " ";
  }
  CHECK(found == "A_GLSL B C D O P e f g h i j k l m n q ");
}

TEST_CASE("names: those of the GLSL library begin with vkp_, Vkp or VKP_") {
  const fs::path root = fs::path(kSourceDirectory) / "shaders/vkprims";
  if (!fs::exists(root)) {
    MESSAGE("skipped: the sources are not here");
    return;
  }
  std::size_t seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".glsl" && path.extension() != ".h") continue;
    CAPTURE(path.string());
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    for (const std::string& name : global_names(text.str())) {
      CAPTURE(name);
      CHECK(is_reserved(name));
      ++seen;
    }
  }
  CHECK(seen > 1000);
}

}  // namespace vkprims::test

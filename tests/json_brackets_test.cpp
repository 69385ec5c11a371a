// Runs examples/json_brackets as a user does: files go in, and lines and an exit status come out.
#include "oracles/json_brackets.hpp"

#include <cstdio>
#include <fstream>
#include <utility>

#include "context/context_support.hpp"
#include "examples.hpp"
#include "support/support.hpp"

#ifndef _WIN32
#include <sys/wait.h>
#endif

namespace vkprims::test {
namespace {

using oracle::JsonBrackets;

bool built() {
  if (*kJsonBracketsProgram) return true;
  MESSAGE("skipped: built without examples");
  return false;
}

struct Outcome {
  int status;
  std::vector<std::string> lines;  // except those that say how long it took
};

std::string read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A directory of files for the program, which does not touch the user's cache of compiled
// pipelines.
class Workplace {
 public:
  // Writes a file and returns its name, which says only its number.
  std::string write(const std::string& text) {
    std::string name = (directory_.path / std::to_string(files_++)).string();
    std::ofstream(name, std::ios::binary) << text;
    return name;
  }

  Outcome run(const std::vector<std::string>& arguments) {
    static const TemporaryDirectory cache;  // shared by all runs
    const Environment cache_home("XDG_CACHE_HOME", cache.path.string());
    // The driver leaks. It is unloaded at the end of the program, so no suppression can name it.
    const Environment leaks("ASAN_OPTIONS", "detect_leaks=0");
    std::optional<Environment> layer;
    if (validated()) layer.emplace("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation");
    const std::string output = (directory_.path / "output").string();
    std::string command = '"' + std::string(kJsonBracketsProgram) + '"';
    for (const std::string& argument : arguments) command += " \"" + argument + '"';
    command += " > \"" + output + "\" 2>&1";
    int status = std::system(command.c_str());
#ifndef _WIN32
    REQUIRE(WIFEXITED(status));
    status = WEXITSTATUS(status);
#endif
    Outcome outcome{status, {}};
    std::istringstream lines(read(output));
    for (std::string line; std::getline(lines, line);) {
      CHECK(!contains(line, "VUID-"));
      if (!line.starts_with("  ")) outcome.lines.push_back(line);
    }
    return outcome;
  }

 private:
  TemporaryDirectory directory_;
  int files_ = 0;
};

std::string place(const std::string& text, std::size_t at) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i < at; ++i) {
    ++column;
    if (text[i] == '\n') {
      ++line;
      column = 1;
    }
  }
  return std::to_string(line) + ":" + std::to_string(column);
}

// Returns what the program must print about a text.
std::vector<std::string> expected(const std::string& name, const std::string& text) {
  const JsonBrackets want = oracle::json_brackets(text);
  std::vector<std::string> lines{
      name + ": " + std::to_string(text.size()) + " bytes, " + std::to_string(want.brackets) +
      " brackets, greatest depth " + std::to_string(want.deepest) +
      (want.error == JsonBrackets::none ? ", balanced" : ", not balanced")};
  if (want.error == JsonBrackets::none) return lines;
  const std::string bracket = std::string("'") + text[want.at] + "'";
  std::string what;
  switch (want.error) {
    case JsonBrackets::none:
      break;
    case JsonBrackets::wrong_close:
      what = bracket + " closes the '" + text[want.open] + "' of " + place(text, want.open);
      break;
    case JsonBrackets::extra_close:
      what = bracket + " closes nothing";
      break;
    case JsonBrackets::endless_string:
      what = "this string never ends";
      break;
    case JsonBrackets::never_closed:
      what = bracket + " is never closed";
      break;
  }
  lines.push_back(name + ":" + place(text, want.at) + ": " + what + " (byte " +
                  std::to_string(want.at) + ")");
  return lines;
}

// Runs the program once over all the texts, and compares with the oracle.
void check_all(const std::vector<std::string>& texts) {
  Workplace workplace;
  std::vector<std::string> names, want;
  bool balanced = true;
  for (const std::string& text : texts) {
    names.push_back(workplace.write(text));
    const std::vector<std::string> lines = expected(names.back(), text);
    want.insert(want.end(), lines.begin(), lines.end());
    balanced = balanced && lines.size() == 1;
  }
  const Outcome outcome = workplace.run(names);
  CHECK(outcome.status == (balanced ? 0 : 1));
  REQUIRE(outcome.lines.size() == want.size());
  for (std::size_t i = 0; i < want.size(); ++i) CHECK(outcome.lines[i] == want[i]);
}

std::string repeat(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

// Returns `length` symbols of an alphabet, in runs of up to `run` equal ones.
std::string random_text(std::mt19937& random, const std::string& alphabet, std::size_t length,
                        std::size_t run) {
  std::string text;
  while (text.size() < length) {
    const char c = alphabet[random() % alphabet.size()];
    text.append(std::min<std::size_t>(1 + random() % run, length - text.size()), c);
  }
  return text;
}

// Appends a valid text: objects, arrays and strings with brackets, quotes and backslashes in them.
void append_value(std::mt19937& random, int depth, std::string& text) {
  const unsigned kind = random() % 4;
  if (kind == 0) {
    text += std::to_string(random() % 1000);
  } else if (kind == 1 || depth == 0) {
    constexpr const char* kPieces[] = {"a", "]", "{", "\\\"", "\\\\", "\\n", "[", "}", "\\u005d"};
    text += '"';
    for (unsigned i = random() % 12; i > 0; --i) text += kPieces[random() % std::size(kPieces)];
    text += '"';
  } else {
    text += kind == 2 ? "[" : "{";
    for (unsigned i = random() % 6; i > 0; --i) {
      if (kind == 3) text += "\n\"key\\\\\": ";
      append_value(random, depth - 1, text);
      if (i != 1) text += ", ";
    }
    text += kind == 2 ? "]" : "}";
  }
}

}  // namespace

TEST_CASE(
    "json_brackets: the sample is balanced, and every kind of error is named with its place") {
  if (!built()) return;
  Workplace workplace;
  const Outcome sample = workplace.run({});
  CHECK(sample.status == 0);
  REQUIRE(sample.lines.size() == 1);
  CHECK(sample.lines[0] == "sample: 133 bytes, 22 brackets, greatest depth 6, balanced");

  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"null", ""},
      {"[]{}", ""},
      {"{\"a\": [1, 2}", ":1:12: '}' closes the '[' of 1:7 (byte 11)"},
      {"{\n\t[\n]\n,]", ":4:2: ']' closes the '{' of 1:1 (byte 8)"},
      {"[1]\n]", ":2:1: ']' closes nothing (byte 4)"},
      {"]}", ":1:1: ']' closes nothing (byte 0)"},
      {"[[1], {", ":1:1: '[' is never closed (byte 0)"},
      {"[1] [{}, {\"a\": [", ":1:5: '[' is never closed (byte 4)"},
      {"{\"a\": [1, \"b]}", ":1:11: this string never ends (byte 10)"},
      {"[}, \"b", ":1:2: '}' closes the '[' of 1:1 (byte 1)"},
      {R"(["\\\"]"])", ""},
      {R"(["\\\\"])", ""},
      {R"(["\\\\"]"])", ":1:9: this string never ends (byte 8)"},
      {R"(["\"])", ":1:2: this string never ends (byte 1)"},
      {R"(\"[])", ""},
  };
  for (const auto& [text, error] : cases) {
    CAPTURE(text);
    const std::string name = workplace.write(text);
    const std::vector<std::string> lines = expected(name, text);
    REQUIRE(lines.size() == (*error ? 2 : 1));
    if (*error) CHECK(lines[1] == name + error);  // checks the oracle
  }
  std::vector<std::string> texts;
  for (const auto& [text, error] : cases) texts.push_back(text);
  check_all(texts);
}

TEST_CASE("json_brackets: a file that cannot be read is status 2, and the others are checked") {
  if (!built()) return;
  Workplace workplace;
  const std::string good = workplace.write("[]"), bad = workplace.write("[");
  const std::string missing = good + "-missing";
  const Outcome one = workplace.run({missing});
  CHECK(one.status == 2);
  REQUIRE(one.lines.size() == 1);
  CHECK(one.lines[0].starts_with("json_brackets: " + missing + ": "));
  const Outcome all = workplace.run({bad, missing, good});
  CHECK(all.status == 2);
  CHECK(all.lines.size() == 4);
  CHECK(workplace.run({bad, good}).status == 1);
}

TEST_CASE("json_brackets: random texts are judged as by a sequential scanner") {
  if (!built()) return;
  std::mt19937 random(7);
  std::vector<std::string> texts;
  for (int i = 0; i < (subset() ? 20 : 100); ++i) {
    texts.push_back(random_text(random, "[]{}\"\\,a", random() % 100, 1));
    texts.push_back(random_text(random, "[]{}\"\\,a\n", random() % 300, 5));
    texts.push_back(random_text(random, "\"\\", random() % 200, 40));
    texts.push_back(random_text(random, "[]", random() % 40, 2));
    texts.emplace_back();
    append_value(random, 6, texts.back());
    std::string broken = texts.back();  // one byte is replaced
    broken[random() % broken.size()] = "[]{}\"\\,a"[random() % 8];
    texts.push_back(broken);
  }
  check_all(texts);
}

TEST_CASE(
    "json_brackets: long runs of backslashes, quotes and brackets, deep nesting, many tiles") {
  if (!built()) return;
  std::vector<std::string> texts;
  for (const std::size_t length : {31, 32, 33, 4095, 4096, 100003}) {
    texts.push_back(repeat("\\", length));
    texts.push_back(repeat("\"", length));
    texts.push_back(repeat("[", length));
    texts.push_back(repeat("}", length));
    // The first quote begins a string, and the second one ends it unless it is escaped.
    for (const char* before : {"\"", "[\"", "  \"", "\"a"}) {
      texts.push_back(before + repeat("\\", length) + "\"[]");
      texts.push_back(before + repeat("\\", length) + "\"]");
    }
  }
  constexpr std::size_t kDeep = 1000000;
  const std::string deep = repeat("[", kDeep) + repeat("]", kDeep);
  texts.push_back(deep);
  texts.push_back(deep);
  texts.back()[2 * kDeep - 1] = '}';
  texts.push_back(deep);
  texts.back()[kDeep] = '}';
  texts.push_back(deep + "]");
  texts.push_back("{" + deep);
  texts.push_back(deep + "\n\"" + deep);
  std::mt19937 random(8);
  while (texts.back().size() < 300000) append_value(random, 9, texts.emplace_back("["));
  std::string lines;  // one record per line
  while (lines.size() < (subset() ? 300000 : 3000000)) {
    append_value(random, 9, lines);
    lines += '\n';
  }
  texts.push_back(lines);
  texts.push_back(lines + "]" + lines);
  check_all(texts);
}

}  // namespace vkprims::test

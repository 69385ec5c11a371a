// The rooms of docs/architecture.md: which room may include which, and that a primitive has one
// name everywhere. Lines and files are of limited length.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sources.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = kSourceDirectory;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Says whether the sources are missing: a test program may run on a machine without them.
bool without_sources() {
  if (fs::exists(kRoot / "docs/architecture.md")) return false;
  MESSAGE("skipped: the sources are not here");
  return true;
}

// Returns the first column of the table, in its order.
std::vector<std::string> rooms() {
  std::vector<std::string> names;
  std::istringstream lines(text_of(kRoot / "docs/architecture.md"));
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| `", 0) == 0) names.push_back(line.substr(3, line.find('`', 3) - 3));
  }
  return names;
}

std::vector<fs::path> files_in(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / directory)) {
    if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), kRoot));
  }
  return files;
}

std::string part(const fs::path& path, std::size_t i) {
  const auto size = static_cast<std::size_t>(std::distance(path.begin(), path.end()));
  return i < size ? std::next(path.begin(), static_cast<std::ptrdiff_t>(i))->string() : "";
}

std::vector<std::string> includes_of(const fs::path& file) {
  std::vector<std::string> names;
  std::istringstream lines(text_of(kRoot / file));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find('"');
    if (line.rfind("#include \"", 0) != 0 && line.rfind("#  include \"", 0) != 0) continue;
    names.push_back(line.substr(begin + 1, line.find('"', begin + 1) - begin - 1));
  }
  return names;
}

// Counts characters of UTF-8: bytes that do not continue one.
std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
  }));
}

// Says whether a line may be longer than others: a row of a table, an address, a sentence that a
// test compares, and the axes of a shader, which have to be in one line.
bool may_be_long(const std::string& line) {
  for (const char* begin : {"|", "  REFUSES(\"", "// %VARIANT% "}) {
    if (line.rfind(begin, 0) == 0) return true;
  }
  return line.find("https://") != std::string::npos;
}

// Maps headers that have no room in their path to their rooms: generated headers of kernels, and
// public headers.
class Homes {
 public:
  Homes() {
    for (const fs::path& file : files_in("shaders")) {
      if (file.extension() != ".comp") continue;
      const std::string primitive = part(file, 2), entry = file.stem().string();
      std::string name = primitive == entry ? entry : primitive + "_" + entry;
      if (part(file, 1) == "strings") name = "strings_" + name;
      rooms_["spirv/" + name + ".hpp"] = part(file, 1);
    }
    for (const fs::path& file : files_in("src")) {
      const std::string header = "vkprims/" + file.stem().string() + ".hpp";
      if (file.extension() == ".cpp" && fs::exists(kRoot / "include" / header)) {
        rooms_[header] = part(file, 1);
      }
    }
  }

  // Returns nothing for headers that belong to all rooms: the C++ types of the API, the GLSL
  // library, and other generated headers.
  std::optional<std::string> room_of(const std::string& include) const {
    if (const auto found = rooms_.find(include); found != rooms_.end()) return found->second;
    if (include.rfind("vkprims/strings/", 0) == 0) return "strings";
    if (include.rfind("vkprims/", 0) == 0 || include == "vkprims/strings/strings.abi.h") return {};
    for (const char* root : {"src", "shaders"}) {
      if (fs::exists(kRoot / root / include)) return part(include, 0);
    }
    return {};
  }

 private:
  std::map<std::string, std::string> rooms_;
};

}  // namespace

TEST_CASE("structure: a room uses those above it") {
  if (without_sources()) return;
  const std::vector<std::string> order = rooms();
  REQUIRE(order.size() > 10);
  const auto rank = [&](const std::string& room) {
    return std::find(order.begin(), order.end(), room) - order.begin();
  };
  const Homes homes;
  std::size_t seen = 0;
  for (const char* root : {"src", "shaders"}) {
    for (const fs::path& file : files_in(root)) {
      const std::string own = part(file, 1);
      if (own == "vkprims" || !fs::is_directory(kRoot / root / own)) continue;
      CAPTURE(file.string());
      CHECK(rank(own) < static_cast<std::ptrdiff_t>(order.size()));
      for (const std::string& include : includes_of(file)) {
        CAPTURE(include);
        CHECK(include.find("..") == std::string::npos);
        const auto room = homes.room_of(include);
        if (!room) continue;
        CHECK(rank(*room) <= rank(own));
        ++seen;
      }
    }
  }
  CHECK(seen > 500);
}

// What the build makes of a user's monoid (VkprimsMonoid.cmake).
const std::string kMadeByTheBuild = "vkprims_monoid.glsl";

TEST_CASE("structure: the GLSL library includes nothing else") {
  if (without_sources()) return;
  for (const fs::path& file : files_in("shaders/vkprims")) {
    if (file.extension() == ".md") continue;
    CAPTURE(file.string());
    for (const std::string& include : includes_of(file)) {
      if (include == kMadeByTheBuild) continue;
      CAPTURE(include);
      const bool is_beside = fs::exists(kRoot / file.parent_path() / include);
      CHECK((is_beside ||
             (include.rfind("vkprims/", 0) == 0 && fs::exists(kRoot / "shaders" / include))));
    }
  }
}

TEST_CASE("structure: what the GLSL library installs is in its README, or a part of that") {
  if (without_sources()) return;
  std::set<std::string> installed;
  std::vector<std::string> found;
  std::istringstream lines(text_of(kRoot / "shaders/vkprims/README.md"));
  for (std::string line; std::getline(lines, line);) {
    // An entry of the list begins with one or more names between backquotes.
    if (line.rfind("- `", 0) != 0 && line.rfind("| `", 0) != 0) continue;
    std::istringstream names(line.substr(0, std::min(line.find(": "), line.find(" | "))));
    for (std::string name; std::getline(names, name, '`');) {
      if (name.find('.') != std::string::npos) found.push_back("vkprims/" + name);
    }
  }
  while (!found.empty()) {
    const std::string name = found.back();
    found.pop_back();
    CAPTURE(name);
    REQUIRE(fs::exists(kRoot / "shaders" / name));
    if (!installed.insert(name).second) continue;
    for (const std::string& include : includes_of(fs::path("shaders") / name)) {
      if (include != kMadeByTheBuild) found.push_back(include);
    }
  }
  for (const fs::path& file : files_in("shaders/vkprims")) {
    if (file.extension() == ".md") continue;
    CAPTURE(file.string());
    CHECK(installed.count(fs::relative(file, "shaders").generic_string()) == 1);
  }
}

TEST_CASE("structure: a primitive has one name in every tree, and one room") {
  if (without_sources()) return;
  std::size_t primitives = 0;
  for (const fs::path& file : files_in("src")) {
    const std::string room = part(file, 1), name = file.stem().string();
    // Primitives of strings are in src/strings, and tested together with their building blocks.
    if (room == "runtime" || room == "blocks" || room == "strings" || room == "context") continue;
    if (file.extension() != ".cpp") continue;
    if (!fs::exists(kRoot / "include/vkprims" / (name + ".hpp"))) continue;
    CAPTURE(file.string());
    CHECK(fs::exists(kRoot / "tests" / room / (name + "_test.cpp")));
    // The oracle of random covers rng_advance.
    if (name != "rng_advance") CHECK(fs::exists(kRoot / "tests/oracles" / (name + ".hpp")));
    ++primitives;
  }
  CHECK(primitives >= 30);
  const std::vector<std::string> order = rooms();
  for (const char* root : {"src", "bench"}) {
    for (const fs::path& file : files_in(root)) {
      if (file.extension() != ".cpp" || part(file, 3) != "" || part(file, 2) == "") continue;
      if (std::string(root) == "bench" &&
          file.stem().string().find("_bench") == std::string::npos) {
        continue;
      }
      CAPTURE(file.string());
      CHECK(std::find(order.begin(), order.end(), part(file, 1)) != order.end());
    }
  }
}

TEST_CASE("structure: lines have at most 100 columns, files of the library 400 lines, others 600") {
  if (without_sources()) return;
  std::size_t seen = 0;
  for (const char* root :
       {"src", "include", "shaders", "tests", "bench", "examples", "tools", "docs"}) {
    const bool is_library = std::set<std::string>{"src", "include", "shaders"}.count(root) == 1;
    for (const fs::path& file : files_in(root)) {
      // Results, pictures and what Python leaves are not written by hand.
      const std::string type = file.extension().string();
      if (type == ".json" || type == ".svg" || type == ".png" || type == ".pyc") continue;
      if (file == "src/strings/case_mappings.hpp") continue;
      std::size_t number = 0;
      std::istringstream lines(text_of(kRoot / file));
      for (std::string line; std::getline(lines, line); ++seen) {
        ++number;
        if (columns(line) <= 100 || may_be_long(line)) continue;
        CAPTURE(file.string());
        CAPTURE(number);
        CHECK(columns(line) <= 100);
      }
      CAPTURE(file.string());
      const bool is_code = type == ".cpp" || type == ".hpp" || type == ".glsl" || type == ".comp";
      if (is_library || is_code) CHECK(number <= (is_library ? 400u : 600u));
    }
  }
  CHECK(seen > 50'000);
}

}  // namespace vkprims::test

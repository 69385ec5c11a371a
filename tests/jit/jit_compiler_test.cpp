// Compiler: sources become modules, or messages with the lines of the source.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "jit/files.hpp"
#include "jit/jit_support.hpp"

namespace vkprims::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFill = R"(#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/kernel.glsl"
layout(push_constant) uniform Push { VkpUints x; uint n; };
void main() {
  if (vkp_item() < n) x.v[vkp_item()] = VALUE;
}
)";

std::string message(const std::string& source) {
  const Spirv* spirv = nullptr;
  const Status status = compiler().compile(source, {.name = "own.comp"}, spirv);
  CHECK(!spirv);
  CHECK(status == Status::invalid_argument);
  return status.message();
}

// A directory that is empty at first.
class Directory {
 public:
  Directory() : path_(fs::temp_directory_path() / "vkprims-jit-test") { fs::remove_all(path_); }
  ~Directory() { fs::remove_all(path_); }
  std::string name() const { return (path_ / "modules").string(); }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(path_ / "modules")) found.push_back(entry);
    return found;
  }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("jit: the GLSL library and the kernels for users' monoids are in the program") {
  const auto has = [](std::string_view name) {
    for (const jit::File& file : jit::files()) {
      if (file.name == name) return file.text.size() > 100;
    }
    return false;
  };
  CHECK(has("vkprims/core.glsl"));
  CHECK(has("vkprims/device/lookback.h"));
  CHECK(has("scan/scan/look_back.comp"));
  CHECK(has("stack/stack_fold/stack_fold.abi.h"));
  CHECK(has("rolling/rolling/rolling.abi.h"));
  CHECK(!has("vkprims/README.md"));
  CHECK(std::is_sorted(jit::files().begin(), jit::files().end(),
                       [](const jit::File& a, const jit::File& b) { return a.name < b.name; }));
  CHECK(std::string(jit::files_hash()).size() == 64);
}

TEST_CASE("jit: a source is compiled once, however often it is asked for") {
  const jit::Compiler jit(context().device());
  const Spirv *first = nullptr, *second = nullptr, *other = nullptr;
  const jit::CompileOptions options{.name = "fill", .definitions = {"VALUE=3u"}};
  throw_if_error(jit.compile(kFill, options, first));
  CHECK(std::string(first->name) == "fill");
  CHECK(first->words[0] == 0x07230203);
  throw_if_error(jit.compile(kFill, options, second));
  CHECK(first == second);
  CHECK(jit.statistics().compiled == 1);
  CHECK(jit.statistics().from_memory == 1);
  throw_if_error(jit.compile(kFill, {.name = "fill", .definitions = {"VALUE=4u"}}, other));
  CHECK(first != other);
  CHECK(jit.statistics().compiled == 2);

  const jit::Compiler copy = jit;
  throw_if_error(copy.compile(kFill, options, second));
  CHECK(first == second);
}

TEST_CASE("jit: several threads ask for the same and for other sources") {
  const jit::Compiler jit(context().device());
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const Spirv* spirv = nullptr;
      const std::string value = "VALUE=" + std::to_string(i % 2) + "u";
      if (!jit.compile(kFill, {.definitions = {value}}, spirv) || !spirv) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(jit.statistics().compiled == 2);
  CHECK(jit.statistics().from_memory == 6);
}

TEST_CASE("jit: modules outlive their Compiler, with the Device") {
  const Spirv* spirv = nullptr;
  throw_if_error(jit::Compiler(context().device())
                     .compile(kFill, {.name = "kept", .definitions = {"VALUE=1u"}}, spirv));
  CHECK(std::string(spirv->name) == "kept");
}

TEST_CASE("jit: modules are kept in a directory, and damaged files are not used") {
  const Directory directory;
  const jit::CompileOptions options{.name = "fill", .definitions = {"VALUE=5u"}};
  const auto compile = [&](const jit::CompileOptions& wanted) {
    const jit::Compiler jit(context().device(), {.cache_directory = directory.name()});
    const Spirv* spirv = nullptr;
    throw_if_error(jit.compile(kFill, wanted, spirv));
    CHECK(jit.statistics().not_written == 0);
    CHECK(jit.statistics().compiled + jit.statistics().from_disk == 1);
    return std::pair(std::vector<std::uint32_t>(spirv->words, spirv->words + spirv->bytes / 4),
                     jit.statistics().from_disk == 1);
  };
  const auto [words, was_there] = compile(options);
  CHECK(!was_there);
  CHECK(compile(options) == std::pair(words, true));
  CHECK(!compile({.name = "fill", .definitions = {"VALUE=6u"}}).second);
  CHECK(directory.files().size() == 2);

  for (const fs::path& file : directory.files()) {
    CHECK(file.extension() == ".spv");
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(-8, std::ios::end)
        << "damaged!";
  }
  CHECK(compile(options) == std::pair(words, false));
  CHECK(compile(options) == std::pair(words, true));
  for (const fs::path& file : directory.files()) fs::resize_file(file, fs::file_size(file) - 4);
  CHECK(compile(options) == std::pair(words, false));
  for (const fs::path& file : directory.files()) fs::resize_file(file, 3);
  CHECK(compile(options) == std::pair(words, false));
}

TEST_CASE("jit: a directory that cannot be written does no harm") {
  const Directory directory;
  fs::create_directories(fs::path(directory.name()).parent_path());
  std::ofstream(directory.name()) << "a file";
  const jit::Compiler jit(context().device(), {.cache_directory = directory.name()});
  const Spirv* spirv = nullptr;
  throw_if_error(jit.compile(kFill, {.definitions = {"VALUE=7u"}}, spirv));
  CHECK(jit.statistics().not_written == 1);
}

TEST_CASE("jit: messages have the source's own lines") {
  CHECK(message("#version 460\n\nvoid main() {\n  uint x = y;\n}\n") ==
        "jit: own.comp does not compile:\n"
        "own.comp:4: 'y' : undeclared identifier\n"
        "      uint x = y;");
  CHECK(message("#version 460\nvoid main() {") ==
        "jit: own.comp does not compile:\n"
        "own.comp:2: syntax error, unexpected end of file\n"
        "    void main() {");
  CHECK(message("#version 460\n#extension GL_GOOGLE_include_directive : require\n"
                "#include \"nothing.glsl\"\nvoid main() {}\n")
            .find("own.comp:3: '#include' : neither this source nor the GLSL library") !=
        std::string::npos);
  CHECK(message("void main() {}") ==
        "jit: own.comp: the source does not begin with #version, e.g. #version 460");
  // Whatever follows from an error does not hide it.
  std::string many = "#version 460\nvoid main() {\n";
  for (int i = 0; i < 30; ++i) many += "  y" + std::to_string(i) + " = 1;\n";
  CHECK(message(many + "}\n").find("own.comp:3: 'y0' : undeclared identifier") !=
        std::string::npos);
  CHECK(message(many + "}\n").find("more errors") != std::string::npos);
}

TEST_CASE("jit: a Compiler without a device refuses every source") {
  const Spirv* spirv = nullptr;
  for (const jit::Compiler& jit : {jit::Compiler(), jit::Compiler(Device())}) {
    CHECK(std::string(jit.compile(kFill, {}, spirv).message()) ==
          "jit: device is empty; make it with Device::create");
    CHECK(std::string(jit.kernel("void main() {}").status().message()) ==
          "jit: device is empty; make it with Device::create");
  }
}

}  // namespace vkprims::test

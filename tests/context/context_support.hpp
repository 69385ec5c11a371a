// What the tests of the Context share: Contexts of their own, expected errors, environments.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "vkprims/context.hpp"
#include "vkprims/vkprims.hpp"

namespace vkprims::test {

using Words = std::vector<std::uint32_t>;

// Returns settings of a Context in these tests: no cache file, and validation where the run has it.
inline ContextInfo plain() {
  ContextInfo info;
  const char* validation = std::getenv("VKPRIMS_TEST_VALIDATION");
  if (validation && *validation) info.validation = Validation::core;
  info.pipeline_cache_file = false;
  return info;
}

// A Context about which validation must have nothing to say.
struct Clean : Context {
  explicit Clean(const ContextInfo& info = plain()) : Context(info) {}
  ~Clean() { CHECK(statistics().validation_messages == 0); }
};

inline Words counting(std::uint64_t n) {
  Words values(n);
  std::iota(values.begin(), values.end(), 1u);
  return values;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Checks the error that `call` throws: it must have this code and these words in its message.
template <class F>
void expect(Status::Code code, std::initializer_list<std::string> words, F&& call) {
  try {
    call();
    FAIL("no Error");
  } catch (const Error& error) {
    const std::string message = error.what();
    CAPTURE(message);
    CHECK(error.status().code() == code);
    for (const std::string& word : words) {
      CAPTURE(word);
      CHECK(contains(message, word));
    }
  }
}

// Sets an environment variable for the duration of a test.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(&value);
  }
  Environment(const Environment&) = delete;
  ~Environment() { set(before_ ? &*before_ : nullptr); }

 private:
  void set(const std::string* value) {
#ifdef _WIN32
    _putenv_s(name_, value ? value->c_str() : "");
#else
    if (value) {
      setenv(name_, value->c_str(), 1);
    } else {
      unsetenv(name_);
    }
#endif
  }
  const char* name_;
  std::optional<std::string> before_;
};

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    static std::atomic<int> number{0};
    path = std::filesystem::temp_directory_path() /
           ("vkprims-test-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + "-" +
            std::to_string(number++));
    std::filesystem::create_directories(path);
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  // Lists the files in a subdirectory of this one, as not only the library writes here.
  std::vector<std::filesystem::path> files(const char* directory) const {
    std::vector<std::filesystem::path> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(path / directory, ignored)) {
      found.push_back(entry.path());
    }
    return found;
  }
  std::filesystem::path path;
};

// Collects messages of a Context, from any thread.
struct Log {
  std::mutex mutex;
  std::string text;
  std::function<void(LogLevel, const char*)> callback() {
    return [this](LogLevel, const char* message) {
      const std::lock_guard lock(mutex);
      text += message;
      text += '\n';
    };
  }
};

// Checks a round trip through the GPU, by the library's copy kernel.
inline void check_works(Context& context) {
  const Words values = counting(10000);
  const auto in = context.upload(values);
  const auto out = context.allocate<std::uint32_t>(values.size());
  context.run([&](Recorder& r) { copy(r, {}, in, out); });
  CHECK(context.download(out) == values);
}

}  // namespace vkprims::test

// Where a Context's messages and those of the validation layer go.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "vkprims/context.hpp"

namespace vkprims {

class Messages {
 public:
  using Log = std::function<void(LogLevel, const char*)>;
  explicit Messages(Log log) : log_(std::move(log)) {}

  bool wanted() const { return static_cast<bool>(log_); }
  /// May be called from any thread. What the callback throws is dropped, because the caller may be
  /// a C library.
  void send(LogLevel level, const char* text) const noexcept {
    if (!log_) return;
    try {
      log_(level, text);
    } catch (...) {
    }
  }
  void send(LogLevel level, const std::string& text) const noexcept { send(level, text.c_str()); }

  std::atomic<std::uint64_t> validation{0};  ///< warnings and errors of the validation layer

 private:
  Log log_;
};

}  // namespace vkprims

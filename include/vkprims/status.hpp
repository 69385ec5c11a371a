// Status: what every fallible function of the library returns.
/// @ingroup runtime
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <cstdio>  // of mingw: __MINGW_PRINTF_FORMAT
#include <utility>

namespace vkprims {

/// The outcome of a call: a code, the VkResult behind it where there is one, and a message.
///
/// It has 16 bytes and allocates nothing on success. The message is formatted when the error is
/// created, names the argument, its value and the limit, and is shared between copies. A Status
/// converts to true on success.
class [[nodiscard]] Status {
 public:
  /// What came of the call.
  enum Code : std::int32_t {
    ok = 0,            ///< success
    invalid_argument,  ///< an argument is outside what the function documents
    unsupported,       ///< this device cannot do it (a data type, a size, a missing feature)
    not_warmed,     ///< PipelinePolicy::warmed_only is set, and this variant has not been compiled
    out_of_memory,  ///< host or device memory
    device_lost,    ///< VK_ERROR_DEVICE_LOST; every object can still be destroyed
    vulkan_error,   ///< any other VkResult below zero
  };

  /// Success.
  Status() noexcept = default;
  /// A copy shares the message.
  Status(const Status& other) noexcept;
  /// Takes the message of other, which is left with its code alone.
  Status(Status&& other) noexcept
      : code_(other.code_), result_(other.result_), text_(std::exchange(other.text_, nullptr)) {}
  /// Copies or moves, as the argument was given.
  Status& operator=(Status other) noexcept {
    std::swap(code_, other.code_);
    std::swap(result_, other.result_);
    std::swap(text_, other.text_);
    return *this;
  }
  ~Status();

  /// An error with a printf-formatted message.
#if defined(__MINGW_PRINTF_FORMAT)  // the format of its vsnprintf, which unlike "printf" knows %zu
  __attribute__((format(__MINGW_PRINTF_FORMAT, 2, 3)))
#elif defined(__GNUC__) || defined(__clang__)
  __attribute__((format(printf, 2, 3)))
#endif
  static Status
  error(Code code, const char* format, ...);

  /// The Status of a VkResult that `call` returned: ok for any result >= 0.
  static Status from(VkResult result, const char* call);

  /// Whether the call succeeded.
  explicit operator bool() const noexcept { return code_ == ok; }
  /// Whether the code is this one.
  bool operator==(Code code) const noexcept { return code_ == code; }
  /// What came of the call.
  Code code() const noexcept { return code_; }
  /// The VkResult behind the code; VK_SUCCESS if there is none.
  VkResult vk_result() const noexcept { return static_cast<VkResult>(result_); }
  /// Never null; "ok" on success.
  const char* message() const noexcept;

 private:
  struct Text;
  Code code_ = ok;
  std::int32_t result_ = VK_SUCCESS;
  Text* text_ = nullptr;
};

static_assert(sizeof(Status) == 16);

}  // namespace vkprims

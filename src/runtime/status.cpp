// Status: its codes and messages.
#include "vkprims/status.hpp"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace vkprims {

// The message of an error, shared by copies of its Status.
struct Status::Text {
  std::atomic<std::uint32_t> references{1};
  char message[1];  // continues past the end of the struct
};

Status::Status(const Status& other) noexcept
    : code_(other.code_), result_(other.result_), text_(other.text_) {
  if (text_) text_->references.fetch_add(1, std::memory_order_relaxed);
}

Status::~Status() {
  // The order is acq_rel so that the last owner frees the text after all uses by the others.
  if (text_ && text_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    text_->~Text();
    std::free(text_);
  }
}

Status Status::error(Code code, const char* format, ...) {
  Status status;
  status.code_ = code;
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  // Without memory for the message the code is still there.
  if (void* memory =
          length < 0 ? nullptr : std::malloc(sizeof(Text) + static_cast<size_t>(length))) {
    status.text_ = new (memory) Text;
    std::vsnprintf(status.text_->message, static_cast<size_t>(length) + 1, format, again);
  }
  va_end(again);
  va_end(arguments);
  return status;
}

Status Status::from(VkResult result, const char* call) {
  if (result >= 0) return {};
  Code code = vulkan_error;
  const char* name = "VkResult";
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      code = out_of_memory;
      name = "out of host memory";
      break;
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      code = out_of_memory;
      name = "out of device memory";
      break;
    case VK_ERROR_DEVICE_LOST:
      code = device_lost;
      name = "device lost";
      break;
    case VK_ERROR_INITIALIZATION_FAILED:
      name = "initialization failed";
      break;
    case VK_ERROR_LAYER_NOT_PRESENT:
      name = "layer not present";
      break;
    case VK_ERROR_EXTENSION_NOT_PRESENT:
      name = "extension not present";
      break;
    case VK_ERROR_FEATURE_NOT_PRESENT:
      name = "feature not present";
      break;
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      name = "no compatible driver";
      break;
    case VK_ERROR_TOO_MANY_OBJECTS:
      name = "too many objects";
      break;
    default:
      break;
  }
  Status status = error(code, "%s: %s (VkResult %d)", call, name, static_cast<int>(result));
  status.result_ = result;
  return status;
}

const char* Status::message() const noexcept {
  if (text_) return text_->message;
  return code_ == ok ? "ok" : "error (no memory for its message)";
}

}  // namespace vkprims

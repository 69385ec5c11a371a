// Checks of arguments. Messages name the primitive, the argument, its value and the limit.
#pragma once

#include <initializer_list>
#include <span>

#include "runtime/device_state.hpp"
#include "runtime/operand.hpp"

namespace vkprims {

#define VKPRIMS_TRY(expression) \
  if (::vkprims::Status status_ = (expression); !status_) return status_

/// One call of a public function, for as long as the object lives; calls that the function makes
/// itself lie within it. Messages about shaders, and debug labels, name the primitive that the
/// application called, not one that this is made of.
class PublicCall {
 public:
  explicit PublicCall(const char* primitive) noexcept;
  ~PublicCall();
  PublicCall(const PublicCall&) = delete;
  PublicCall& operator=(const PublicCall&) = delete;

  /// For this thread: the primitive that the application called, and the one that is at work for
  /// it.
  static const char* outermost() noexcept;
  static const char* innermost() noexcept;

 private:
  const char* outer_;
  const char* inner_;
};

/// The first line of a record function.
#define VKPRIMS_RECORD_CALL(primitive, cmd, device)    \
  const ::vkprims::PublicCall public_call_(primitive); \
  VKPRIMS_TRY(::vkprims::check_recording(primitive, cmd, device))

/// The first line of a warm_up function.
#define VKPRIMS_WARM_UP_CALL(primitive, device)        \
  const ::vkprims::PublicCall public_call_(primitive); \
  VKPRIMS_TRY(::vkprims::check_device(primitive, device))

Status check_recording(const char* primitive, VkCommandBuffer cmd, const Device& device);
Status check_device(const char* primitive, const Device& device);
/// Checks a Type; with `state`, also that the device can compute with it.
Status check_type(const char* primitive, Type type);
Status check_type(const char* primitive, const DeviceState& state, Type type);
Status check_op(const char* primitive, Type type, Op op);
/// Checks that `value` is one of an enumeration 0 … last.
template <class Enum>
Status check_enum(const char* primitive, const char* name, Enum value, Enum last) {
  const auto number = static_cast<unsigned>(value);
  if (number <= static_cast<unsigned>(last)) return {};
  return Status::error(Status::invalid_argument, "%s: %s is %u, must be 0 … %u", primitive, name,
                       number, static_cast<unsigned>(last));
}
Status check_count(const char* primitive, const Count& count, const char* name = "count");
Status check_element_bytes(const char* primitive, std::uint32_t element_bytes);
/// Checks the elements of fill and gather: `kind` must have numbers of so many bytes.
Status check_kind(const char* primitive, ValueKind kind, std::uint32_t element_bytes);
/// Checks that a Value, if given, can be an element of `type` or has an address aligned to that.
Status check_value(const char* primitive, const char* name, const Value& value, Type type);
/// Checks the same for elements of a kind and size; their address must also be a multiple of 4.
Status check_value(const char* primitive, const char* name, const Value& value, ValueKind kind,
                   std::uint32_t bytes);
/// Checks that every operand is present, large enough and aligned, and that none which is written
/// overlaps another. They are looked at in their order: scratch is the last, so that nobody is
/// asked for it who has given nothing yet.
Status check_operands(const char* primitive, std::span<const Operand> operands);
inline Status check_operands(const char* primitive, std::initializer_list<Operand> operands) {
  return check_operands(primitive, std::span(operands.begin(), operands.size()));
}

// ---- The names that these had.
using Argument = Operand;
inline Status check_arguments(const char* primitive, std::span<const Argument> arguments) {
  return check_operands(primitive, arguments);
}
inline Status check_arguments(const char* primitive, std::initializer_list<Argument> arguments) {
  return check_operands(primitive, arguments);
}
inline Argument argument_of(const Count& count, const char* name = "count") {
  return operand_of(count, name);
}
inline Argument argument_of(const char* name, const Value& value, std::uint32_t bytes) {
  return operand_of(name, value, bytes);
}
inline Argument argument_of(const Scratch& scratch, const ScratchNeed& need) {
  return operand_of(scratch, need);
}
inline Argument argument_of_u64(const char* name, const BufferView& view, bool wanted = true) {
  return operand_of_u64(name, view, wanted);
}
inline Argument argument_of_report(const BufferView& report) { return operand_of_report(report); }

}  // namespace vkprims

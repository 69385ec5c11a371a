// Checks of arguments. Messages name the primitive, the argument, its value and the limit.
#pragma once

#include <initializer_list>
#include <span>

#include "runtime/device_state.hpp"
#include "runtime/operand.hpp"

namespace vkprims {

#define VKPRIMS_TRY(expression) \
  if (::vkprims::Status status_ = (expression); !status_) return status_

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
/// Is told of the operands of every call that is right. It is null outside tests, which compare
/// what is done to them with vkprims/access.hpp.
using OperandObserver = void(const char* primitive, std::span<const Operand> operands);
inline OperandObserver* operand_observer = nullptr;

/// Checks that every operand is present, large enough and aligned, and that none which is written
/// overlaps another. They are looked at in their order: scratch is the last, so that nobody is
/// asked for it who has given nothing yet.
Status check_operands(const char* primitive, std::span<const Operand> operands);
inline Status check_operands(const char* primitive, std::initializer_list<Operand> operands) {
  return check_operands(primitive, std::span(operands.begin(), operands.size()));
}

}  // namespace vkprims

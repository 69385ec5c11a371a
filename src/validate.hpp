// Checks of arguments. Messages name the primitive, the argument, its value and the limit.
#pragma once

#include <initializer_list>
#include <span>

#include "device_state.hpp"

namespace vkprims {

#define VKPRIMS_TRY(expression) \
  if (::vkprims::Status status_ = (expression); !status_) return status_

/// A view as a primitive uses it: its first `need` bytes.
struct Argument {
  const char* name;  // of the member, e.g. "in"
  BufferView view;
  VkDeviceSize need;       // bytes; 0: unused, anything goes
  VkDeviceSize alignment;  // of the address
  bool writes;
  const char* part = "";   // of the member, e.g. ".offsets"
  bool not_given = false;  // a count that must be
};

Status check_recording(const char* primitive, VkCommandBuffer cmd, const Device& device);
Status check_device(const char* primitive, const Device& device);
/// A Type; with `state`, one that the device can compute with.
Status check_type(const char* primitive, Type type);
Status check_type(const char* primitive, const DeviceState& state, Type type);
Status check_op(const char* primitive, Type type, Op op);
/// `value` is one of an enumeration 0 … last.
template <class Enum>
Status check_enum(const char* primitive, const char* name, Enum value, Enum last) {
  const auto number = static_cast<unsigned>(value);
  if (number <= static_cast<unsigned>(last)) return {};
  return Status::error(Status::invalid_argument, "%s: %s is %u, must be 0 … %u", primitive, name,
                       number, static_cast<unsigned>(last));
}
Status check_count(const char* primitive, const Count& count, const char* name = "count");
Status check_element_bytes(const char* primitive, std::uint32_t element_bytes);
/// What elements of fill and gather are: a kind that has numbers of so many bytes.
Status check_kind(const char* primitive, ValueKind kind, std::uint32_t element_bytes);
/// A Value that is given can be an element of `type`, or has an address aligned to that.
Status check_value(const char* primitive, const char* name, const Value& value, Type type);
/// The same of elements of a kind and size; their address is a multiple of 4, too.
Status check_value(const char* primitive, const char* name, const Value& value, ValueKind kind,
                   std::uint32_t bytes);
Status check_scratch(const char* primitive, const ScratchNeed& need, const Scratch& scratch);
/// Every argument is aligned, present and large enough, and no two overlap of which one is written.
Status check_arguments(const char* primitive, std::span<const Argument> arguments);
inline Status check_arguments(const char* primitive, std::initializer_list<Argument> arguments) {
  return check_arguments(primitive, std::span(arguments.begin(), arguments.size()));
}

/// The ranges of a count and of values on the device, for check_arguments: never written. A count
/// must be given.
inline Argument argument_of(const Count& count, const char* name = "count") {
  const VkDeviceSize bytes = count.width == CountWidth::u64 ? 8 : 4;
  return {name, {count.address, bytes}, count.address ? bytes : 0, bytes, false,
          "",   !count.given()};
}
inline Argument argument_of(const char* name, const Value& value, std::uint32_t bytes) {
  const VkDeviceSize size = bytes < 4 ? 4 : bytes;
  return {name, {value.address, size}, value.address ? size : 0, 4, false};
}
inline Argument argument_of(const Scratch& scratch, const ScratchNeed& need) {
  return {"scratch", {scratch.address, scratch.bytes}, need.bytes, need.alignment, true};
}

}  // namespace vkprims

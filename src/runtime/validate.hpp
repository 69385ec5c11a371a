// Checks of arguments. Messages name the primitive, the argument, its value and the limit.
#pragma once

#include <initializer_list>
#include <span>

#include "runtime/device_state.hpp"

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

/// A view as a primitive uses it: its first `need` bytes.
struct Argument {
  const char* name;  // name of the member, e.g. "in"
  BufferView view;
  VkDeviceSize need;       // bytes; 0: unused, anything goes
  VkDeviceSize alignment;  // of the address
  bool writes;
  const char* part = "";                // part of the member, e.g. ".offsets"
  const char* needed_by = "the count";  // what needs so many bytes, e.g. "one u64"
  const Scratch* scratch = nullptr;     // the scratch that the view is of; it is checked as such
  bool not_given = false;               // a count that must be given is missing
  bool no_size = false;                 // values are given, but their value_bytes is 0
};

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
/// Checks that every argument is present, large enough and aligned, and that none which is written
/// overlaps another. They are looked at in their order: scratch is the last, so that nobody is
/// asked for it who has given nothing yet.
Status check_arguments(const char* primitive, std::span<const Argument> arguments);
inline Status check_arguments(const char* primitive, std::initializer_list<Argument> arguments) {
  return check_arguments(primitive, std::span(arguments.begin(), arguments.size()));
}

/// The ranges of a count and of values on the device, for check_arguments(). They are never
/// written. A count must be given.
inline Argument argument_of(const Count& count, const char* name = "count") {
  const VkDeviceSize bytes = count.width == CountWidth::u64 ? 8 : 4;
  Argument argument{name, {count.address, bytes}, count.address ? bytes : 0, bytes, false};
  argument.not_given = !count.given();
  return argument;
}
inline Argument argument_of(const char* name, const Value& value, std::uint32_t bytes) {
  const VkDeviceSize size = bytes < 4 ? 4 : bytes;
  return {name, {value.address, size}, value.address ? size : 0, 4, false};
}
inline Argument argument_of(const Scratch& scratch, const ScratchNeed& need) {
  return {"scratch", {scratch.address, scratch.bytes}, need.bytes, need.alignment, true, "", "",
          &scratch};
}
/// Values that go with keys: a caller who gives some must say how large they are.
inline Argument sized(Argument values, std::uint32_t value_bytes) {
  values.no_size = values.view.address && value_bytes == 0;
  return values;
}
/// A count or an index that is written.
inline Argument argument_of_u64(const char* name, const BufferView& view, bool wanted = true) {
  return {name, view, VkDeviceSize{wanted ? 8u : 0u}, 8, true, "", "one u64"};
}
inline Argument argument_of_report(const BufferView& report) {
  const VkDeviceSize bytes = report.address ? sizeof(DeviceReport) : 0;
  return {"report", report, bytes, alignof(DeviceReport), true, "", "a DeviceReport"};
}

}  // namespace vkprims

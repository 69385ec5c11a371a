// A range of device memory that a call reads or writes: what is checked of it, what commands say
// that they access, and the address that kernels get are made from one description.
#pragma once

#include "runtime/device_state.hpp"

namespace vkprims {

/// A view as a primitive uses it: its first `need` bytes.
struct Operand {
  const char* name = "";  // name of the member, e.g. "in"
  BufferView view;
  VkDeviceSize need = 0;       // bytes; 0: unused, anything goes
  VkDeviceSize alignment = 1;  // of the address
  bool writes = false;
  const char* part = "";                // part of the member, e.g. ".offsets"
  const char* needed_by = "the count";  // what needs so many bytes, e.g. "one u64"
  const Scratch* scratch = nullptr;     // the scratch that the view is of; it is checked as such
  bool not_given = false;               // a count that must be given is missing
  bool no_size = false;                 // values are given, but their value_bytes is 0
  const char* in_place_of = nullptr;    // name of the operand that may begin at the same address

  /// What a command that uses all of it accesses.
  operator Access() const { return {{view.address, need}, writes}; }
  VkDeviceAddress address() const { return view.address; }
};

/// The same operand, which may begin where the one of that name does, and then takes its place.
inline Operand in_place_of(const char* name, Operand operand) {
  operand.in_place_of = name;
  return operand;
}
inline bool is_in_place(const Operand& a, const Operand& b) {
  return a.need && b.need && a.view.address == b.view.address;
}

/// The ranges of a count and of values on the device. They are never written. A count must be
/// given.
inline Operand operand_of(const Count& count, const char* name = "count") {
  const VkDeviceSize bytes = count.width == CountWidth::u64 ? 8 : 4;
  Operand operand{name, {count.address, bytes}, count.address ? bytes : 0, bytes, false};
  operand.not_given = !count.given();
  return operand;
}
/// The range of as many counts in a row, of which `first` is the first one.
inline Operand operand_of(const Count& first, std::uint32_t counts) {
  Operand operand = operand_of(first);
  operand.view.bytes *= counts;
  operand.need *= counts;
  return operand;
}
inline Operand operand_of(const char* name, const Value& value, std::uint32_t bytes) {
  const VkDeviceSize size = bytes < 4 ? 4 : bytes;
  return {name, {value.address, size}, value.address ? size : 0, 4, false};
}
inline Operand operand_of(const Scratch& scratch, const ScratchNeed& need) {
  return {"scratch", {scratch.address, scratch.bytes}, need.bytes, need.alignment, true, "", "",
          &scratch};
}
/// Values that go with keys: a caller who gives some must say how large they are.
inline Operand sized(Operand values, std::uint32_t value_bytes) {
  values.no_size = values.view.address && value_bytes == 0;
  return values;
}
/// A count or an index that is written.
inline Operand operand_of_u64(const char* name, const BufferView& view, bool wanted = true) {
  return {name, view, VkDeviceSize{wanted ? 8u : 0u}, 8, true, "", "one u64"};
}
inline Operand operand_of_report(const BufferView& report) {
  const VkDeviceSize bytes = report.address ? sizeof(DeviceReport) : 0;
  return {"report", report, bytes, alignof(DeviceReport), true, "", "a DeviceReport"};
}

}  // namespace vkprims

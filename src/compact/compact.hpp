// The host side of shaders/compact/, which select, partition and unique have in common.
#pragma once

#include "compact/compact/compact.abi.h"
#include "runtime/device_state.hpp"
#include "runtime/validate.hpp"
#include "vkprims/select.hpp"

namespace vkprims {

struct Compaction {
  const char* primitive;
  Type type;
  std::uint32_t item_bytes;
  std::uint32_t source;  // VKP_COMPACT_BYTES …
  bool by_value;         // for VKP_COMPACT_HEADS: floats whose bits differ may be equal
  Predicate predicate;
  Value operand;
  Count count;
  IndexWidth index_width;
  std::uint32_t value_bytes;  // size of elements of the second sequence; 0: there is none
  Schedule schedule;
  bool rejected;    // the elements that are not selected are wanted, too
  bool one_output;  // those elements go behind the selected ones
};

struct CompactionBuffers {
  BufferView in, flags, out, rejected, indices, values_in, values_out;
  const char* count_name;
  BufferView count;
  Scratch scratch;
};

/// Sets what the descriptors of select and partition have in common: what is chosen, and how. The
/// caller sets the rest of `c`.
template <class Desc>
Status choose(const Desc& desc, Compaction& c) {
  VKPRIMS_TRY(check_enum(c.primitive, "by", desc.by, SelectBy::predicate));
  c.type = desc.type;
  c.item_bytes = desc.element_bytes ? desc.element_bytes : size_of(desc.type);
  c.source = static_cast<std::uint32_t>(desc.by);
  c.predicate = desc.predicate;
  c.operand = desc.operand;
  c.count = desc.count;
  c.schedule = desc.schedule;
  return {};
}

Status check_compaction(const Compaction& c);
ScratchNeed compaction_scratch(const DeviceState& state, const Compaction& c);
/// Requires that check_compaction() has succeeded.
Status record_compaction(VkCommandBuffer cmd, DeviceState& state, const Compaction& c,
                         const CompactionBuffers& buffers);
Status warm_up_compaction(DeviceState& state, const Compaction& c);

}  // namespace vkprims

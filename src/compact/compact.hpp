// The host side of shaders/compact/, which select, partition and unique have in common.
#pragma once

#include "compact/compact/compact.abi.h"
#include "runtime/commands.hpp"
#include "vkprims/partition.hpp"
#include "vkprims/partition_three.hpp"
#include "vkprims/select.hpp"
#include "vkprims/unique.hpp"

namespace vkprims {

struct Compaction {
  const char* primitive;
  Type type;
  std::uint32_t item_bytes;
  std::uint32_t source;  // VKP_COMPACT_BYTES …
  bool by_value;         // for VKP_COMPACT_HEADS: floats whose bits differ may be equal
  Predicate predicate;
  Value operand;            // for VKP_COMPACT_OWN: the arguments
  const OwnPredicate* own;  // for VKP_COMPACT_OWN
  Count count;
  IndexWidth index_width;
  std::uint32_t value_bytes;  // size of elements of the second sequence; 0: there is none
  Schedule schedule;
  bool rejected;    // the elements that are not selected are wanted, too
  bool one_output;  // those elements go behind the selected ones
  // By `own`, elements go to `out`, `indices` and `rejected`, and there are two counts.
  bool three;
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
  c.count = desc.count;
  c.schedule = desc.schedule;
  if (desc.own) {
    c.own = desc.own;
    c.operand = desc.arguments;
    c.item_bytes = desc.own->bytes;
    c.source = VKP_COMPACT_OWN;
    return {};
  }
  c.type = desc.type;
  c.item_bytes = desc.element_bytes ? desc.element_bytes : size_of(desc.type);
  c.source = static_cast<std::uint32_t>(desc.by);
  c.predicate = desc.predicate;
  c.operand = desc.operand;
  return {};
}

Status check_compaction(const Compaction& c);
/// Checks the buffers of a compaction that is right.
Status check_buffers(const DeviceState& state, const Compaction& c, const CompactionBuffers& b);
ScratchNeed compaction_scratch(const DeviceState& state, const Compaction& c);
/// Adds the commands of a compaction that has been checked, and its buffers, too.
Status add_compaction(Commands& commands, const Compaction& c, const CompactionBuffers& b);
/// Adds what a compaction may need at any count.
Status warm_up_compaction(Commands& commands, const Compaction& c);

/// Makes the compaction of a descriptor and checks it.
Status make_compaction(const SelectDesc& desc, Compaction& c);
Status make_compaction(const PartitionDesc& desc, Compaction& c);
Status make_compaction(const UniqueDesc& desc, Compaction& c);
Status make_compaction(const PartitionThreeDesc& desc, Compaction& c);

/// The public functions of the primitives that have such a descriptor.
template <class Desc>
ScratchNeed compaction_scratch(const Device& device, const Desc& desc) {
  Compaction c;
  if (!device || !make_compaction(desc, c)) return {};
  return compaction_scratch(*device.state(), c);
}
template <class Desc>
Status record_compaction(const char* primitive, VkCommandBuffer cmd, const Device& device,
                         const Desc& desc, const CompactionBuffers& b) {
  return record_call(primitive, cmd, device, [&](Commands& commands) {
    Compaction c;
    VKPRIMS_TRY(make_compaction(desc, c));
    VKPRIMS_TRY(check_buffers(commands.state(), c, b));
    return add_compaction(commands, c, b);
  });
}
template <class Desc>
Status warm_up_compaction(const char* primitive, const Device& device, const Desc& desc) {
  return warm_up_call(primitive, device, [&](Commands& commands) {
    Compaction c;
    VKPRIMS_TRY(make_compaction(desc, c));
    return warm_up_compaction(commands, c);
  });
}

}  // namespace vkprims

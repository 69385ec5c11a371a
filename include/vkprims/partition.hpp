// Partition: the elements that a flag or a predicate chooses, in order, and the others, in order.
#pragma once

#include <concepts>

#include "vkprims/select.hpp"

namespace vkprims {

struct PartitionDesc {
  Type type = Type::u32;
  std::uint32_t element_bytes = 0;  ///< of elements chosen by flags: 4, 8 or 16; 0: size_of(type)
  SelectBy by = SelectBy::bytes;
  Predicate predicate = Predicate::less;  ///< for SelectBy::predicate
  Value operand = {};                     ///< one element, for SelectBy::predicate
  bool one_output = false;  ///< the others follow the chosen elements in out; implies multi_pass
  Count count = {};         ///< elements, 0 … kMaxCount
  Schedule schedule = Schedule::automatic;
};

struct PartitionBuffers {
  BufferView in;
  BufferView flags = {};  ///< for SelectBy::bytes and bits
  BufferView out;
  BufferView rejected = {};  ///< unless PartitionDesc::one_output
  BufferView selected_count;
  Scratch scratch = {};
};

/// out = the chosen elements of in, rejected (or the rest of out) = the others, both in the same order (stable).
///
/// in              count elements; address multiple of the element size
/// flags, operand  as for record_select()
/// out, rejected   room for count elements each; address multiple of the element size; must not overlap in or
///                 each other
/// selected_count  8 bytes, address multiple of 8: how many are chosen, as u64
/// scratch         partition_scratch() bytes, as record_select()
/// Before          in, flags, count, operand: last writer -> COMPUTE_SHADER / SHADER_READ. out, rejected,
///                 selected_count: all earlier users -> COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier
///                 users -> TRANSFER | COMPUTE_SHADER | DRAW_INDIRECT / TRANSFER_WRITE | SHADER_READ |
///                 SHADER_WRITE | INDIRECT_COMMAND_READ
/// After           out, rejected, selected_count: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, flags,
///                 scratch: free after COMPUTE_SHADER. What lies behind the results is kept
/// Errors          as record_select(); Schedule::look_back with one_output
/// Results         exact, the same on every device
/// Source          as CUB's DevicePartition, whose rejected elements come out in reverse
Status record_partition(VkCommandBuffer cmd, const Device& device, const PartitionDesc& desc,
                        const PartitionBuffers& buffers);

/// Scratch that record_partition() needs for `desc`.
ScratchNeed partition_scratch(const Device& device, const PartitionDesc& desc);

/// Compiles what record_partition() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const PartitionDesc& desc);

/// Partitions in by desc.predicate into out and rejected, as a step of `recorder`; count.max 0 stands for
/// in.size().
template <std::same_as<Recorder> R, class In, class Out, class Selected>
void partition(R& recorder, PartitionDesc desc, const In& in, const Out& out, const Out& rejected,
               const Selected& selected_count) {
  desc.type = type_of<typename In::value_type>();
  desc.by = SelectBy::predicate;
  if (desc.count.max == 0) desc.count.max = in.size();
  recorder.step(partition_scratch(recorder.device(), desc), [&](VkCommandBuffer cmd,
                                                                const Scratch& s) {
    return record_partition(cmd, recorder.device(), desc,
                            {in.view(), {}, out.view(), rejected.view(), selected_count.view(), s});
  });
}

}  // namespace vkprims

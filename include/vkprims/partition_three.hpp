// Partition into three: separates elements into those of a first, a second and a third part, each
// in order, as a function of your own says.
/// @ingroup compact
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/predicate.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a partition to record_partition_three(), partition_three_scratch() and warm_up().
struct PartitionThreeDesc {
  /// The function, which vkprims_add_predicate(… FORMS partition_three) makes of GLSL.
  const OwnPredicate* own = nullptr;
  Value arguments = {};  ///< OwnPredicate::argument_bytes that it gets for all elements
  Count count = {};      ///< elements, 0 … kMaxCount
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Memory for record_partition_three(), whose comment tells sizes, alignments and what may overlap.
struct PartitionThreeBuffers {
  BufferView in;                    ///< the elements
  BufferView first, second, third;  ///< the elements of each part
  BufferView counts;                ///< two u64
  Scratch scratch = {};             ///< partition_three_scratch() bytes
};

/// first = the elements of in for which the function gives 0, second = those for which it gives 1,
/// and third = all others, each in the order of in (stable).
///
/// in                    count elements of OwnPredicate::bytes; address multiple of that size
/// first, second, third  room for count elements each; address multiple of the element size; must
///                       not overlap in or each other
/// counts                16 bytes, address multiple of 8: the numbers of elements in first and
///                       second, as u64
/// arguments             on the host, or at a device address that is a multiple of 4
/// scratch               partition_three_scratch() bytes: 8 for each tile of some thousand elements
///                       with multi_pass, four times that with look_back
/// Before                in, count, arguments: last writer -> COMPUTE_SHADER / SHADER_READ. first,
///                       second, third, counts: all earlier users -> COMPUTE_SHADER / SHADER_WRITE.
///                       scratch: all earlier users -> TRANSFER | COMPUTE_SHADER | DRAW_INDIRECT /
///                       TRANSFER_WRITE | SHADER_READ | SHADER_WRITE | INDIRECT_COMMAND_READ
/// After                 first, second, third, counts: COMPUTE_SHADER / SHADER_WRITE -> your
///                       reader. in, scratch: free after COMPUTE_SHADER
/// Errors                no function, one that was made for other forms, or that needs a feature
///                       which the device lacks; size of arguments; count above the limit;
///                       schedule; views too small, unaligned or overlapping; invalid scratch
/// Results               exact, the same on every device. Memory behind the results is left
///                       unchanged
/// Source                CUB's DevicePartition::If with two selections
Status record_partition_three(VkCommandBuffer cmd, const Device& device,
                              const PartitionThreeDesc& desc, const PartitionThreeBuffers& buffers);

/// Scratch that record_partition_three() needs for `desc`.
ScratchNeed partition_three_scratch(const Device& device, const PartitionThreeDesc& desc);

/// Compiles the pipelines that record_partition_three() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const PartitionThreeDesc& desc);

/// Partitions in by a function of your own as a step of `recorder`; a count that is not given is
/// in.size().
template <std::same_as<Recorder> R, class T, class In, class First, class Second, class Third,
          class Counts>
void partition_three(R& recorder, const PredicateOf<T>& own, PartitionThreeDesc desc, const In& in,
                     const First& first, const Second& second, const Third& third,
                     const Counts& counts) {
  static_assert(overloads::kMayHold<In, T> && overloads::kMayHold<First, T> &&
                    overloads::kMayHold<Second, T> && overloads::kMayHold<Third, T>,
                "vkprims: partition_three: in and the parts must hold elements of the function");
  static_assert(overloads::kIsU64<Counts>,
                "vkprims: partition_three: counts must hold two std::uint64_t");
  desc.own = &own;
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_partition_three, partition_three_scratch>(
      recorder, desc,
      PartitionThreeBuffers{in.view(), first.view(), second.view(), third.view(), counts.view()});
}

}  // namespace vkprims

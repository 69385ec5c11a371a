// Partition: separates the elements that a flag or predicate chooses from the others, both in
// order.
/// @ingroup compact
#pragma once

#include <concepts>

#include "vkprims/recorder_overloads.hpp"
#include "vkprims/select.hpp"

namespace vkprims {

/// Describes a partition to record_partition(), partition_scratch() and warm_up().
struct PartitionDesc {
  Type type = Type::u32;            ///< type of the elements
  std::uint32_t element_bytes = 0;  ///< for elements chosen by flags: 4, 8 or 16; 0: size_of(type)
  SelectBy by = SelectBy::bytes;    ///< what chooses elements
  Predicate predicate = Predicate::less;  ///< for SelectBy::predicate
  Value operand = {};                     ///< one element, for SelectBy::predicate
  const OwnPredicate* own = nullptr;      ///< a predicate of your own, instead of all of these
  Value arguments = {};     ///< OwnPredicate::argument_bytes that it gets for all elements
  bool one_output = false;  ///< the others follow the chosen elements in out; implies multi_pass
  Count count = {};         ///< elements, 0 … kMaxCount
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Memory for record_partition(), whose comment tells sizes, alignments and what may overlap.
struct PartitionBuffers {
  BufferView in;              ///< the elements
  BufferView flags = {};      ///< for SelectBy::bytes and SelectBy::bits
  BufferView out;             ///< the chosen elements
  BufferView rejected = {};   ///< unless PartitionDesc::one_output
  BufferView selected_count;  ///< one u64
  Scratch scratch = {};       ///< partition_scratch() bytes
};

/// out = the chosen elements of in, and rejected (or the rest of out) = the others, both in the
/// order of in (stable).
///
/// in              count elements; address multiple of the element size
/// flags, operand  see record_select()
/// out, rejected   room for count elements each; address multiple of the element size; must not
///                 overlap in or each other
/// selected_count  8 bytes, address multiple of 8: the number of chosen elements, as u64
/// scratch         partition_scratch() bytes, as much as for record_select()
/// Before          in, flags, count, operand, arguments: last writer -> COMPUTE_SHADER /
///                 SHADER_READ. out, rejected, selected_count: all earlier users -> COMPUTE_SHADER
///                 / SHADER_WRITE. scratch: all earlier users -> TRANSFER | COMPUTE_SHADER |
///                 DRAW_INDIRECT / TRANSFER_WRITE | SHADER_READ | SHADER_WRITE |
///                 INDIRECT_COMMAND_READ
/// After           out, rejected, selected_count: COMPUTE_SHADER / SHADER_WRITE -> your reader. in,
///                 flags, scratch: free after COMPUTE_SHADER
/// Errors          those of record_select(); Schedule::look_back with one_output
/// Results         exact, the same on every device. Memory behind the results is left unchanged
/// Source          CUB's DevicePartition, whose rejected elements, however, come out in reverse
Status record_partition(VkCommandBuffer cmd, const Device& device, const PartitionDesc& desc,
                        const PartitionBuffers& buffers);

/// Scratch that record_partition() needs for `desc`.
ScratchNeed partition_scratch(const Device& device, const PartitionDesc& desc);

/// Compiles the pipelines that record_partition() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const PartitionDesc& desc);

/// Partitions in by desc.predicate into out and rejected, as a step of `recorder`; a count that is
/// not given is in.size(). If rejected is not_wanted, the rejected elements follow the chosen ones
/// in out.
template <std::same_as<Recorder> R, class In, class Out, class Rejected, class Selected>
void partition(R& recorder, PartitionDesc desc, const In& in, const Out& out,
               const Rejected& rejected, const Selected& selected_count) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: partition: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<In, Out> && overloads::kIsSame<In, Rejected>,
                "vkprims: partition: out and rejected must have in's element type");
  static_assert(overloads::kIsU64<Selected>,
                "vkprims: partition: selected_count must hold one std::uint64_t");
  desc.type = overloads::element_type<In>();
  desc.by = SelectBy::predicate;
  desc.element_bytes = 0;
  desc.one_output = !overloads::kIsWanted<Rejected>;
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_partition, partition_scratch>(
      recorder, desc,
      PartitionBuffers{in.view(), {}, out.view(), rejected.view(), selected_count.view()});
}
/// Does the same by a predicate of your own.
template <std::same_as<Recorder> R, class T, class In, class Out, class Rejected, class Selected>
void partition(R& recorder, const PredicateOf<T>& own, PartitionDesc desc, const In& in,
               const Out& out, const Rejected& rejected, const Selected& selected_count) {
  static_assert(overloads::kMayHold<In, T> && overloads::kMayHold<Out, T>,
                "vkprims: partition: in and out must hold elements of the predicate");
  static_assert(!overloads::kIsWanted<Rejected> || overloads::kMayHold<Rejected, T>,
                "vkprims: partition: rejected must hold elements of the predicate");
  static_assert(overloads::kIsU64<Selected>,
                "vkprims: partition: selected_count must hold one std::uint64_t");
  desc.own = &own;
  desc.one_output = !overloads::kIsWanted<Rejected>;
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_partition, partition_scratch>(
      recorder, desc,
      PartitionBuffers{in.view(), {}, out.view(), rejected.view(), selected_count.view()});
}
/// Does the same by flags, which are bytes, or bits in words.
template <std::same_as<Recorder> R, class In, class Flags, class Out, class Rejected,
          class Selected>
void partition(R& recorder, PartitionDesc desc, const In& in, const Flags& flags, const Out& out,
               const Rejected& rejected, const Selected& selected_count) {
  static_assert(overloads::kHasSize<In, 4, 8, 16>,
                "vkprims: partition: in must hold elements of 4, 8 or 16 bytes");
  static_assert(overloads::kIsByte<Flags> || overloads::kIsU32<Flags>,
                "vkprims: partition: flags must be bytes, or bits in words of std::uint32_t");
  static_assert(overloads::kIsSame<In, Out> && overloads::kIsSame<In, Rejected>,
                "vkprims: partition: out and rejected must have in's element type");
  static_assert(overloads::kIsU64<Selected>,
                "vkprims: partition: selected_count must hold one std::uint64_t");
  desc.element_bytes = overloads::element_bytes<In>();
  desc.by = overloads::kIsByte<Flags> ? SelectBy::bytes : SelectBy::bits;
  desc.one_output = !overloads::kIsWanted<Rejected>;
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_partition, partition_scratch>(
      recorder, desc,
      PartitionBuffers{in.view(), flags.view(), out.view(), rejected.view(),
                       selected_count.view()});
}

}  // namespace vkprims

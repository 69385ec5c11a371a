// Argsort: the indices of the keys of a sequence in sorted order.
/// @ingroup sort
#pragma once

#include <concepts>
#include <optional>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a sort of indices to record_argsort(), argsort_scratch() and warm_up().
struct ArgsortDesc {
  Type type = Type::u32;  ///< type of the keys; every device supports all types here
  SortOrder order = SortOrder::ascending;         ///< the direction
  FloatOrder float_order = FloatOrder::by_value;  ///< for f32 and f64
  IndexWidth index_width = IndexWidth::u32;       ///< width of the elements of out
  std::uint32_t begin_bit = 0;                    ///< see RadixSortDesc::begin_bit
  std::optional<std::uint32_t> end_bit = {};      ///< see RadixSortDesc::end_bit
  Count count = {};  ///< keys, 0 … kMaxCount; with IndexWidth::u32 at most 2^32
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Memory for record_argsort(), whose comment tells sizes, alignments and what may overlap.
struct ArgsortBuffers {
  BufferView in;             ///< the keys
  BufferView out;            ///< the indices of the keys in sorted order
  BufferView keys_out = {};  ///< the sorted keys; address 0: not wanted
  Scratch scratch = {};      ///< argsort_scratch() bytes
};

/// out[i] = the index of the key that comes i-th in the order. Equal keys come in the order of
/// their indices, with either SortOrder.
///
/// in        count keys of size_of(type) bytes; address multiple of size_of(type); unchanged
/// out       count indices of size_of(index_width) bytes; address multiple of that; must not
///           overlap any other view
/// keys_out  count keys; address multiple of size_of(type); must not overlap any other view
/// scratch   argsort_scratch() bytes: at most room for the keys twice and the indices once, and
///           about 1/8 of the keys' bytes
/// Before    in: last writer -> COMPUTE_SHADER / SHADER_READ. out, keys_out: all earlier users ->
///           COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. scratch: all earlier users ->
///           COMPUTE_SHADER | TRANSFER | DRAW_INDIRECT / SHADER_READ | SHADER_WRITE |
///           TRANSFER_WRITE | INDIRECT_COMMAND_READ. count: last writer -> COMPUTE_SHADER /
///           SHADER_READ
/// After     out, keys_out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, scratch: free after
///           COMPUTE_SHADER
/// Errors    type, orders, index_width, bits, count above the limit, views too small, unaligned or
///           overlapping, invalid scratch
/// Results   exact, the same on every device
/// Source    the same as radix_sort.hpp; the first pass makes the indices
Status record_argsort(VkCommandBuffer cmd, const Device& device, const ArgsortDesc& desc,
                      const ArgsortBuffers& buffers);

/// Scratch that record_argsort() needs for `desc`.
ScratchNeed argsort_scratch(const Device& device, const ArgsortDesc& desc);

/// Compiles the pipelines that record_argsort() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const ArgsortDesc& desc);

/// Writes the order of `in`, and its keys in that order unless keys_out is left out, as a step of
/// `recorder`; a count that is not given is in.size().
template <std::same_as<Recorder> R, class In, class Out, class KeysOut = NotWanted>
void argsort(R& recorder, ArgsortDesc desc, const In& in, const Out& out,
             const KeysOut& keys_out = {}) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: argsort: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsIndex<Out>,
                "vkprims: argsort: out must hold std::uint32_t or std::uint64_t");
  static_assert(overloads::kIsSame<In, KeysOut>,
                "vkprims: argsort: keys_out must have in's element type");
  desc.type = overloads::element_type<In>();
  desc.index_width = overloads::index_width<Out>();
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_argsort, argsort_scratch>(
      recorder, desc,
      ArgsortBuffers{.in = in.view(), .out = out.view(), .keys_out = keys_out.view()});
}

}  // namespace vkprims

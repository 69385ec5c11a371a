// Argsort: in which order the keys of a sequence come.
#pragma once

#include <concepts>
#include <optional>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

struct ArgsortDesc {
  Type type = Type::u32;  ///< of keys; every device has all of them here: no arithmetic is done
  SortOrder order = SortOrder::ascending;
  FloatOrder float_order = FloatOrder::by_value;  ///< for f32 and f64
  IndexWidth index_width = IndexWidth::u32;
  std::uint32_t begin_bit = 0;  ///< as those of RadixSortDesc
  std::optional<std::uint32_t> end_bit = {};
  Count count = {};  ///< keys: 0 … kMaxCount, for indices of 32 bits 0 … 2^32
  Schedule schedule = Schedule::automatic;
};

struct ArgsortBuffers {
  BufferView in;
  BufferView out;
  BufferView keys_out = {};  ///< the sorted keys; address 0: not wanted
  Scratch scratch = {};
};

/// out[i] = the index of the key that comes i-th. Of equal keys the lowest index comes first, in both orders.
///
/// in          count keys of size_of(type) bytes; address multiple of size_of(type); unchanged
/// out         count indices of size_of(index_width) bytes; address multiple of that; must not overlap any
///             other
/// keys_out    count keys; address multiple of size_of(type); must not overlap any other
/// scratch     argsort_scratch() bytes: room for keys twice and for indices once more, and about 1/8 of the keys' bytes,
///             at most
/// Before      in: last writer -> COMPUTE_SHADER / SHADER_READ. out, keys_out: all earlier users ->
///             COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER |
///             TRANSFER | DRAW_INDIRECT / SHADER_READ | SHADER_WRITE | TRANSFER_WRITE |
///             INDIRECT_COMMAND_READ. count: last writer -> COMPUTE_SHADER / SHADER_READ
/// After       out, keys_out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, scratch: free after
///             COMPUTE_SHADER
/// Errors      type, orders, index_width, bits, count above the limit, views too small, unaligned or
///             overlapping, scratch
/// Results     exact, the same on every device
/// Source      as radix_sort; the indices are made in the first pass
Status record_argsort(VkCommandBuffer cmd, const Device& device, const ArgsortDesc& desc,
                      const ArgsortBuffers& buffers);

/// Scratch that record_argsort() needs for `desc`.
ScratchNeed argsort_scratch(const Device& device, const ArgsortDesc& desc);

/// Compiles what record_argsort() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const ArgsortDesc& desc);

/// Finds the order of `in`, and its keys in that order unless left out, as a step of `recorder`; a
/// count that is not given is in.size().
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

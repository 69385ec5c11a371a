// Radix sort: sorts keys, or keys together with the values that belong to them.
/// @ingroup sort
#pragma once

#include <concepts>
#include <optional>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a sort to record_radix_sort(), radix_sort_scratch() and warm_up().
struct RadixSortDesc {
  Type type = Type::u32;  ///< type of the keys; every device supports all types here
  SortOrder order = SortOrder::ascending;         ///< the direction
  FloatOrder float_order = FloatOrder::by_value;  ///< for f32 and f64
  /// Bytes of the value that belongs to a key: 1, 2, 4, 8 or 16; 0: no values.
  std::uint32_t value_bytes = 0;
  /// Only bits begin_bit … end_bit - 1 of keys are compared, counted from the lowest bit, of
  /// unsigned numbers that have the same order as the keys. end_bit not given: up to the highest
  /// bit. With begin_bit = end_bit, also end_bit 0, all keys are equal, so in and values_in are
  /// copied.
  std::uint32_t begin_bit = 0;
  std::optional<std::uint32_t> end_bit = {};  ///< the bit behind the highest one that is compared
  Count count = {};  ///< keys, 0 … kMaxCount; with values of 1, 2 or 16 bytes at most 2^32
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Memory for record_radix_sort(), whose comment tells sizes, alignments and what may overlap.
struct RadixSortBuffers {
  BufferView in;               ///< the keys
  BufferView out;              ///< the sorted keys
  BufferView values_in = {};   ///< with RadixSortDesc::value_bytes
  BufferView values_out = {};  ///< with RadixSortDesc::value_bytes
  Scratch scratch = {};        ///< radix_sort_scratch() bytes
};

/// out = the keys of in in sorted order; values_out = the values of values_in, each at the place of
/// its key. The sort is stable, with either SortOrder.
///
/// in          count keys of size_of(type) bytes; address multiple of size_of(type)
/// out         as many keys; may be in itself, but must not overlap it otherwise
/// values_in   count values of value_bytes bytes; address multiple of value_bytes; address 0 if
///             value_bytes is 0
/// values_out  as many values; may be values_in itself, but must not overlap any other view
/// scratch     radix_sort_scratch() bytes: at most room for the keys and for values of 4 or 8 bytes
///             once, and about 1/8 of the keys' bytes. Values of 1, 2 and 16 bytes: 8 bytes for
///             each element, and room for the values once
/// Before      in, values_in: last writer -> COMPUTE_SHADER / SHADER_READ. out, values_out: all
///             earlier users -> COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. scratch: all earlier
///             users -> COMPUTE_SHADER | TRANSFER | DRAW_INDIRECT / SHADER_READ | SHADER_WRITE |
///             TRANSFER_WRITE | INDIRECT_COMMAND_READ. count: last writer -> COMPUTE_SHADER /
///             SHADER_READ
/// After       out, values_out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, values_in,
///             scratch: free after COMPUTE_SHADER
/// Errors      type, orders, value_bytes, bits, count above the limit, views too small, unaligned
///             or overlapping, invalid scratch
/// Results     exact, the same on every device; floats keep their bits and order as FloatOrder says
/// Source      D. Merrill, A. Grimshaw, "High Performance and Scalable Radix Sorting" (2011); A.
///             Adinets, D. Merrill, "Onesweep" (2022): one dispatch counts all digits, then one per
///             digit ranks the keys of a tile, learns by decoupled look-back how many of each digit
///             come before, and moves them. A digit that all keys have in common costs no pass. One
///             workgroup sorts few keys alone
Status record_radix_sort(VkCommandBuffer cmd, const Device& device, const RadixSortDesc& desc,
                         const RadixSortBuffers& buffers);

/// Scratch that record_radix_sort() needs for `desc`.
ScratchNeed radix_sort_scratch(const Device& device, const RadixSortDesc& desc);

/// Compiles the pipelines that record_radix_sort() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const RadixSortDesc& desc);

/// Sorts keys as a step of `recorder`; a count that is not given is in.size().
template <std::same_as<Recorder> R, class In, class Out>
void radix_sort(R& recorder, RadixSortDesc desc, const In& in, const Out& out) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: radix_sort: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<In, Out>,
                "vkprims: radix_sort: out must have in's element type");
  desc.type = overloads::element_type<In>();
  desc.value_bytes = 0;
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_radix_sort, radix_sort_scratch>(
      recorder, desc, RadixSortBuffers{.in = in.view(), .out = out.view()});
}

/// Sorts keys with values.
template <std::same_as<Recorder> R, class In, class Out, class ValuesIn, class ValuesOut>
void radix_sort(R& recorder, RadixSortDesc desc, const In& in, const Out& out,
                const ValuesIn& values_in, const ValuesOut& values_out) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: radix_sort: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<In, Out>,
                "vkprims: radix_sort: out must have in's element type");
  static_assert(overloads::kHasSize<ValuesIn, 1, 2, 4, 8, 16>,
                "vkprims: radix_sort: values must have 1, 2, 4, 8 or 16 bytes");
  static_assert(overloads::kIsSame<ValuesIn, ValuesOut>,
                "vkprims: radix_sort: values_out must have values_in's element type");
  desc.type = overloads::element_type<In>();
  desc.value_bytes = overloads::element_bytes<ValuesIn>();
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_radix_sort, radix_sort_scratch>(
      recorder, desc, RadixSortBuffers{in.view(), out.view(), values_in.view(), values_out.view()});
}

}  // namespace vkprims

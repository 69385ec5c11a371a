// Unique: the first element of every run of equal neighbours.
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

struct UniqueDesc {
  Type type = Type::u32;  ///< of the elements (keys) that are compared
  std::uint32_t value_bytes =
      0;             ///< of the values that go with the keys: 4, 8 or 16; 0: there are none
  Count count = {};  ///< elements, 0 … kMaxCount
  IndexWidth index_width = IndexWidth::u32;
  Schedule schedule = Schedule::automatic;
  FloatOrder float_order = FloatOrder::by_value;  ///< for f32 and f64
};

struct UniqueBuffers {
  BufferView in;
  BufferView out = {};         ///< address 0: not wanted
  BufferView values_in = {};   ///< with UniqueDesc::value_bytes
  BufferView values_out = {};  ///< with UniqueDesc::value_bytes
  BufferView indices = {};     ///< address 0: not wanted
  BufferView unique_count;
  Scratch scratch = {};
};

/// out = those elements of in that differ from the one before; values_out = the values, and indices = the
/// numbers, of these elements. Of sorted input these are the distinct elements.
///
/// in            count elements; address multiple of size_of(type)
/// out           room for count elements; address multiple of size_of(type); must not overlap in
/// values_in     count values of value_bytes; address multiple of 4; not to be given if value_bytes is 0
/// values_out    room for count values; address multiple of 4; must not overlap values_in
/// indices       room for count numbers of index_width; address multiple of their size. As u32 the low 32 bits
///               are kept
/// unique_count  8 bytes, address multiple of 8: the number of runs, as u64
/// scratch       unique_scratch() bytes, as record_select()
/// Before        in, values_in, count: last writer -> COMPUTE_SHADER / SHADER_READ. out, values_out, indices,
///               unique_count: all earlier users -> COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users
///               -> TRANSFER | COMPUTE_SHADER | DRAW_INDIRECT / TRANSFER_WRITE | SHADER_READ | SHADER_WRITE |
///               INDIRECT_COMMAND_READ
/// After         out, values_out, indices, unique_count: COMPUTE_SHADER / SHADER_WRITE -> your reader. in,
///               values_in, scratch: free after COMPUTE_SHADER. What lies behind the results is kept
/// Errors        float_order, value_bytes, count above the limit, views too small, unaligned or overlapping, scratch
/// Results       exact, the same on every device. Floats keep their bits and are equal as FloatOrder says. 64-bit
///               types need no feature
/// Source        as CUB's DeviceSelect::Unique and UniqueByKey; look-back as in scan.hpp
Status record_unique(VkCommandBuffer cmd, const Device& device, const UniqueDesc& desc,
                     const UniqueBuffers& buffers);

/// Scratch that record_unique() needs for `desc`.
ScratchNeed unique_scratch(const Device& device, const UniqueDesc& desc);

/// Compiles what record_unique() uses for `desc` at any alignment and count, with any outputs.
Status warm_up(const Device& device, const UniqueDesc& desc);

/// What an overload of unique may write besides.
struct UniqueOptionalBuffers {
  OptionalIndices indices = {};
};

/// Takes the unique elements of in as a step of `recorder`; a count that is not given is in.size(). out
/// may be not_wanted.
template <std::same_as<Recorder> R, class In, class Out, class Number>
void unique(R& recorder, UniqueDesc desc, const In& in, const Out& out, const Number& unique_count,
            const UniqueOptionalBuffers& more = {}) {
  unique(recorder, desc, in, out, not_wanted, not_wanted, unique_count, more);
}

/// The same with values.
template <std::same_as<Recorder> R, class In, class Out, class ValuesIn, class ValuesOut,
          class Number>
void unique(R& recorder, UniqueDesc desc, const In& in, const Out& out, const ValuesIn& values_in,
            const ValuesOut& values_out, const Number& unique_count,
            const UniqueOptionalBuffers& more = {}) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: unique: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<In, Out>, "vkprims: unique: out must have in's element type");
  static_assert(overloads::kHasSize<ValuesIn, 4, 8, 16>,
                "vkprims: unique: values must have 4, 8 or 16 bytes");
  static_assert(overloads::kIsSame<ValuesIn, ValuesOut>,
                "vkprims: unique: values_out must have values_in's element type");
  static_assert(overloads::kIsU64<Number>,
                "vkprims: unique: unique_count must hold one std::uint64_t");
  desc.type = overloads::element_type<In>();
  desc.value_bytes = overloads::kIsWanted<ValuesIn> ? overloads::element_bytes<ValuesIn>() : 0;
  if (more.indices) desc.index_width = more.indices.width;
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_unique, unique_scratch>(
      recorder, desc,
      UniqueBuffers{in.view(), out.view(), values_in.view(), values_out.view(), more.indices.view(),
                    unique_count.view()});
}

}  // namespace vkprims

// Unique: keeps the first element of every run of equal neighbours.
/// @ingroup compact
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a selection of unique elements to record_unique(), unique_scratch() and warm_up().
struct UniqueDesc {
  Type type = Type::u32;  ///< type of the elements (keys) that are compared
  /// bytes of the value that belongs to a key: 4, 8 or 16; 0: no values
  std::uint32_t value_bytes = 0;
  Count count = {};                               ///< elements, 0 … kMaxCount
  IndexWidth index_width = IndexWidth::u32;       ///< width of the elements of indices
  Schedule schedule = Schedule::automatic;        ///< which algorithm, where there are two
  FloatOrder float_order = FloatOrder::by_value;  ///< for f32 and f64
};

/// Memory for record_unique(), whose comment tells sizes, alignments and what may overlap.
struct UniqueBuffers {
  BufferView in;               ///< the elements
  BufferView out = {};         ///< address 0: not wanted
  BufferView values_in = {};   ///< with UniqueDesc::value_bytes
  BufferView values_out = {};  ///< with UniqueDesc::value_bytes
  BufferView indices = {};     ///< address 0: not wanted
  BufferView unique_count;     ///< one u64
  Scratch scratch = {};        ///< unique_scratch() bytes
};

/// out = the elements of in that differ from the one before; values_out = the values and indices =
/// the indices of these elements. For sorted input they are the distinct elements.
///
/// in            count elements; address multiple of size_of(type)
/// out           room for count elements; address multiple of size_of(type); must not overlap in
/// values_in     count values of value_bytes; address multiple of 4; address 0 if value_bytes is 0
/// values_out    room for count values; address multiple of 4; must not overlap values_in
/// indices       room for count numbers of index_width; address multiple of their size. With u32,
///               the low 32 bits are stored
/// unique_count  8 bytes, address multiple of 8: the number of runs, as u64
/// scratch       unique_scratch() bytes, as much as for record_select()
/// Before        in, values_in, count: last writer -> COMPUTE_SHADER / SHADER_READ. out,
///               values_out, indices, unique_count: all earlier users -> COMPUTE_SHADER /
///               SHADER_WRITE. scratch: all earlier users -> TRANSFER | COMPUTE_SHADER |
///               DRAW_INDIRECT / TRANSFER_WRITE | SHADER_READ | SHADER_WRITE |
///               INDIRECT_COMMAND_READ
/// After         out, values_out, indices, unique_count: COMPUTE_SHADER / SHADER_WRITE -> your
///               reader. in, values_in, scratch: free after COMPUTE_SHADER
/// Errors        float_order, value_bytes, count above the limit, views too small, unaligned or
///               overlapping, invalid scratch
/// Results       exact, the same on every device. Floats keep their bits; FloatOrder says which are
///               equal. 64-bit types need no feature. Memory behind the results is left unchanged
/// Source        CUB's DeviceSelect::Unique and UniqueByKey; look-back as in scan.hpp
Status record_unique(VkCommandBuffer cmd, const Device& device, const UniqueDesc& desc,
                     const UniqueBuffers& buffers);

/// Scratch that record_unique() needs for `desc`.
ScratchNeed unique_scratch(const Device& device, const UniqueDesc& desc);

/// Compiles the pipelines that record_unique() uses for `desc` at any alignment and count, with any
/// outputs.
Status warm_up(const Device& device, const UniqueDesc& desc);

/// Optional outputs of the overloads of unique().
struct UniqueOptionalBuffers {
  OptionalIndices indices = {};  ///< the indices of the elements taken
};

/// Takes the unique elements of in as a step of `recorder`; a count that is not given is in.size().
/// out may be not_wanted.
template <std::same_as<Recorder> R, class In, class Out, class Number>
void unique(R& recorder, UniqueDesc desc, const In& in, const Out& out, const Number& unique_count,
            const UniqueOptionalBuffers& more = {}) {
  unique(recorder, desc, in, out, not_wanted, not_wanted, unique_count, more);
}

/// Takes the unique elements and their values.
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

// Run-length encoding: the element and the length of every run of equal elements.
/// @ingroup compact
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a run-length encoding to record_run_length_encode(), run_length_encode_scratch() and
/// warm_up().
struct RunLengthEncodeDesc {
  Type type = Type::u32;                          ///< every device supports all types here
  IndexWidth length_width = IndexWidth::u32;      ///< u64 needs Features::int64
  Count count = {};                               ///< elements, 0 … kMaxCount
  Schedule schedule = Schedule::automatic;        ///< which algorithm, where there are two
  FloatOrder float_order = FloatOrder::by_value;  ///< for f32 and f64
};

/// Memory for record_run_length_encode(), whose comment tells sizes, alignments and what may
/// overlap.
struct RunLengthEncodeBuffers {
  BufferView in;         ///< the elements
  BufferView out = {};   ///< address 0: not wanted
  BufferView lengths;    ///< the length of each run
  BufferView run_count;  ///< one u64
  Scratch scratch = {};  ///< run_length_encode_scratch() bytes
};

/// out[r] = the first element of run r, with the same bits; lengths[r] = the length of run r. A run
/// is a longest sequence of equal neighbours; FloatOrder says which floats are equal.
///
/// in         count elements; address multiple of size_of(type)
/// out        room for count elements; address multiple of size_of(type); must not overlap in
/// lengths    room for count numbers of length_width; address multiple of their size; must not
///            overlap in. With u32, the low 32 bits of the length are stored
/// run_count  8 bytes, address multiple of 8: the number of runs, as u64
/// scratch    run_length_encode_scratch() bytes, as much as for record_reduce_by_key()
/// Before     in, count: last writer -> COMPUTE_SHADER / SHADER_READ. out, lengths, run_count: all
///            earlier users -> COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users ->
///            TRANSFER | COMPUTE_SHADER | DRAW_INDIRECT / TRANSFER_WRITE | SHADER_READ |
///            SHADER_WRITE | INDIRECT_COMMAND_READ
/// After      out, lengths, run_count: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, scratch:
///            free after COMPUTE_SHADER
/// Errors     float_order, length_width u64 on a device without int64, count above the limit, views
///            too small, unaligned or overlapping, invalid scratch
/// Results    exact, the same on every device. Memory behind the results is left unchanged
/// Source     the same as reduce_by_key.hpp, with ones as values
Status record_run_length_encode(VkCommandBuffer cmd, const Device& device,
                                const RunLengthEncodeDesc& desc,
                                const RunLengthEncodeBuffers& buffers);

/// Scratch that record_run_length_encode() needs for `desc`.
ScratchNeed run_length_encode_scratch(const Device& device, const RunLengthEncodeDesc& desc);

/// Compiles the pipelines that record_run_length_encode() uses for `desc` at any alignment and
/// count.
Status warm_up(const Device& device, const RunLengthEncodeDesc& desc);

/// Encodes in as a step of `recorder`; a count that is not given is in.size(). out may be
/// not_wanted.
template <std::same_as<Recorder> R, class In, class Out, class Lengths, class Number>
void run_length_encode(R& recorder, RunLengthEncodeDesc desc, const In& in, const Out& out,
                       const Lengths& lengths, const Number& run_count) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: run_length_encode: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<In, Out>,
                "vkprims: run_length_encode: out must have in's element type");
  static_assert(overloads::kIsIndex<Lengths>,
                "vkprims: run_length_encode: lengths must hold std::uint32_t or std::uint64_t");
  static_assert(overloads::kIsU64<Number>,
                "vkprims: run_length_encode: run_count must hold one std::uint64_t");
  desc.type = overloads::element_type<In>();
  desc.length_width = overloads::index_width<Lengths>();
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_run_length_encode, run_length_encode_scratch>(
      recorder, desc,
      RunLengthEncodeBuffers{in.view(), out.view(), lengths.view(), run_count.view()});
}

}  // namespace vkprims

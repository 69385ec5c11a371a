// Select (filter, compact): keeps the elements that a flag or a predicate chooses, in order.
/// @ingroup compact
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/predicate.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Comparison of an element x with an operand. Floats compare as in C++: -0 equals 0, and for NaN
/// only not_equal is true.
enum class Predicate : std::uint32_t {
  less,           ///< x < operand
  less_equal,     ///< x <= operand
  equal,          ///< x == operand
  not_equal,      ///< x != operand
  greater_equal,  ///< x >= operand
  greater,        ///< x > operand
  has_bits,       ///< (x & operand) != 0, for integer types
};

/// What chooses elements.
enum class SelectBy : std::uint32_t {
  bytes,      ///< a flag of one byte for each element; not 0: chosen
  bits,       ///< a bit for each element, bit i % 32 of word i / 32; 1: chosen
  predicate,  ///< Predicate and operand
};

/// Describes a selection to record_select(), select_scratch() and warm_up().
struct SelectDesc {
  Type type = Type::u32;            ///< type of the elements
  std::uint32_t element_bytes = 0;  ///< for elements chosen by flags: 4, 8 or 16; 0: size_of(type)
  SelectBy by = SelectBy::bytes;    ///< what chooses elements
  Predicate predicate = Predicate::less;  ///< for SelectBy::predicate
  Value operand = {};                     ///< one element, for SelectBy::predicate
  const OwnPredicate* own = nullptr;      ///< a predicate of your own, instead of all of these
  Value arguments = {};  ///< OwnPredicate::argument_bytes that it gets for all elements
  Count count = {};      ///< elements, 0 … kMaxCount
  IndexWidth index_width = IndexWidth::u32;  ///< width of the elements of indices
  Schedule schedule = Schedule::automatic;   ///< which algorithm, where there are two
};

/// Memory for record_select(), whose comment tells sizes, alignments and what may overlap.
struct SelectBuffers {
  BufferView in;              ///< the elements
  BufferView flags = {};      ///< for SelectBy::bytes and SelectBy::bits
  BufferView out = {};        ///< address 0: not wanted
  BufferView indices = {};    ///< address 0: not wanted
  BufferView selected_count;  ///< one u64
  Scratch scratch = {};       ///< select_scratch() bytes
};

/// out = the chosen elements of in, in the order of in (stable); indices = their indices in the
/// input.
///
/// in              count elements; address multiple of the element size. Not read if elements are
///                 chosen by flags and out is not wanted
/// flags           bytes: count bytes. bits: (count + 31) / 32 words, address multiple of 4; the
///                 bits behind the last element may have any value
/// out             room for count elements; address multiple of the element size; must not overlap
///                 in. Selection in place is not possible, since a workgroup may have to reread
///                 what another one has already replaced
/// indices         room for count numbers of index_width; address multiple of their size. With u32,
///                 the low 32 bits are stored
/// selected_count  8 bytes, address multiple of 8: the number of chosen elements, as u64; its low
///                 word can be read as a u32 count
/// operand         host value of size_of(type) bytes, or a device address (multiple of the size)
/// arguments       host value of own->argument_bytes bytes, or a device address (multiple of 4)
/// scratch         select_scratch() bytes. look_back: 80 + 64 for each tile of a few thousand
///                 elements; multi_pass: 32 + 4 for each tile; small inputs: 0
/// Before          in, flags, count, operand, arguments: last writer -> COMPUTE_SHADER /
///                 SHADER_READ. out, indices, selected_count: all earlier users -> COMPUTE_SHADER /
///                 SHADER_WRITE. scratch: all earlier users -> TRANSFER | COMPUTE_SHADER |
///                 DRAW_INDIRECT / TRANSFER_WRITE | SHADER_READ | SHADER_WRITE |
///                 INDIRECT_COMMAND_READ
/// After           out, indices, selected_count: COMPUTE_SHADER / SHADER_WRITE -> your reader. in,
///                 flags, scratch: free after COMPUTE_SHADER
/// Errors          element_bytes with a predicate, has_bits on floats, no operand, count above the
///                 limit, views too small, unaligned or overlapping, invalid scratch
/// Results         exact, the same on every device. 64-bit types need no feature: elements are only
///                 compared. Memory of out and indices behind the chosen elements is left unchanged
/// Source          CUB's DeviceSelect; look-back as in scan.hpp
Status record_select(VkCommandBuffer cmd, const Device& device, const SelectDesc& desc,
                     const SelectBuffers& buffers);

/// Scratch that record_select() needs for `desc`.
ScratchNeed select_scratch(const Device& device, const SelectDesc& desc);

/// Compiles the pipelines that record_select() uses for `desc` at any alignment and count, with any
/// outputs.
Status warm_up(const Device& device, const SelectDesc& desc);

/// Optional outputs of the overloads of select().
struct SelectOptionalBuffers {
  OptionalIndices indices = {};  ///< the indices of the chosen elements
};

/// Selects from in to out as a step of `recorder`, by flags, which are bytes or words of bits. A
/// count that is not given is in.size(). out may be not_wanted; so may in, and the count is that of
/// the flags then.
template <std::same_as<Recorder> R, class In, class Flags, class Out, class Selected>
void select(R& recorder, SelectDesc desc, const In& in, const Flags& flags, const Out& out,
            const Selected& selected_count, const SelectOptionalBuffers& more = {}) {
  static_assert(overloads::kHasSize<In, 4, 8, 16>,
                "vkprims: select: in must hold elements of 4, 8 or 16 bytes");
  static_assert(overloads::kIsByte<Flags> || overloads::kIsU32<Flags>,
                "vkprims: select: flags must be bytes, or bits in words of std::uint32_t");
  static_assert(overloads::kIsSame<In, Out>, "vkprims: select: out must have in's element type");
  static_assert(overloads::kIsU64<Selected>,
                "vkprims: select: selected_count must hold one std::uint64_t");
  desc.element_bytes = overloads::element_bytes<In>();
  desc.by = overloads::kIsByte<Flags> ? SelectBy::bytes : SelectBy::bits;
  if (more.indices) desc.index_width = more.indices.width;
  const std::uint64_t flag_count = flags.size() * (overloads::kIsByte<Flags> ? 1 : 32);
  desc.count = desc.count.or_all(overloads::kIsWanted<In> ? in.size() : flag_count);
  overloads::add_step<record_select, select_scratch>(
      recorder, desc,
      SelectBuffers{in.view(), flags.view(), out.view(), more.indices.view(),
                    selected_count.view()});
}

/// Selects by desc.predicate.
template <std::same_as<Recorder> R, class In, class Out, class Selected>
void select(R& recorder, SelectDesc desc, const In& in, const Out& out,
            const Selected& selected_count, const SelectOptionalBuffers& more = {}) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: select: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<In, Out>, "vkprims: select: out must have in's element type");
  static_assert(overloads::kIsU64<Selected>,
                "vkprims: select: selected_count must hold one std::uint64_t");
  desc.type = overloads::element_type<In>();
  desc.by = SelectBy::predicate;
  desc.element_bytes = 0;
  if (more.indices) desc.index_width = more.indices.width;
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_select, select_scratch>(
      recorder, desc,
      SelectBuffers{in.view(), {}, out.view(), more.indices.view(), selected_count.view()});
}

/// Selects by a predicate of your own.
template <std::same_as<Recorder> R, class T, class In, class Out, class Selected>
void select(R& recorder, const PredicateOf<T>& own, SelectDesc desc, const In& in, const Out& out,
            const Selected& selected_count, const SelectOptionalBuffers& more = {}) {
  static_assert(overloads::kMayHold<In, T>,
                "vkprims: select: in must hold elements of the predicate");
  static_assert(!overloads::kIsWanted<Out> || overloads::kMayHold<Out, T>,
                "vkprims: select: out must hold elements of the predicate");
  static_assert(overloads::kIsU64<Selected>,
                "vkprims: select: selected_count must hold one std::uint64_t");
  desc.own = &own;
  if (more.indices) desc.index_width = more.indices.width;
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_select, select_scratch>(
      recorder, desc,
      SelectBuffers{in.view(), {}, out.view(), more.indices.view(), selected_count.view()});
}

}  // namespace vkprims

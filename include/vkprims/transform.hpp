// Transform: out[i] = f(a[i]) or f(a[i], b[i]) for built-in functions f.
/// @ingroup elementwise
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Built-in function of one or two elements. The first seven have the values of Op.
///
/// Integers wrap, also in neg and abs of the lowest value. x / 0 has all bits set (the largest
/// value of unsigned types, -1 of signed ones), and lowest / -1 is lowest. Shifts are by b modulo
/// the width; right shifts of signed types keep the sign. bit_* and shift_* are for integer types
/// only. Floats: min and max order -0 below +0, and give the other operand if one is NaN;
/// comparisons are those of IEEE 754, so both zeros are equal, and for NaN only not_equal is true.
/// These, neg and abs work on bits and treat denormals as numbers.
enum class MapOp : std::uint32_t {
  add,            ///< a + b
  mul,            ///< a * b
  min,            ///< the smaller one
  max,            ///< the larger one
  bit_and,        ///< a & b
  bit_or,         ///< a | b
  bit_xor,        ///< a ^ b
  sub,            ///< a - b
  div,            ///< a / b, integers truncated towards zero
  shift_left,     ///< a << b
  shift_right,    ///< a >> b
  less,           ///< a < b, as u32 1 or 0
  less_equal,     ///< a <= b, as u32 1 or 0
  equal,          ///< a == b, as u32 1 or 0
  not_equal,      ///< a != b, as u32 1 or 0
  greater,        ///< a > b, as u32 1 or 0
  greater_equal,  ///< a >= b, as u32 1 or 0
  neg,            ///< -a
  abs,            ///< |a|
  bit_not,        ///< ~a
  scale_add,      ///< alpha * a + b
  cast,           ///< a as another type
};

/// The name of a function, such as "add"; "invalid" for any other value.
constexpr const char* name_of(MapOp op) {
  constexpr const char* names[] = {
      "add",        "mul",     "min",       "max",        "bit_and",       "bit_or",
      "bit_xor",    "sub",     "div",       "shift_left", "shift_right",   "less",
      "less_equal", "equal",   "not_equal", "greater",    "greater_equal", "neg",
      "abs",        "bit_not", "scale_add", "cast"};
  return static_cast<std::uint32_t>(op) < 22 ? names[static_cast<std::uint32_t>(op)] : "invalid";
}

/// Describes a transform to record_transform(), transform_scratch() and warm_up().
struct TransformDesc {
  Type type = Type::u32;  ///< type of the operands
  MapOp op = MapOp::add;  ///< the function
  Count count = {};       ///< elements, 0 … kMaxCount
  Value scalar = {};      ///< one element that is b for all a; not given: b is a sequence
  Value alpha = {};       ///< one element, for scale_add; not given: 1
  Type to = Type::u32;    ///< type of out, for cast
};

/// The type of the elements that a transform writes.
constexpr Type result_type(const TransformDesc& desc) {
  if (desc.op == MapOp::cast) return desc.to;
  return desc.op >= MapOp::less && desc.op <= MapOp::greater_equal ? Type::u32 : desc.type;
}

/// Memory for record_transform(), whose comment tells sizes, alignments and what may overlap.
struct TransformBuffers {
  BufferView a;          ///< the first operands
  BufferView b = {};     ///< for functions of two elements without a scalar
  BufferView out;        ///< the results
  Scratch scratch = {};  ///< transform_scratch() bytes
};

/// out[i] = f(a[i]), f(a[i], b[i]) or f(a[i], scalar).
///
/// cast between integers works modulo 2^width. From float to integer it truncates; values out of
/// range give the nearest one in range, and NaN gives 0. To floats it rounds to nearest even; NaN
/// keeps its sign and the highest bits of its payload and becomes quiet.
///
/// a, b      count * size_of(type) bytes each; address multiple of size_of(type)
/// out       count * size_of(result_type(desc)) bytes; address multiple of that size; the same
///           address as a or b, or both (in place, where the sizes are the same), or no overlap
///           with them. Fastest where a, b and out are the same number of elements away from a
///           multiple of 16 bytes
/// scalar, alpha  host values of size_of(type) bytes, or device addresses (multiple of the size)
///           that do not lie in out
/// scratch   transform_scratch() bytes: 0, except for a large count that is read on the GPU
/// Before    a, b: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users ->
///           COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER |
///           DRAW_INDIRECT / SHADER_WRITE | INDIRECT_COMMAND_READ. count, scalar, alpha: last
///           writer -> COMPUTE_SHADER / SHADER_READ
/// After     out: COMPUTE_SHADER / SHADER_WRITE -> your reader. a, b, scratch: free after
///           COMPUTE_SHADER
/// Errors    type that the device lacks (comparisons and casts need no feature), op that the type
///           does not have, operands that the op does not take, size of scalar or alpha, count
///           above the limit, views too small, unaligned or overlapping, invalid scratch
/// Results   integers, min, max, neg, abs, comparisons and casts: the same bits on every device.
///           add, sub, mul of floats are rounded once, scale_add twice (never contracted), div is
///           within 2.5 ulp for |b| in [2^-126, 2^126]. For these five, Vulkan leaves open how to
///           round (all known devices round to nearest even), and whether denormal operands and
///           results become 0
/// Source    one 16-byte row per invocation and step, like copy.hpp
Status record_transform(VkCommandBuffer cmd, const Device& device, const TransformDesc& desc,
                        const TransformBuffers& buffers);

/// Scratch that record_transform() needs for `desc`.
ScratchNeed transform_scratch(const Device& device, const TransformDesc& desc);

/// Compiles the pipelines that record_transform() uses for `desc` at any alignment.
Status warm_up(const Device& device, const TransformDesc& desc);

/// Transforms a, and b where given, to out as a step of `recorder`; a count that is not given is
/// a.size().
template <std::same_as<Recorder> R, class A, class B, class Out>
void transform(R& recorder, TransformDesc desc, const A& a, const B& b, const Out& out) {
  static_assert(overloads::kIsElement<A>,
                "vkprims: transform: a must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsElement<Out>,
                "vkprims: transform: out must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<A, B>, "vkprims: transform: b must have a's element type");
  desc.type = overloads::element_type<A>();
  desc.to = overloads::element_type<Out>();
  desc.count = desc.count.or_all(a.size());
  overloads::check_result(recorder, "transform", result_type(desc), desc.to, name_of(desc.op));
  overloads::add_step<record_transform, transform_scratch>(
      recorder, desc, TransformBuffers{.a = a.view(), .b = b.view(), .out = out.view()});
}
/// Transforms a alone, or with desc.scalar.
template <std::same_as<Recorder> R, class A, class Out>
void transform(R& recorder, const TransformDesc& desc, const A& a, const Out& out) {
  transform(recorder, desc, a, not_wanted, out);
}

}  // namespace vkprims

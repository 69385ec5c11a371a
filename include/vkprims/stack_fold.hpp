// Stack fold: for every symbol of a string of brackets a fold over the opens that enclose it, or over what it encloses.
#pragma once

#include <concepts>

#include "vkprims/recorder_overloads.hpp"
#include "vkprims/stack_match.hpp"

namespace vkprims {

/// What is folded, and how. Outer opens are on the left. The identities of integers and floats are those of Op.
enum class StackMonoid : std::uint32_t {
  u32_add,
  u32_min,
  u32_max,
  i32_add,
  i32_min,
  i32_max,
  f32_add,
  f32_min,
  f32_max,
  rectangle_intersection,  ///< StackRectangle: what is in both. Identity: {-inf, -inf, +inf, +inf}, the whole plane
  rectangle_union,  ///< StackRectangle: the smallest that has both in it. Identity: {+inf, +inf, -inf, -inf}, the empty one
  affine,  ///< StackAffine: matrices multiplied, the inner one on the right. Identity: {1, 0, 0, 1, 0, 0}
};

/// From (x0, y0) to (x1, y1). Empty ones are nothing special: x0 > x1 is kept as it is.
struct StackRectangle {
  float x0, y0, x1, y1;
};

/// x' = a x + c y + e, y' = b x + d y + f, as in SVG and PDF.
struct StackAffine {
  float a, b, c, d, e, f;
};

/// Bytes of a value.
constexpr std::uint32_t size_of(StackMonoid monoid) {
  if (monoid == StackMonoid::affine) return sizeof(StackAffine);
  return monoid >= StackMonoid::rectangle_intersection ? sizeof(StackRectangle) : 4;
}

/// What a fold is over.
enum class StackFoldOver : std::uint32_t {
  enclosing,  ///< the opens on the stack, from the bottom up: top-down over the tree of brackets
  enclosed,  ///< what is between an open and its close, in order: bottom-up over the tree, or its subtrees
};

enum class StackFoldKind : std::uint32_t {
  exclusive,  ///< enclosing: opens on the stack before the symbol acts. enclosed: without the open itself
  after,  ///< enclosing: those after it, so an open is in its own fold, and a close has that before its open.
  ///< enclosed: with the open itself
};

struct StackFoldDesc {
  StackInput input = StackInput::tags_u8;
  StackMonoid monoid = StackMonoid::u32_add;
  StackFoldOver over = StackFoldOver::enclosing;
  StackFoldKind kind = StackFoldKind::exclusive;
  Count count = {};  ///< symbols, 0 … kMaxCount; with StackFoldOver::enclosed at most 2^32 - 1
};

struct StackFoldBuffers {
  BufferView symbols;      ///< tags, or the plane of opens
  BufferView closes = {};  ///< the plane of closes, with StackInput::bits
  BufferView values;
  BufferView out;
  Scratch scratch = {};
};

/// Runs over the symbols with a stack of values: an open pushes its value; out[i] = the values on the stack before or
/// after symbol i folded from the bottom up, StackMonoid's identity if there is none. What symbols are and what those too many do
/// is as for record_stack_match(). So clip rectangles of nested groups are intersected, transforms multiplied, costs of
/// callers summed up.
///
/// With StackFoldOver::enclosed an open and its close have the fold of the values of all symbols between them that are
/// opens or nothing, in order; an open without a close that of those up to the next reset or the end. A symbol that is
/// nothing has its own value, a close too many and a reset the identity. So boxes of groups are united from those of
/// what is in them, and times of callees summed up.
///
/// symbols   count tags; address multiple of their size; bits: (count + 31) / 32 words, address multiple of 4. Tags of a
///           byte are read as whole words
/// closes    with StackInput::bits, as symbols
/// values    count values of size_of(monoid) bytes; address multiple of 4, of 16 for rectangles and 8 for matrices
///           is faster. Those of symbols without one are read, but not used
/// out       count values; address as that of values; no overlap with any other view
/// scratch   stack_fold_scratch() bytes, about 7 for each symbol; enclosed: 11 to 13
/// Before    symbols, closes, values, count: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users ->
///           COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER | DRAW_INDIRECT /
///           SHADER_READ | SHADER_WRITE | INDIRECT_COMMAND_READ
/// After     out: COMPUTE_SHADER / SHADER_WRITE -> your reader. symbols, closes, values, scratch: free after
///           COMPUTE_SHADER
/// Errors    count above the limit, closes with other input than bits, views too small, unaligned or overlapping,
///           scratch
/// Results   integers and rectangles: exact (coordinates that are NaN may give any). f32_add and affine: rounded once
///           for each operation, grouped in another way than one after the other, the same from run to run on a
///           device: |error| <= 1.1 d eps times the fold of absolute values of d opens or symbols. f32_min and f32_max: as Op.
///           The work per symbol has a bound that does not depend on the symbols
/// Source    R. Levien, "The stack monoid revisited" (2021) and "Fast GPU bounding boxes on tree-structured scenes"
///           (2022), for what is computed; links between tiles by pointer jumping in place of a limit on their number.
///           enclosed: ranges over a tree of folds
Status record_stack_fold(VkCommandBuffer cmd, const Device& device, const StackFoldDesc& desc,
                         const StackFoldBuffers& buffers);

/// Scratch that record_stack_fold() needs for `desc`.
ScratchNeed stack_fold_scratch(const Device& device, const StackFoldDesc& desc);

/// Compiles what record_stack_fold() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const StackFoldDesc& desc);

/// What an overload of stack_fold may read besides.
struct StackFoldOptionalBuffers {
  OptionalBits closes = {};  ///< symbols is the plane of opens then
};

/// The type of what a fold of StackMonoid is over: rectangles, matrices, or numbers.
template <class T>
constexpr bool is_value_of(StackMonoid monoid) {
  if (monoid == StackMonoid::affine) return std::is_same_v<T, StackAffine>;
  if (monoid >= StackMonoid::rectangle_intersection) return std::is_same_v<T, StackRectangle>;
  if (monoid >= StackMonoid::f32_add) return std::is_same_v<T, float>;
  return sizeof(T) == 4 &&
         value_kind_of<T>() == (monoid >= StackMonoid::i32_add ? ValueKind::signed_integer
                                                               : ValueKind::unsigned_integer);
}

/// Folds along brackets as a step of `recorder`; a count that is not given is symbols.size(), which for
/// bits it must be.
template <std::same_as<Recorder> R, class Symbols, class Values, class Out>
void stack_fold(R& recorder, StackFoldDesc desc, const Symbols& symbols, const Values& values,
                const Out& out, const StackFoldOptionalBuffers& more = {}) {
  static_assert(kIsStackSymbols<Symbols>,
                "vkprims: stack_fold: symbols must be tags of 8 or 32 bits, or words of bits");
  using T = overloads::ElementOf<Values>;
  static_assert(std::is_same_v<T, StackRectangle> || std::is_same_v<T, StackAffine> ||
                    (sizeof(T) == 4 && overloads::kIsElement<Values>),
                "vkprims: stack_fold: values must be u32, i32, f32, rectangles or matrices");
  static_assert(overloads::kIsSame<Values, Out>,
                "vkprims: stack_fold: out must have values' element type");
  if (!is_value_of<T>(desc.monoid)) {
    overloads::refuse(recorder, "stack_fold: monoid is of another type than values");
  }
  desc.input = stack_input<Symbols>(more.closes);
  desc.count = desc.count.or_all(stack_symbols(symbols, values.size(), more.closes));
  overloads::add_step<record_stack_fold, stack_fold_scratch>(
      recorder, desc,
      StackFoldBuffers{symbols.view(), more.closes.view(), values.view(), out.view()});
}

}  // namespace vkprims

// Stack fold: for every symbol of a string of brackets, a fold over the opens that enclose it or
// over the symbols that it encloses.
/// @ingroup stack
#pragma once

#include <concepts>

#include "vkprims/monoid.hpp"
#include "vkprims/recorder_overloads.hpp"
#include "vkprims/stack_match.hpp"

namespace vkprims {

/// The values and the operator of a fold. Outer opens are on the left. The identities of integers
/// and floats are those of Op.
enum class StackMonoid : std::uint32_t {
  u32_add,  ///< std::uint32_t: the sum
  u32_min,  ///< std::uint32_t: the smallest value
  u32_max,  ///< std::uint32_t: the largest value
  i32_add,  ///< std::int32_t: the sum
  i32_min,  ///< std::int32_t: the smallest value
  i32_max,  ///< std::int32_t: the largest value
  f32_add,  ///< float: the sum
  f32_min,  ///< float: the smallest value
  f32_max,  ///< float: the largest value
  /// StackRectangle: the intersection. Identity: {-inf, -inf, +inf, +inf}, the whole plane.
  rectangle_intersection,
  /// StackRectangle: the smallest one that contains both. Identity: {+inf, +inf, -inf, -inf}, which
  /// is empty.
  rectangle_union,
  /// StackAffine: matrix product, the inner matrix on the right. Identity: {1, 0, 0, 1, 0, 0}.
  affine,
};

/// A rectangle from (x0, y0) to (x1, y1). Empty rectangles are not treated specially: x0 > x1 is
/// kept as it is.
struct StackRectangle {
  float x0, y0, x1, y1;  ///< the coordinates of two opposite corners
};

/// x' = a x + c y + e, y' = b x + d y + f, as in SVG and PDF.
struct StackAffine {
  float a, b, c, d, e, f;  ///< the coefficients, in the order of SVG
};

/// Size of a value in bytes.
constexpr std::uint32_t size_of(StackMonoid monoid) {
  if (monoid == StackMonoid::affine) return sizeof(StackAffine);
  return monoid >= StackMonoid::rectangle_intersection ? sizeof(StackRectangle) : 4;
}

/// Which symbols a fold is over.
enum class StackFoldOver : std::uint32_t {
  enclosing,  ///< The opens on the stack, from the bottom up: top-down over the tree of brackets.
  /// The symbols between an open and its close, in order: over the subtrees of the tree, bottom-up.
  enclosed,
};

/// Whether an open is in its own fold.
enum class StackFoldKind : std::uint32_t {
  /// enclosing: opens on the stack before the symbol acts. enclosed: without the open itself.
  exclusive,
  /// enclosing: the opens on the stack after the symbol has acted, so an open is in its own fold,
  /// and a close gets the fold before its open. enclosed: with the open itself.
  after,
};

/// Describes folds along brackets to record_stack_fold(), stack_fold_scratch() and warm_up().
struct StackFoldDesc {
  StackInput input = StackInput::tags_u8;         ///< how symbols are stored
  StackMonoid monoid = StackMonoid::u32_add;      ///< what is folded
  const Monoid* own = nullptr;                    ///< a monoid of your own, instead
  StackFoldOver over = StackFoldOver::enclosing;  ///< which symbols a fold is over
  StackFoldKind kind = StackFoldKind::exclusive;  ///< whether a symbol is in its own fold
  Count count = {};  ///< symbols, 0 … kMaxCount; with StackFoldOver::enclosed at most 2^32 - 1
  /// Width of match; u32 with StackFoldOver::enclosed, and for match up to 2^32 - 1 symbols only.
  IndexWidth index_width = IndexWidth::u32;
};

/// Memory for record_stack_fold(), whose comment tells sizes, alignments and what may overlap.
struct StackFoldBuffers {
  BufferView symbols;      ///< tags, or the plane of opens
  BufferView closes = {};  ///< the plane of closes, with StackInput::bits
  BufferView values;       ///< a value for each symbol
  BufferView out;          ///< a fold for each symbol
  BufferView match = {};   ///< address 0: not wanted
  BufferView header = {};  ///< a StackHeader; address 0: not wanted
  Scratch scratch = {};    ///< stack_fold_scratch() bytes
};

/// Processes the symbols in order with a stack of values, onto which each open pushes its value.
/// out[i] = the fold of the values on the stack before or after symbol i, from the bottom up, or
/// StackMonoid's identity if there is none. Symbols mean the same as for record_stack_match(), and
/// unmatched ones do the same. This intersects the clip rectangles of nested groups, multiplies
/// transforms, or sums up the costs of callers.
///
/// With StackFoldOver::enclosed, an open and its close have the fold of the values of all symbols
/// between them that are opens or StackTag::none, in order; an open without a close has the fold up
/// to the next reset or the end. A symbol that is StackTag::none has its own value, and an
/// unmatched close and a reset have the identity. This unites the boxes of the members of groups,
/// or sums up the times of callees.
///
/// match and header are what record_stack_match() makes of the same symbols, for less than its own
/// call.
///
/// symbols   count tags; address multiple of their size; bits: (count + 31) / 32 words, address
///           multiple of 4. Tags of one byte are read in whole words
/// closes    only with StackInput::bits; as symbols
/// values    count values of size_of(monoid) bytes; address multiple of 4; multiples of 16 for
///           rectangles and of 8 for matrices are faster. Values of symbols that have none are
///           read, but not used
/// out       count values; address as of values; must not overlap any other view
/// match     count numbers of index_width, all of which are written; address multiple of their size
/// header    StackHeader, 40 bytes; address multiple of 8
/// scratch   stack_fold_scratch() bytes, about 7 for each symbol; enclosed: 8 to 9
/// Before    symbols, closes, values, count: last writer -> COMPUTE_SHADER / SHADER_READ. out: all
///           earlier users -> COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. match, header: all
///           earlier users -> COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users ->
///           COMPUTE_SHADER | DRAW_INDIRECT / SHADER_READ | SHADER_WRITE | INDIRECT_COMMAND_READ
/// After     out, match, header: COMPUTE_SHADER / SHADER_WRITE -> your reader. symbols, closes,
///           values, scratch: free after COMPUTE_SHADER
/// Errors    count above a limit, closes with an input other than bits, an index_width that over
///           does not have, views too small, unaligned or overlapping, invalid scratch
/// Results   integers and rectangles: exact, except that coordinates that are NaN may give any
///           result. f32_add and affine: rounded once for each operation, in another grouping than
///           one after the other, the same from run to run on a device: |error| <= 1.1 d eps times
///           the fold of absolute values of d opens or symbols. f32_min and f32_max: as Op. The
///           work per symbol has a bound that does not depend on the symbols
/// Source    R. Levien, "The stack monoid revisited" (2021) and "Fast GPU bounding boxes on
///           tree-structured scenes" (2022), for the problem; links between tiles are followed by
///           pointer jumping, so their number is not limited. enclosed: ranges over trees of folds
Status record_stack_fold(VkCommandBuffer cmd, const Device& device, const StackFoldDesc& desc,
                         const StackFoldBuffers& buffers);

/// Scratch that record_stack_fold() needs for `desc`.
ScratchNeed stack_fold_scratch(const Device& device, const StackFoldDesc& desc);

/// Compiles the pipelines that record_stack_fold() uses for `desc` at any alignment and count, with
/// any outputs.
Status warm_up(const Device& device, const StackFoldDesc& desc);

/// Optional input and outputs of the overloads of stack_fold().
struct StackFoldOptionalBuffers {
  OptionalBits closes = {};         ///< symbols is the plane of opens then
  OptionalIndices match = {};       ///< the open of each symbol, as of stack_match()
  OptionalStackHeader header = {};  ///< facts about the whole string
};

/// Whether T is the type of the values that a StackMonoid folds: rectangles, matrices, or numbers.
template <class T>
constexpr bool is_value_of(StackMonoid monoid) {
  if (monoid == StackMonoid::affine) return std::is_same_v<T, StackAffine>;
  if (monoid >= StackMonoid::rectangle_intersection) return std::is_same_v<T, StackRectangle>;
  if (monoid >= StackMonoid::f32_add) return std::is_same_v<T, float>;
  return sizeof(T) == 4 &&
         value_kind_of<T>() == (monoid >= StackMonoid::i32_add ? ValueKind::signed_integer
                                                               : ValueKind::unsigned_integer);
}

/// Folds along brackets as a step of `recorder`; a count that is not given is symbols.size(); for
/// bits, it is at most values.size().
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
  desc.index_width = more.match.width;
  desc.count = desc.count.or_all(stack_symbols(symbols, values.size(), more.closes));
  overloads::add_step<record_stack_fold, stack_fold_scratch>(
      recorder, desc,
      StackFoldBuffers{symbols.view(), more.closes.view(), values.view(), out.view(),
                       more.match.view(), more.header.view()});
}

/// Folds along brackets by a monoid of your own as a step of `recorder`; a count that is not given
/// is symbols.size(); for bits, it is at most values.size().
template <std::same_as<Recorder> R, class T, class Symbols, class Values, class Out>
void stack_fold(R& recorder, const MonoidOf<T>& monoid, StackFoldDesc desc, const Symbols& symbols,
                const Values& values, const Out& out, const StackFoldOptionalBuffers& more = {}) {
  static_assert(kIsStackSymbols<Symbols>,
                "vkprims: stack_fold: symbols must be tags of 8 or 32 bits, or words of bits");
  static_assert(overloads::kMayHold<Values, T> && overloads::kMayHold<Out, T>,
                "vkprims: stack_fold: values and out must hold elements of the monoid");
  desc.own = &monoid;
  desc.input = stack_input<Symbols>(more.closes);
  desc.index_width = more.match.width;
  desc.count = desc.count.or_all(stack_symbols(symbols, values.size(), more.closes));
  overloads::add_step<record_stack_fold, stack_fold_scratch>(
      recorder, desc,
      StackFoldBuffers{symbols.view(), more.closes.view(), values.view(), out.view(),
                       more.match.view(), more.header.view()});
}

}  // namespace vkprims

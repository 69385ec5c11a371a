// Stack match: finds, for every symbol of a string of brackets, the top of the stack at that point.
/// @ingroup stack
#pragma once

#include <concepts>
#include <span>
#include <vector>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// What a symbol does to the stack, in the two lowest bits of a tag. The other bits are the
/// symbol's type, which matching ignores.
enum class StackTag : std::uint32_t {
  none,   ///< nothing
  open,   ///< pushes itself
  close,  ///< pops the top; does nothing if the stack is empty
  reset,  ///< pops everything
};

/// How symbols are stored.
enum class StackInput : std::uint32_t {
  tags_u8,   ///< a byte each
  tags_u32,  ///< a word each
  bits,  ///< Two planes of bits, lowest first in each word: opens and closes. A reset is in both.
};

/// Which algorithm finds the matches. All give the same results.
enum class StackSchedule : std::uint32_t {
  automatic,   ///< the fastest one, which is multi_pass
  multi_pass,  ///< several dispatches, in which no workgroup waits for another
  /// Tiles find their position in the string in their first dispatch, by decoupled look-back with
  /// fallback. Takes 64 more bytes of scratch for each tile.
  look_back,
  /// The stack monoid as published, in one dispatch, for comparison: tiles of one symbol per
  /// invocation (Tuning::stack_window_size) publish the stack behind them and look back one by one.
  /// match is its only output, and count.max is at most 2^32 - 1 with any IndexWidth. Its work per
  /// symbol has no bound: adversarial brackets cost time in proportion to count times the size of a
  /// tile.
  seed_window,
};

/// Describes brackets to match to record_stack_match(), stack_match_scratch() and warm_up().
struct StackMatchDesc {
  StackInput input = StackInput::tags_u8;  ///< how symbols are stored
  Count count = {};  ///< symbols, 0 … kMaxCount; with IndexWidth::u32 at most 2^32 - 1
  IndexWidth index_width = IndexWidth::u32;  ///< width of the elements of match, close_of and depth
  /// Whether to look for StackHeader::first_mismatch, which takes time and needs tags, match and
  /// header.
  bool types = false;
  StackSchedule schedule = StackSchedule::automatic;  ///< which algorithm finds the matches
};

/// Facts about the whole string.
struct StackHeader {
  std::uint64_t count;             ///< symbols
  std::uint64_t unmatched_closes;  ///< closes that found no open
  std::uint64_t unclosed_opens;    ///< opens left at the end or popped by a reset
  std::uint64_t deepest;           ///< largest number of opens on the stack after any symbol
  /// The first close whose open has another type; kNoIndex if there is none or it was not looked
  /// for.
  std::uint64_t first_mismatch;
};

/// Memory for record_stack_match(), whose comment tells sizes, alignments and what may overlap.
struct StackMatchBuffers {
  BufferView symbols;        ///< tags, or the plane of opens
  BufferView closes = {};    ///< the plane of closes, with StackInput::bits
  BufferView match = {};     ///< address 0: not wanted
  BufferView close_of = {};  ///< address 0: not wanted
  BufferView depth = {};     ///< address 0: not wanted
  BufferView header = {};    ///< a StackHeader; address 0: not wanted
  Scratch scratch = {};      ///< stack_match_scratch() bytes
};

/// Processes the symbols in order with a stack: match[i] = the open on top of the stack before
/// symbol i acts, which is the parent of an open and the partner of a close; close_of[i] = the
/// close that pops open i; depth[i] = the number of opens on the stack before symbol i. What does
/// not exist is 0xFFFFFFFF (with IndexWidth::u64 0xFFFFFFFFFFFFFFFF): the parent of an open at the
/// bottom, the open of an unmatched close, the close of a symbol that is not an open or stays open.
/// The stack may have any depth, and symbols any values.
///
/// symbols   count tags; address multiple of their size; bits: (count + 31) / 32 words, address
///           multiple of 4. Tags of one byte are read in whole words
/// closes    only with StackInput::bits; as symbols
/// match     count numbers of index_width, all of which are written; address multiple of their size
/// close_of  as match
/// depth     as match; computing it reads the symbols once more
/// header    StackHeader, 40 bytes; address multiple of 8
/// scratch   stack_match_scratch() bytes, about 4 for each symbol
/// Before    symbols, closes, count: last writer -> COMPUTE_SHADER / SHADER_READ. match, close_of,
///           depth, header: all earlier users -> COMPUTE_SHADER / SHADER_WRITE. scratch: all
///           earlier users -> TRANSFER | COMPUTE_SHADER | DRAW_INDIRECT / TRANSFER_WRITE |
///           SHADER_READ | SHADER_WRITE | INDIRECT_COMMAND_READ
/// After     match, close_of, depth, header: COMPUTE_SHADER / SHADER_WRITE -> your reader. symbols,
///           closes, scratch: free after COMPUTE_SHADER
/// Errors    count above the limit, closes with an input other than bits, types without what they
///           need, no output wanted, an output that the schedule does not have, views too small,
///           unaligned or overlapping, invalid scratch
/// Results   exact, the same on every device. The work per symbol has a bound that does not depend
///           on the symbols, except with StackSchedule::seed_window
/// Source    R. Levien, "The stack monoid" (2020) and "The stack monoid revisited" (2021), for the
///           problem and the bicyclic semigroup; masks of 32 symbols and a tree over the lowest
///           levels of tiles replace its slices
Status record_stack_match(VkCommandBuffer cmd, const Device& device, const StackMatchDesc& desc,
                          const StackMatchBuffers& buffers);

/// Scratch that record_stack_match() needs for `desc`.
ScratchNeed stack_match_scratch(const Device& device, const StackMatchDesc& desc);

/// Compiles the pipelines that record_stack_match() uses for `desc` at any alignment and count,
/// with any outputs.
Status warm_up(const Device& device, const StackMatchDesc& desc);

/// Returns the stack before symbol i from the top down, by following `match` as
/// record_stack_match() writes it. shaders/vkprims/memory/stack_walk.glsl does the same on the
/// device.
template <class Index>
std::vector<Index> stack_at(std::span<const Index> match, std::size_t i) {
  std::vector<Index> stack;
  for (Index at = match[i]; at != Index(~Index{0}); at = match[at]) stack.push_back(at);
  return stack;
}

/// Whether Symbols holds integers or enumerations of 8 or 32 bits.
template <class Symbols, class T = overloads::ElementOf<Symbols>>
inline constexpr bool kIsStackSymbols = (std::is_integral_v<T> ||
                                         std::is_enum_v<T>)&&(sizeof(T) == 1 || sizeof(T) == 4);

/// How symbols are stored: as bits if there is a plane of closes.
template <class Symbols>
StackInput stack_input(const OptionalBits& closes) {
  if (closes) return StackInput::bits;
  return sizeof(overloads::ElementOf<Symbols>) == 1 ? StackInput::tags_u8 : StackInput::tags_u32;
}
/// The number of symbols; for bits at most the number of results, if there are any.
template <class Symbols>
std::uint64_t stack_symbols(const Symbols& symbols, std::uint64_t results,
                            const OptionalBits& closes) {
  const std::uint64_t bits = 8 * sizeof(overloads::ElementOf<Symbols>) * symbols.size();
  return !closes ? symbols.size() : results && results < bits ? results : bits;
}

/// An output of the same indices as match, or none.
template <class Index>
struct OptionalStackIndices : overloads::OptionalView {
  /// No buffer.
  OptionalStackIndices() = default;
  /// `buffer` holds elements of type Index.
  template <class B>
  OptionalStackIndices(const B& buffer) : OptionalView(buffer) {  // NOLINT: a buffer is a view
    static_assert(std::is_same_v<overloads::ElementOf<B>, Index>,
                  "vkprims: stack_match: close_of and depth must have match's element type");
  }
};
/// A buffer of one StackHeader, or none.
struct OptionalStackHeader : overloads::OptionalView {
  /// No buffer.
  OptionalStackHeader() = default;
  /// `buffer` holds one StackHeader.
  template <class B>
  OptionalStackHeader(const B& buffer) : OptionalView(buffer) {  // NOLINT: a buffer is a view
    static_assert(std::is_same_v<overloads::ElementOf<B>, StackHeader>,
                  "vkprims: stack_match: header must be a vkprims::StackHeader");
  }
};
/// Optional inputs and outputs of the overloads of stack_match().
template <class Index>
struct StackMatchOptionalBuffers {
  OptionalBits closes = {};                   ///< if given, symbols is the plane of opens
  OptionalStackIndices<Index> close_of = {};  ///< the close of each open
  OptionalStackIndices<Index> depth = {};  ///< the number of opens on the stack before each symbol
  OptionalStackHeader header = {};         ///< facts about the whole string
};

/// Matches brackets as a step of `recorder`; a count that is not given is the number of symbols;
/// for bits, at most as many as match has room for. match may be not_wanted; the other outputs are
/// u32 then.
template <std::same_as<Recorder> R, class Symbols, class Match>
void stack_match(R& recorder, StackMatchDesc desc, const Symbols& symbols, const Match& match,
                 const StackMatchOptionalBuffers<typename Match::value_type>& more = {}) {
  static_assert(kIsStackSymbols<Symbols>,
                "vkprims: stack_match: symbols must be tags of 8 or 32 bits, or words of bits");
  static_assert(overloads::kIsIndex<Match>,
                "vkprims: stack_match: match must hold std::uint32_t or std::uint64_t");
  desc.input = stack_input<Symbols>(more.closes);
  desc.count = desc.count.or_all(stack_symbols(symbols, match.size(), more.closes));
  desc.index_width = overloads::index_width<Match>();
  overloads::add_step<record_stack_match, stack_match_scratch>(
      recorder, desc,
      StackMatchBuffers{symbols.view(), more.closes.view(), match.view(), more.close_of.view(),
                        more.depth.view(), more.header.view()});
}

}  // namespace vkprims

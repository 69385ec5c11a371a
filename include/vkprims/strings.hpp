// Operations on columns of strings that own their memory, as steps of a Recorder. Link vkprims::context.
//
// Each records one or a few dispatches and returns a column at once: its memory is there, its contents when the steps
// have run. Nothing waits for the GPU: results have room for the most that there can be, which StringColumn::byte_bound()
// says, and offsets of 64 bits where that is above 2^31 - 1. What each operation does is said in vkprims/strings/*.hpp.
// Errors are thrown as vkprims::Error.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "vkprims/string_column.hpp"
#include "vkprims/strings/argsort.hpp"
#include "vkprims/strings/change_case.hpp"
#include "vkprims/strings/concatenate.hpp"
#include "vkprims/strings/copy_if_else.hpp"
#include "vkprims/strings/dictionary_encode.hpp"
#include "vkprims/strings/find.hpp"
#include "vkprims/strings/from_views.hpp"
#include "vkprims/strings/gather.hpp"
#include "vkprims/strings/match.hpp"
#include "vkprims/strings/null_count.hpp"
#include "vkprims/strings/rope.hpp"
#include "vkprims/strings/select.hpp"
#include "vkprims/strings/slice.hpp"
#include "vkprims/strings/split.hpp"
#include "vkprims/strings/strip.hpp"

namespace vkprims::strings {

using Columns = std::initializer_list<std::reference_wrapper<const StringColumn>>;

BitColumn contains(Recorder& r, const StringColumn& in, std::string_view text);
BitColumn starts_with(Recorder& r, const StringColumn& in, std::string_view text);
BitColumn ends_with(Recorder& r, const StringColumn& in, std::string_view text);
BitColumn contains(Recorder& r, const StringColumn& in, const StringColumn& targets);
BitColumn starts_with(Recorder& r, const StringColumn& in, const StringColumn& targets);
BitColumn ends_with(Recorder& r, const StringColumn& in, const StringColumn& targets);

/// Numbers of rows, 0 where a row is null.
Buffer<std::int32_t> find(Recorder& r, const StringColumn& in, std::string_view text,
                          std::uint32_t start = 0, std::optional<std::uint32_t> stop = {});
Buffer<std::int32_t> rfind(Recorder& r, const StringColumn& in, std::string_view text,
                           std::uint32_t start = 0, std::optional<std::uint32_t> stop = {});
Buffer<std::int32_t> count_characters(Recorder& r, const StringColumn& in);
Buffer<std::int32_t> count_bytes(Recorder& r, const StringColumn& in);
/// How often a text is in each row, without overlap.
Buffer<std::int32_t> count(Recorder& r, const StringColumn& in, std::string_view text);
/// How many tokens each row has for split().
Buffer<std::int32_t> count_tokens(Recorder& r, const StringColumn& in,
                                  std::string_view delimiter = {});

/// Row i of `a` where bit i of `mask` is set, otherwise of `b`.
StringColumn copy_if_else(Recorder& r, const StringColumn& a, const StringColumn& b,
                          const BitColumn& mask);
StringColumn copy_if_else(Recorder& r, const StringColumn& a, std::string_view b,
                          const BitColumn& mask);
StringColumn copy_if_else(Recorder& r, std::string_view a, const StringColumn& b,
                          const BitColumn& mask);

StringColumn slice(Recorder& r, const StringColumn& in, const SliceDesc& desc);
/// Characters starts[i] … stops[i] - 1 of row i. A start below 0 is the beginning, a stop below 0 the end; so are the
/// positions of an empty buffer.
StringColumn slice(Recorder& r, const StringColumn& in, const Buffer<std::int32_t>& starts,
                   const Buffer<std::int32_t>& stops);
StringColumn strip(Recorder& r, const StringColumn& in, const StripDesc& desc = {});
StringColumn to_upper(Recorder& r, const StringColumn& in);
StringColumn to_lower(Recorder& r, const StringColumn& in);

struct SplitOptions {
  std::string_view delimiter = {};  ///< empty: whitespace, bytes up to 0x20
  std::optional<std::uint32_t> max_columns =
      {};             ///< so many come out, 0 as well; not given: see below
  bool rest = false;  ///< the last one has all that is left of the row
};
/// Each column has room for all bytes of `in`. Errors, besides: max_columns is not given, as nobody knows how many tokens
/// there are before the steps have run.
std::vector<StringColumn> split(Recorder& r, const StringColumn& in, const SplitOptions& options);
/// A submission of its own. Without max_columns it counts the tokens of all rows first, waits for the greatest number, and
/// makes so many columns, at least one. Each has room for just the bytes that there are, which another submission finds
/// out, and waits; or for all bytes of `in` if that is no more than 1 MiB for all columns together.
std::vector<StringColumn> split(Context& context, const StringColumn& in,
                                const SplitOptions& options = {});

StringColumn concatenate(Recorder& r, Columns columns, const ConcatenateDesc& desc = {});

/// With room for `byte_bound` bytes: what is above that is left out.
StringColumn gather(Recorder& r, const StringColumn& in, const Buffer<std::uint32_t>& indices,
                    std::uint64_t byte_bound);
/// As many of them as `count` says; the rows behind are null.
StringColumn gather(Recorder& r, const StringColumn& in, const Buffer<std::uint32_t>& indices,
                    const Buffer<std::uint64_t>& count, std::uint64_t byte_bound);

/// Rows that were selected, and behind these as many null ones as were not.
struct SelectedRows {
  StringColumn rows;
  Buffer<std::uint64_t> count;  ///< 1 element
};
/// The rows whose bit of `mask` is set, in order. To go on with these alone, on views: rows.view().slice(0, n) with the
/// n that has been downloaded.
SelectedRows select(Recorder& r, const StringColumn& in, const BitColumn& mask);

/// Numbers of rows in order, and the rows themselves.
Buffer<std::uint32_t> argsort(Recorder& r, const StringColumn& in,
                              const ArgsortStringsDesc& desc = {});
StringColumn sort(Recorder& r, const StringColumn& in, const ArgsortStringsDesc& desc = {});

struct DictionaryOptions {
  /// Rows of the dictionary at most, and its bytes: what is above is left out. Not given: as many as the column has.
  std::optional<std::uint64_t> capacity = {}, bytes = {};
  std::uint32_t seed = 0;
  std::uint64_t longest_row_bytes = 0;  ///< what no row is longer than; 0: not known
};
struct DictionaryColumn {
  Buffer<std::uint32_t> codes;     ///< 0xffffffff where a row is null
  Buffer<std::uint32_t> validity;  ///< bits of the codes; empty: no row is null
  StringColumn dictionary;         ///< the rows behind `count` are null
  Buffer<std::uint32_t> rows;      ///< where they appear first
  Buffer<std::uint64_t> count;     ///< 1 element: distinct rows, may be above the capacity
};
DictionaryColumn dictionary_encode(Recorder& r, const StringColumn& in,
                                   const DictionaryOptions& options = {});

/// What a kernel of your own reads (vkprims/strings/rope.hpp).
struct RopeInputs {
  const StringColumn* a = nullptr;
  const StringColumn* b = nullptr;
  BufferView indices = {};
};
/// With room for `byte_bound` bytes: what is above that is left out. nullable: rows may be null.
VKPRIMS_EXPERIMENTAL StringColumn rope(Recorder& r, const RopeDesc& desc, const RopeInputs& in,
                                       std::uint64_t byte_bound, bool nullable);

/// With room for just the bytes that there are: a submission of its own, after it has waited for their number.
StringColumn gather(Context& context, const StringColumn& in, const Buffer<std::uint32_t>& indices);
/// How many these are, for a bound of yours.
Buffer<std::uint64_t> gathered_bytes(Recorder& r, const StringColumn& in,
                                     const Buffer<std::uint32_t>& indices);

/// Row i: the lengths[i] bytes of chars from offsets[i] on; null where lengths[i] is null_length. With room for
/// `byte_bound` bytes: what is above that is left out.
StringColumn make_strings(Recorder& r, const Buffer<std::uint8_t>& chars,
                          const Buffer<std::uint32_t>& offsets,
                          const Buffer<std::uint32_t>& lengths, std::uint64_t byte_bound,
                          std::uint32_t null_length = 0xffffffff);
StringColumn make_strings(Recorder& r, const Buffer<std::uint8_t>& chars,
                          const Buffer<std::uint64_t>& offsets,
                          const Buffer<std::uint32_t>& lengths, std::uint64_t byte_bound,
                          std::uint32_t null_length = 0xffffffff);
/// With room for just the bytes that there are: a submission of its own, after it has waited for their number.
StringColumn make_strings(Context& context, const Buffer<std::uint8_t>& chars,
                          const Buffer<std::uint32_t>& offsets,
                          const Buffer<std::uint32_t>& lengths,
                          std::uint32_t null_length = 0xffffffff);
StringColumn make_strings(Context& context, const Buffer<std::uint8_t>& chars,
                          const Buffer<std::uint64_t>& offsets,
                          const Buffer<std::uint32_t>& lengths,
                          std::uint32_t null_length = 0xffffffff);

/// How many rows are null. Those of a Context wait.
Buffer<std::uint64_t> null_count(Recorder& r, const StringColumn& column);
Buffer<std::uint64_t> null_count(Recorder& r, const BitColumn& column);
std::uint64_t null_count(Context& context, const StringColumn& column);
std::uint64_t null_count(Context& context, const BitColumn& column);

}  // namespace vkprims::strings

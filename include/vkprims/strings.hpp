// Strings with a Recorder: operations on columns of strings that own their memory, as steps of a
// Recorder. Link vkprims::context.
//
// Each function records one or a few dispatches and returns a column at once: its memory exists
// then, its contents when the steps have run. Only the functions that take a Context wait for the
// GPU. Results have room for the largest possible number of bytes, which StringColumn::byte_bound()
// returns, and have offsets of 64 bits if that is above 2^31 - 1. vkprims/strings/*.hpp describe
// what each operation does. Errors are thrown as vkprims::Error.
/// @ingroup strings
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
#include "vkprims/strings/map.hpp"
#include "vkprims/strings/match.hpp"
#include "vkprims/strings/null_count.hpp"
#include "vkprims/strings/rope.hpp"
#include "vkprims/strings/select.hpp"
#include "vkprims/strings/slice.hpp"
#include "vkprims/strings/split.hpp"
#include "vkprims/strings/strip.hpp"

namespace vkprims::strings {

/// References to columns, e.g. {first_names, last_names}.
using Columns = std::initializer_list<std::reference_wrapper<const StringColumn>>;

/// Returns a bit for each row that says whether it contains a text (Match::contains).
BitColumn contains(Recorder& r, const StringColumn& in, std::string_view text);
/// Returns a bit for each row that says whether it begins with a text (Match::starts_with).
BitColumn starts_with(Recorder& r, const StringColumn& in, std::string_view text);
/// Returns a bit for each row that says whether it ends with a text (Match::ends_with).
BitColumn ends_with(Recorder& r, const StringColumn& in, std::string_view text);
/// Returns a bit for each row i that says whether it contains row i of another column.
BitColumn contains(Recorder& r, const StringColumn& in, const StringColumn& targets);
/// Returns a bit for each row i that says whether it begins with row i of another column.
BitColumn starts_with(Recorder& r, const StringColumn& in, const StringColumn& targets);
/// Returns a bit for each row i that says whether it ends with row i of another column.
BitColumn ends_with(Recorder& r, const StringColumn& in, const StringColumn& targets);

/// Where a text begins for the first time among characters start … stop - 1 of each row; -1:
/// nowhere. Like the other numbers of rows, it is 0 where the row is null.
Buffer<std::int32_t> find(Recorder& r, const StringColumn& in, std::string_view text,
                          std::uint32_t start = 0, std::optional<std::uint32_t> stop = {});
/// Where a text begins for the last time among characters start … stop - 1 of each row; -1:
/// nowhere.
Buffer<std::int32_t> rfind(Recorder& r, const StringColumn& in, std::string_view text,
                           std::uint32_t start = 0, std::optional<std::uint32_t> stop = {});
/// The number of characters of each row.
Buffer<std::int32_t> count_characters(Recorder& r, const StringColumn& in);
/// The number of bytes of each row.
Buffer<std::int32_t> count_bytes(Recorder& r, const StringColumn& in);
/// How often a text occurs in each row, without overlap.
Buffer<std::int32_t> count(Recorder& r, const StringColumn& in, std::string_view text);
/// The number of tokens that split() finds in each row.
Buffer<std::int32_t> count_tokens(Recorder& r, const StringColumn& in,
                                  std::string_view delimiter = {});

/// Row i comes from `a` where bit i of `mask` is set, otherwise from `b`.
StringColumn copy_if_else(Recorder& r, const StringColumn& a, const StringColumn& b,
                          const BitColumn& mask);
/// Row i comes from `a` where bit i of `mask` is set; otherwise it is the text `b`.
StringColumn copy_if_else(Recorder& r, const StringColumn& a, std::string_view b,
                          const BitColumn& mask);
/// Row i is the text `a` where bit i of `mask` is set; otherwise it comes from `b`.
StringColumn copy_if_else(Recorder& r, std::string_view a, const StringColumn& b,
                          const BitColumn& mask);

/// A range of the characters of each row.
StringColumn slice(Recorder& r, const StringColumn& in, const SliceDesc& desc);
/// Returns characters starts[i] … stops[i] - 1 of row i. A start below 0 is the beginning and a
/// stop below 0 the end of the row; an empty buffer of positions means the same for all rows.
StringColumn slice(Recorder& r, const StringColumn& in, const Buffer<std::int32_t>& starts,
                   const Buffer<std::int32_t>& stops);
/// Each row without the characters of a set at its ends.
StringColumn strip(Recorder& r, const StringColumn& in, const StripDesc& desc = {});
/// Each row in upper case.
StringColumn to_upper(Recorder& r, const StringColumn& in);
/// Each row in lower case.
StringColumn to_lower(Recorder& r, const StringColumn& in);

/// What split() splits by, and into how many columns.
struct SplitOptions {
  std::string_view delimiter = {};  ///< empty: whitespace, which is any byte up to 0x20
  /// The number of columns to make, which may be 0; not given: see split().
  std::optional<std::uint32_t> max_columns = {};
  bool rest = false;  ///< the last column gets all that is left of the row
};
/// Each column has room for all bytes of `in`. It is an error if max_columns is not given, because
/// the number of tokens is not known before the steps have run.
std::vector<StringColumn> split(Recorder& r, const StringColumn& in, const SplitOptions& options);
/// Makes a submission of its own. Without max_columns it first counts the tokens of all rows, waits
/// for the largest number, and makes that many columns, at least one. Each column has room for
/// exactly the bytes that it needs, which another submission counts and waits for; if all columns
/// together take no more than 1 MiB, each has room for all bytes of `in` instead.
std::vector<StringColumn> split(Context& context, const StringColumn& in,
                                const SplitOptions& options = {});

/// Joins the rows of several columns to the rows of one.
StringColumn concatenate(Recorder& r, Columns columns, const ConcatenateDesc& desc = {});

/// The result has room for `byte_bound` bytes; bytes above that are left out.
StringColumn gather(Recorder& r, const StringColumn& in, const Buffer<std::uint32_t>& indices,
                    std::uint64_t byte_bound);
/// Gathers as many rows as `count` says; the rows behind them are null.
StringColumn gather(Recorder& r, const StringColumn& in, const Buffer<std::uint32_t>& indices,
                    const Buffer<std::uint64_t>& count, std::uint64_t byte_bound);

/// The selected rows, followed by one null row for each row that was not selected.
struct SelectedRows {
  StringColumn rows;            ///< as many rows as the input has
  Buffer<std::uint64_t> count;  ///< 1 element
};
/// The rows whose bit of `mask` is set, in order. To continue with the selected rows only, download
/// their number n and use rows.view().slice(0, n).
SelectedRows select(Recorder& r, const StringColumn& in, const BitColumn& mask);

/// Returns the numbers of the rows in sorted order.
Buffer<std::uint32_t> argsort(Recorder& r, const StringColumn& in,
                              const ArgsortStringsDesc& desc = {});
/// Returns the rows in sorted order.
StringColumn sort(Recorder& r, const StringColumn& in, const ArgsortStringsDesc& desc = {});

/// What dictionary_encode() does beyond the codes.
struct DictionaryOptions {
  /// Largest number of rows and bytes of the dictionary; the rest is left out. Not given: as many
  /// as the column has.
  std::optional<std::uint64_t> capacity = {}, bytes = {};
  std::uint32_t seed = 0;               ///< seed of the hash, as DictionaryEncodeDesc::seed
  std::uint64_t longest_row_bytes = 0;  ///< no row has more bytes; 0: not known
};
/// The results of dictionary_encode().
struct DictionaryColumn {
  Buffer<std::uint32_t> codes;     ///< 0xffffffff where the row is null
  Buffer<std::uint32_t> validity;  ///< validity bits of the codes; empty: no row is null
  StringColumn dictionary;         ///< the rows behind `count` are null
  Buffer<std::uint32_t> rows;      ///< for each code, the first row with this string
  Buffer<std::uint64_t> count;     ///< 1 element: number of distinct rows, may be above capacity
};
/// Gives each row the number of its string among the distinct ones.
DictionaryColumn dictionary_encode(Recorder& r, const StringColumn& in,
                                   const DictionaryOptions& options = {});

/// The result has room for exactly the bytes that it needs: this makes a submission of its own,
/// after it has waited for their number.
StringColumn gather(Context& context, const StringColumn& in, const Buffer<std::uint32_t>& indices);
/// Returns the number of bytes that gather() needs, to compute a byte_bound from it.
Buffer<std::uint64_t> gathered_bytes(Recorder& r, const StringColumn& in,
                                     const Buffer<std::uint32_t>& indices);

/// Row i consists of the lengths[i] bytes of chars from offsets[i] on; it is null where lengths[i]
/// is null_length. The result has room for `byte_bound` bytes; bytes above that are left out.
StringColumn make_strings(Recorder& r, const Buffer<std::uint8_t>& chars,
                          const Buffer<std::uint32_t>& offsets,
                          const Buffer<std::uint32_t>& lengths, std::uint64_t byte_bound,
                          std::uint32_t null_length = 0xffffffff);
/// Does the same with offsets of 64 bits.
StringColumn make_strings(Recorder& r, const Buffer<std::uint8_t>& chars,
                          const Buffer<std::uint64_t>& offsets,
                          const Buffer<std::uint32_t>& lengths, std::uint64_t byte_bound,
                          std::uint32_t null_length = 0xffffffff);
/// The result has room for exactly the bytes that it needs: this makes a submission of its own,
/// after it has waited for their number.
StringColumn make_strings(Context& context, const Buffer<std::uint8_t>& chars,
                          const Buffer<std::uint32_t>& offsets,
                          const Buffer<std::uint32_t>& lengths,
                          std::uint32_t null_length = 0xffffffff);
/// Does the same with offsets of 64 bits. Waits.
StringColumn make_strings(Context& context, const Buffer<std::uint8_t>& chars,
                          const Buffer<std::uint64_t>& offsets,
                          const Buffer<std::uint32_t>& lengths,
                          std::uint32_t null_length = 0xffffffff);

/// The values that a kernel of your own makes of rows (vkprims/strings/map.hpp).
template <class T>
struct ValueColumn {
  Buffer<T> values;                ///< one for each row
  Buffer<std::uint32_t> validity;  ///< validity bits of the values; empty: no row is null
};
/// Records a map into memory that there is, and returns the validity bits; empty: no row is null.
Buffer<std::uint32_t> map(Recorder& r, const MapStringsDesc& desc, const MapInputs& in,
                          BufferView out);
template <class T>
ValueColumn<T> map_values(Recorder& recorder, const MapStringsDesc& desc, const MapInputs& in) {
  ValueColumn<T> result{.values = recorder.allocate<T>(in.a.rows()), .validity = {}};
  result.validity = map(recorder, desc, in, result.values.view());
  return result;
}

/// The number of null rows, as one element.
Buffer<std::uint64_t> null_count(Recorder& r, const StringColumn& column);
/// The number of null rows, as one element.
Buffer<std::uint64_t> null_count(Recorder& r, const BitColumn& column);
/// The number of null rows. Waits.
std::uint64_t null_count(Context& context, const StringColumn& column);
/// The number of null rows. Waits.
std::uint64_t null_count(Context& context, const BitColumn& column);

}  // namespace vkprims::strings

// What an operation on strings is called with: checked, and put into scratch for its kernels.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runtime/record.hpp"
#include "vkprims/strings/strings.abi.h"
#include "runtime/validate.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// A column as an argument: its name in messages.
struct NamedColumn {
  const char* name = nullptr;  // null: there is none
  StringColumnView view;
};

/// One call of an operation.
struct Call {
  const char* primitive;
  NamedColumn a, b;                           // rows are those of a
  std::span<const StringColumnView> columns;  // of a table, in messages "columns"
  std::string_view text, more;                // scalars
  BitsView mask;                              // rows 0: none
  BufferView indices;                         // u32, as many as there are rows
  Count count;                                // of indices
  bool gathers = false;                       // rows are those of indices, not of a
  std::vector<Argument> own = {};             // views that this operation reads besides
  std::int32_t start = 0, stop = 0;
  std::uint32_t flags = 0;
  std::uint64_t rows = 0;               // of the result
  std::uint32_t row_bytes = 0;          // of one of these, about; 0: not known
  std::uint64_t longest_row_bytes = 0;  // what no row of a column is longer than; 0: not known
  Schedule schedule = Schedule::automatic;
};

/// The least period of a text, its bytes if it does not overlap itself; 1 if it has none.
std::uint32_t period_of(std::string_view text);

/// Bytes that a text takes among the arguments.
constexpr std::uint64_t text_bytes(std::string_view text) { return (text.size() + 3) / 4 * 4; }

/// Bytes of scratch that the arguments take, a multiple of 16.
VkDeviceSize argument_bytes(std::uint64_t text_bytes, std::uint64_t columns);
VkDeviceSize argument_bytes(const Call& call);

/// Tables of long rows (shaders/vkprims/strings/long_rows.glsl), at 0 if there are none.
struct LongTables {
  VkDeviceAddress rows = 0, units = 0;
  std::uint32_t capacity = 0, unit_shift = 0;
};

/// A list of spans of long texts (shaders/vkprims/strings/spans.glsl); at 0: whoever has such a text copies it.
struct Spans {
  VkDeviceAddress list = 0;
  std::uint32_t shift = 0;
};

/// The arguments as they lie at the beginning of `scratch`; `tiles`: what a rope needs behind them.
std::vector<std::uint8_t> make_arguments(const Call& call, const BufferView& report,
                                         VkDeviceAddress scratch, VkDeviceAddress tiles,
                                         const LongTables& long_tables, const Spans& spans = {});

/// All that the call reads; adds it to `arguments`.
Status check_call(const Call& call, std::vector<Argument>& arguments);

/// What the columns, bits and indices of a call read.
std::vector<Access> accesses_of(const Call& call);

/// A column is well formed: rows, offsets, chars, validity. Adds what it is to `arguments`.
Status check_column(const char* primitive, const NamedColumn& column,
                    std::vector<Argument>& arguments);
/// Bits likewise, of `rows` rows at least.
Status check_bits(const char* primitive, const char* name, const BitsView& bits, std::uint64_t rows,
                  std::vector<Argument>& arguments);

/// A result of `rows` rows, and a report.
Status check_result(const char* primitive, const StringColumnOut& out, std::uint64_t rows,
                    const BufferView& report, std::vector<Argument>& arguments);

/// Bytes of a row of a column, about: `hint`, or what its view says.
std::uint32_t row_bytes(std::uint32_t hint, const StringColumnView& view);
/// Whether kernels are for such that make rows in registers.
constexpr bool are_short(std::uint32_t row_bytes) { return row_bytes <= 16; }

/// What is known of all columns that the call reads, and of what it writes: VKP_STRINGS_SPEC_PLAIN.
std::uint32_t plain_columns(const Call& call, const StringColumnOut& out, bool may_be_long);
/// What that may be.
inline constexpr std::uint32_t kPlainColumns[] = {
    0, VKP_STRINGS_NARROW, VKP_STRINGS_NARROW | VKP_STRINGS_SHORT_ROWS,
    VKP_STRINGS_NARROW | VKP_STRINGS_NO_NULLS,
    VKP_STRINGS_NARROW | VKP_STRINGS_SHORT_ROWS | VKP_STRINGS_NO_NULLS};

abi::VkpStrings push_strings(const StringColumnView& view);

}  // namespace vkprims::strings

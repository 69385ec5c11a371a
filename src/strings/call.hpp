// What an operation on strings reads: its checks, and how it gets to the kernels.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/arithmetic.hpp"
#include "runtime/commands.hpp"
#include "vkprims/strings/column.hpp"
#include "vkprims/strings/strings.abi.h"

namespace vkprims::strings {

/// A column as an argument, with its name for messages.
struct NamedColumn {
  const char* name = nullptr;  // null: there is none
  StringColumnView view;
};

/// One call of an operation.
struct Call {
  NamedColumn a, b;                           // the result has the rows of a
  std::span<const StringColumnView> columns;  // of a table, whose name in messages is "columns"
  std::string_view text, more;                // scalars
  BitsView mask;                              // rows 0: none
  BufferView indices;                         // u32, as many as there are rows
  Count count;                                // of indices
  bool gathers = false;                       // the result has the rows of indices, not of a
  std::vector<Operand> own = {};              // views that this operation reads besides
  std::int32_t start = 0, stop = 0;
  std::uint32_t flags = 0;
  std::uint64_t rows = 0;               // of the result
  std::uint32_t row_bytes = 0;          // bytes of a row of the result, about; 0: not known
  std::uint64_t longest_row_bytes = 0;  // no row of a column is longer than this; 0: not known
  Schedule schedule = Schedule::automatic;
};

/// The least period of a text. It is the number of bytes if the text does not overlap itself, and 1
/// if the text is empty.
std::uint32_t period_of(std::string_view text);

/// Bytes that a text takes among the arguments.
constexpr std::uint64_t text_bytes(std::string_view text) { return round_up(text.size(), 4); }

/// Bytes of scratch that the arguments take, a multiple of 16.
VkDeviceSize argument_bytes(std::uint64_t text_bytes, std::uint64_t columns);
VkDeviceSize argument_bytes(const Call& call);
Status check_argument_bytes(const char* primitive, std::uint64_t bytes);

/// Tables of long rows (shaders/strings/long_rows.glsl), at 0 if there are none.
struct LongTables {
  VkDeviceAddress rows = 0, units = 0;
  std::uint32_t capacity = 0, unit_shift = 0;
};

/// A list of spans of long texts (shaders/vkprims/strings/spans.glsl). If the list is at 0, whoever
/// has such a text copies it.
struct Spans {
  VkDeviceAddress list = 0;
  std::uint32_t shift = 0;
};

/// Makes the arguments as they lie at the beginning of `scratch`. `tiles` is what a rope needs
/// behind them.
std::vector<std::uint8_t> make_arguments(const Call& call, const BufferView& report,
                                         VkDeviceAddress scratch, VkDeviceAddress tiles,
                                         const LongTables& long_tables, const Spans& spans = {});

/// Checks whatever a call says about what it reads, except for the memory: operands_of() are for
/// check_operands().
Status check_call(const char* primitive, const Call& call);
std::vector<Operand> operands_of(const Call& call);

/// The same for a column, and for bits that must have `rows` rows.
Status check_column(const char* primitive, const NamedColumn& column);
void append(std::vector<Operand>& operands, const NamedColumn& column);
Status check_bits(const char* primitive, const char* name, const BitsView& bits,
                  std::uint64_t rows);
void append(std::vector<Operand>& operands, const char* name, const BitsView& bits);

/// The same for a result of `rows` rows, and a report.
Status check_result(const char* primitive, const StringColumnOut& out);
void append(std::vector<Operand>& operands, const StringColumnOut& out, std::uint64_t rows,
            const BufferView& report);

/// What all kernels of a call get, and what they access.
struct KernelInputs {
  abi::VkpStringsPush push;
  std::vector<Access> accesses;

  /// Adds the dispatch of a kernel, if there is one.
  Status dispatch(Commands& commands, const Spirv* kernel, const Specialization& constants,
                  const Grid& grid) const {
    return kernel ? commands.dispatch(*kernel, constants, push, grid, accesses) : Status();
  }
};

/// Invocations per workgroup of these kernels, in general.
inline std::uint32_t strings_workgroup_size(const DeviceState& state) {
  return std::min<std::uint32_t>(state.tuning.workgroup_size, VKP_STRINGS_WORKGROUP);
}
/// The specialization of these kernels: VKP_STRINGS_SPEC_OP and VKP_STRINGS_SPEC_PLAIN.
inline Specialization strings_specialization(std::uint32_t workgroup_size, std::uint32_t operation,
                                             std::uint32_t plain) {
  return Specialization{.workgroup_size = workgroup_size}
      .set(VKP_STRINGS_SPEC_OP, operation)
      .set(VKP_STRINGS_SPEC_PLAIN, plain);
}

/// About how many bytes a row of a column has: `hint`, or what its view says.
std::uint32_t row_bytes(std::uint32_t hint, const StringColumnView& view);
/// Whether rows are so short that the kernels that make rows in registers are meant for them.
constexpr bool are_short(std::uint32_t row_bytes) { return row_bytes <= 16; }

/// What is known about all columns that the call reads, and about what it writes, as
/// VKP_STRINGS_SPEC_PLAIN. `may_be_long` says whether it has kernels for long rows or texts.
std::uint32_t plain_columns(const Call& call, const StringColumnOut& out, bool may_be_long);
/// All values that it may return.
inline constexpr std::uint32_t kPlainColumns[] = {
    0, VKP_STRINGS_NARROW, VKP_STRINGS_NARROW | VKP_STRINGS_SHORT_ROWS,
    VKP_STRINGS_NARROW | VKP_STRINGS_NO_NULLS,
    VKP_STRINGS_NARROW | VKP_STRINGS_SHORT_ROWS | VKP_STRINGS_NO_NULLS};

/// Whether a call of which so much is known may have those kernels.
constexpr bool may_have_long(std::uint32_t plain) { return !(plain & VKP_STRINGS_SHORT_ROWS); }

abi::VkpStrings push_strings(const StringColumnView& view);

}  // namespace vkprims::strings

#include "strings/call.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstring>

#include "runtime/push.hpp"

namespace vkprims::strings {
namespace {

Status check_row_count(const char* primitive, const char* name, std::uint64_t rows) {
  if (rows <= kMaxStringRows) return {};
  return Status::error(Status::invalid_argument,
                       "%s: %s.rows is %" PRIu64 ", at most %" PRIu64 " (2^31 - 1) are allowed",
                       primitive, name, rows, kMaxStringRows);
}

Status check_first_bit(const char* primitive, const char* name, std::uint32_t first_bit) {
  if (first_bit <= 31) return {};
  return Status::error(Status::invalid_argument, "%s: %s.first_bit is %u, must be 0 … 31",
                       primitive, name, first_bit);
}

Status check_rows(const char* primitive, const char* name, std::uint64_t rows,
                  std::uint64_t wanted) {
  if (rows == wanted) return {};
  return Status::error(Status::invalid_argument, "%s: %s.rows is %" PRIu64 ", must be %" PRIu64,
                       primitive, name, rows, wanted);
}

}  // namespace

VkDeviceSize argument_bytes(std::uint64_t text_bytes, std::uint64_t columns) {
  return round_up(VKP_STRINGS_TEXT_OFFSET + text_bytes + columns * sizeof(abi::VkpStrings), 16);
}
VkDeviceSize argument_bytes(const Call& call) {
  return argument_bytes(text_bytes(call.text) + text_bytes(call.more), call.columns.size());
}

Status check_argument_bytes(const char* primitive, std::uint64_t bytes) {
  if (bytes <= VKP_STRINGS_MOST_ARGUMENT_BYTES) return {};
  return Status::error(Status::invalid_argument,
                       "%s: scalars and columns take %" PRIu64 " bytes, at most %u are allowed",
                       primitive, bytes, VKP_STRINGS_MOST_ARGUMENT_BYTES);
}

// Arguments, texts and table, as they lie at the beginning of scratch.
std::vector<std::uint8_t> make_arguments(const Call& call, const BufferView& report,
                                         VkDeviceAddress scratch, VkDeviceAddress tiles,
                                         const LongTables& long_tables, const Spans& spans) {
  const std::size_t more = VKP_STRINGS_TEXT_OFFSET + text_bytes(call.text);
  const std::size_t table = more + text_bytes(call.more);
  std::vector<std::uint8_t> bytes(table + call.columns.size() * sizeof(abi::VkpStrings));
  const abi::VkpStringsArguments arguments{.report = push_u64(report.address),
                                           .mask_bits = push_u64(call.mask.bits.address),
                                           .mask_validity = push_u64(call.mask.validity.address),
                                           .mask_first_bit = call.mask.first_bit,
                                           .text_bytes = static_cast<abi::uint>(call.text.size()),
                                           .more_bytes = static_cast<abi::uint>(call.more.size()),
                                           .columns = static_cast<abi::uint>(call.columns.size()),
                                           .table = push_u64(scratch + table),
                                           .start = call.start,
                                           .stop = call.stop,
                                           .flags = call.flags,
                                           .indices = push_u64(call.indices.address),
                                           .tiles = push_u64(tiles),
                                           .count = push_count(call.count),
                                           .unfit = 0,
                                           .long_rows = push_u64(long_tables.rows),
                                           .long_units = push_u64(long_tables.units),
                                           .unit_capacity = long_tables.capacity,
                                           .unit_shift = long_tables.unit_shift,
                                           .spans = push_u64(spans.list),
                                           .span_shift = spans.shift,
                                           .spans_taken = 0};
  const auto put = [&](std::size_t at, const void* from, std::size_t n) {
    if (n) std::memcpy(bytes.data() + at, from, n);
  };
  put(0, &arguments, sizeof arguments);
  put(VKP_STRINGS_TEXT_OFFSET, call.text.data(), call.text.size());
  put(more, call.more.data(), call.more.size());
  for (std::size_t i = 0; i < call.columns.size(); ++i) {
    const abi::VkpStrings column = push_strings(call.columns[i]);
    put(table + i * sizeof column, &column, sizeof column);
  }
  return bytes;
}

std::uint32_t period_of(std::string_view text) {
  std::vector<std::size_t> border(text.size() + 1);  // for each prefix, its longest border
  for (std::size_t i = 1, k = 0; i < text.size(); ++i) {
    while (k != 0 && text[i] != text[k]) k = border[k];
    if (text[i] == text[k]) ++k;
    border[i + 1] = k;
  }
  return static_cast<std::uint32_t>(std::max<std::size_t>(text.size() - border.back(), 1));
}

Status check_call(const char* primitive, const Call& call) {
  VKPRIMS_TRY(check_argument_bytes(primitive, argument_bytes(call)));
  for (const NamedColumn* column : {&call.a, &call.b}) {
    if (!column->name) continue;
    VKPRIMS_TRY(check_column(primitive, *column));
    if (call.gathers) continue;
    VKPRIMS_TRY(check_rows(primitive, column->name, column->view.rows, call.rows));
  }
  for (const StringColumnView& view : call.columns) {
    VKPRIMS_TRY(check_column(primitive, {"columns", view}));
    if (view.rows != call.rows) {
      return Status::error(Status::invalid_argument,
                           "%s: columns have %" PRIu64 " and %" PRIu64 " rows", primitive,
                           call.rows, view.rows);
    }
  }
  return call.mask.rows ? check_bits(primitive, "mask", call.mask, call.rows) : Status();
}

std::vector<Operand> operands_of(const Call& call) {
  std::vector<Operand> operands;
  for (const NamedColumn& column : {call.a, call.b}) {
    if (column.name) append(operands, column);
  }
  for (const StringColumnView& view : call.columns) append(operands, {"columns", view});
  append(operands, "mask", call.mask);
  const VkDeviceSize index_bytes = call.gathers ? 4 * call.rows : call.indices.bytes;
  operands.push_back({"indices", call.indices, index_bytes, 4, false, "",
                      call.gathers ? "the count" : "indices.bytes"});
  if (call.count.given()) operands.push_back(operand_of(call.count));
  operands.insert(operands.end(), call.own.begin(), call.own.end());
  return operands;
}

std::uint32_t row_bytes(std::uint32_t hint, const StringColumnView& view) {
  if (hint) return hint;
  const VkDeviceSize rows = std::max<std::uint64_t>(view.rows, 1);
  return static_cast<std::uint32_t>(
      std::clamp<VkDeviceSize>(ceil_div(view.chars.bytes, rows), 1, kMaxStringBytes));
}

std::uint32_t plain_columns(const Call& call, const StringColumnOut& out, bool may_be_long) {
  // Kernels number the bytes of offsets in 32 bits.
  constexpr std::uint64_t kMostNarrowRows = (std::uint64_t{1} << 30) - 2;
  const auto is_narrow = [](const StringColumnView& view) {
    return view.offset_width == IndexWidth::u32 && view.chars.bytes <= kMaxStringBytes &&
           view.rows <= kMostNarrowRows;
  };
  const auto has_no_nulls = [](const StringColumnView& view) { return !view.validity.address; };
  const auto all = [&](auto&& is_so) {
    return is_so(call.a.view) && is_so(call.b.view) && std::ranges::all_of(call.columns, is_so);
  };
  const bool is_narrow_out = out.offset_width == IndexWidth::u32 && call.rows <= kMostNarrowRows;
  if (!all(is_narrow) || !is_narrow_out) return 0;
  const bool no_nulls = all(has_no_nulls) && !out.validity.address;
  return VKP_STRINGS_NARROW | (may_be_long ? 0u : VKP_STRINGS_SHORT_ROWS) |
         (no_nulls ? VKP_STRINGS_NO_NULLS : 0u);
}

abi::VkpStrings push_strings(const StringColumnView& view) {
  // Without bytes there may be no memory. Kernels read the word in which a row begins, unless the
  // row begins at the start of that word, as it does with address 0.
  return {.offsets = push_u64(view.offsets.address),
          .chars = push_u64(view.chars.bytes ? view.chars.address : 0),
          .validity = push_u64(view.validity.address),
          .bytes = push_u64(view.chars.bytes),
          .first_bit = view.first_bit,
          .wide = view.offset_width == IndexWidth::u64};
}

Status check_column(const char* primitive, const NamedColumn& column) {
  VKPRIMS_TRY(check_enum(primitive, "offset_width", column.view.offset_width, IndexWidth::u64));
  VKPRIMS_TRY(check_row_count(primitive, column.name, column.view.rows));
  return check_first_bit(primitive, column.name, column.view.first_bit);
}

void append(std::vector<Operand>& operands, const NamedColumn& column) {
  const StringColumnView& view = column.view;
  if (view.rows == 0) return;
  const std::uint32_t width = size_of(view.offset_width);
  const VkDeviceSize bits = view.validity.address ? bit_bytes(view.rows, view.first_bit) : 0;
  operands.insert(
      operands.end(),
      {{column.name, view.offsets, (view.rows + 1) * width, width, false, ".offsets", "rows + 1"},
       {column.name, view.chars, view.chars.bytes, 1, false, ".chars", "chars.bytes"},
       {column.name, view.validity, bits, 4, false, ".validity", "rows"}});
}

Status check_bits(const char* primitive, const char* name, const BitsView& bits,
                  std::uint64_t rows) {
  VKPRIMS_TRY(check_row_count(primitive, name, bits.rows));
  VKPRIMS_TRY(check_rows(primitive, name, bits.rows, rows));
  return check_first_bit(primitive, name, bits.first_bit);
}

void append(std::vector<Operand>& operands, const char* name, const BitsView& bits) {
  if (bits.rows == 0) return;
  const VkDeviceSize bytes = bit_bytes(bits.rows, bits.first_bit);
  operands.push_back({name, bits.bits, bytes, 4, false, ".bits", "rows"});
  operands.push_back(
      {name, bits.validity, bits.validity.address ? bytes : 0, 4, false, ".validity", "rows"});
}

Status check_result(const char* primitive, const StringColumnOut& out) {
  return check_enum(primitive, "out.offset_width", out.offset_width, IndexWidth::u64);
}

void append(std::vector<Operand>& operands, const StringColumnOut& out, std::uint64_t rows,
            const BufferView& report) {
  const std::uint32_t width = size_of(out.offset_width);
  const VkDeviceSize bits = out.validity.address ? bit_bytes(rows) : 0;
  operands.insert(
      operands.end(),
      {{"out.offsets", out.offsets, (rows + 1) * width, width, true, "", "the number of rows + 1"},
       {"out.chars", out.chars, out.chars.bytes, 1, true, "", "out.chars.bytes"},
       {"out.validity", out.validity, bits, 4, true, "", "the number of rows"},
       operand_of_report(report)});
}

}  // namespace vkprims::strings

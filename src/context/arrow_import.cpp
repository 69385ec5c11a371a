// The import of Arrow arrays from host memory.
#include <algorithm>
#include <type_traits>

#include "arrow_rows.hpp"

namespace vkprims {
namespace {

using arrow::bits_of;
using arrow::refuse;
using arrow::Rows;
using arrow::validity_of;

Buffer<std::uint32_t> upload_validity(Context& context, const std::vector<std::uint32_t>& words) {
  return words.empty() ? Buffer<std::uint32_t>() : context.upload(words);
}

FixedColumn import_fixed(Context& context, const Rows& rows, char format) {
  const std::uint64_t width = arrow::element_bytes(format);
  const auto* first = rows.count ? rows.buffer<std::uint8_t>(1) + rows.first * width : nullptr;
  return {.type = static_cast<FixedType>(format),
          .data = context.upload(std::span(first, rows.count * width)),
          .validity = upload_validity(context, validity_of(rows)),
          .rows = rows.count};
}

BitColumn import_bits(Context& context, const Rows& rows) {
  return {.bits = context.upload(bits_of(rows, 1)),
          .validity = upload_validity(context, validity_of(rows)),
          .rows = rows.count};
}

[[noreturn]] void refuse_row(const Rows& rows, Status::Code code, std::uint64_t row,
                             const std::string& what) {
  refuse(code, rows.name, "row " + std::to_string(row) + " " + what);
}

// Arrow's offsets are signed and start anywhere; those that go to the device start at 0.
template <class Signed>
StringColumn import_strings(Context& context, const Rows& rows) {
  using Offset = std::make_unsigned_t<Signed>;
  std::vector<Offset> offsets(rows.count + 1);
  // An array without rows may have no offsets at all.
  const Signed start = rows.count ? rows.load<Signed>(1, rows.first) : Signed{0};
  Signed last = start;
  std::uint64_t longest = 1;  // 0 would mean that it is not known
  for (std::uint64_t i = 0; i < rows.count; ++i) {
    const Signed next = rows.load<Signed>(1, rows.first + i + 1);
    if (last < 0 || next < last) {
      refuse_row(rows, Status::invalid_argument, i,
                 "is from byte " + std::to_string(last) + " to " + std::to_string(next) +
                     "; offsets must ascend from 0 or more");
    }
    const auto bytes = static_cast<std::uint64_t>(next - last);
    if (bytes > kMaxStringBytes) {
      refuse_row(
          rows, Status::unsupported, i,
          "has " + std::to_string(bytes) + " bytes, at most " + std::to_string(kMaxStringBytes));
    }
    longest = std::max(longest, bytes);
    offsets[i + 1] = static_cast<Offset>(next - start);
    last = next;
  }
  const std::uint64_t bytes = offsets.back();
  if (bytes) arrow::check_present(rows, 2, "string bytes");
  const auto* chars = bytes ? rows.buffer<std::uint8_t>(2) + start : nullptr;
  StringColumn column(context.upload(offsets), context.upload(std::span(chars, bytes)),
                      upload_validity(context, validity_of(rows)), bytes);
  column.set_longest_row_bytes(longest);
  return column;
}

StringColumn import_strings(Context& context, const Rows& rows, char format) {
  return format == 'U' ? import_strings<std::int64_t>(context, rows)
                       : import_strings<std::int32_t>(context, rows);
}

// The index of a null row may be anything: 0 takes its place.
template <class T>
std::vector<std::int32_t> indices_of(const Rows& rows, const std::vector<std::uint32_t>& validity,
                                     std::uint64_t dictionary_rows) {
  std::vector<std::int32_t> indices(rows.count);
  for (std::uint64_t i = 0; i < rows.count; ++i) {
    if (!arrow::bit(validity, i)) continue;
    const T index = rows.load<T>(1, rows.first + i);
    // A negative index becomes a large one.
    if (static_cast<std::uint64_t>(index) >= dictionary_rows) {
      refuse_row(rows, Status::invalid_argument, i,
                 "has index " + std::to_string(index) + ", the dictionary has " +
                     std::to_string(dictionary_rows) + " rows");
    }
    indices[i] = static_cast<std::int32_t>(index);
  }
  return indices;
}

auto indices_function(char format) {
  switch (format) {
    case 'c':
      return indices_of<std::int8_t>;
    case 'C':
      return indices_of<std::uint8_t>;
    case 's':
      return indices_of<std::int16_t>;
    case 'S':
      return indices_of<std::uint16_t>;
    case 'i':
      return indices_of<std::int32_t>;
    case 'I':
      return indices_of<std::uint32_t>;
    case 'l':
      return indices_of<std::int64_t>;
    default:
      return indices_of<std::uint64_t>;
  }
}

// A row is also null if its string in the dictionary is.
void clear_null_strings(const std::vector<std::int32_t>& indices,
                        const std::vector<std::uint32_t>& strings,
                        std::vector<std::uint32_t>& validity) {
  for (std::uint64_t i = 0; i < indices.size(); ++i) {
    if (!arrow::bit(validity, i) || arrow::bit(strings, static_cast<std::uint64_t>(indices[i]))) {
      continue;
    }
    if (validity.empty()) validity.assign((indices.size() + 31) / 32, ~0u);
    validity[i / 32] &= ~(1u << i % 32);
  }
}

DictionaryColumn import_dictionary(Context& context, const Rows& rows,
                                   const arrow::Layout& layout) {
  const std::string name = layout.field.name + ".dictionary";
  const Rows strings = arrow::all_rows(*rows.array.dictionary, name);
  std::vector<std::uint32_t> validity = validity_of(rows);
  const auto indices = indices_function(layout.format)(rows, validity, strings.count);
  clear_null_strings(indices, validity_of(strings), validity);
  return {.indices = {.type = FixedType::i32,
                      .data = context.upload(indices).as<std::uint8_t>(),
                      .validity = upload_validity(context, validity),
                      .rows = rows.count},
          .dictionary = import_strings(context, strings, layout.dictionary_format),
          .ordered = layout.ordered};
}

Column import_rows(Context& context, const Rows& rows, const arrow::Layout& layout) {
  if (layout.dictionary_format) return import_dictionary(context, rows, layout);
  if (layout.format == 'b') return import_bits(context, rows);
  if (arrow::is_strings(layout.format)) return import_strings(context, rows, layout.format);
  return import_fixed(context, rows, layout.format);
}

Field field_of(const arrow::Layout& layout, const Column& column) {
  return {layout.field.name, layout.field.nullable || arrow::validity_of(column).size() != 0};
}

}  // namespace

Column import_column(Context& context, ArrowArray& array, ArrowSchema& schema, Field* field) {
  const arrow::ReleaseAtEnd release_array(array);
  const arrow::ReleaseAtEnd release_schema(schema);
  const arrow::Layout layout = arrow::layout_of(schema);
  const Rows rows = arrow::all_rows(array, layout.field.name);
  arrow::check_array(rows, layout);
  Column column = import_rows(context, rows, layout);
  if (field) *field = field_of(layout, column);
  return column;
}

Batch import_batch(Context& context, ArrowArray& array, ArrowSchema& schema) {
  const arrow::ReleaseAtEnd release_array(array);
  const arrow::ReleaseAtEnd release_schema(schema);
  const std::vector<arrow::Layout> layouts = arrow::batch_layouts_of(schema);
  const std::string unnamed;
  const Rows rows = arrow::all_rows(array, unnamed);
  arrow::check_batch(rows, layouts.size());
  if (!validity_of(rows).empty()) {
    refuse(Status::invalid_argument, unnamed, "rows of the record batch itself are null");
  }
  std::vector<Rows> children;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    children.push_back(arrow::rows_of_child(rows, i, layouts[i].field.name));
    arrow::check_array(children.back(), layouts[i]);
  }
  Batch batch{.rows = rows.count};
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    batch.columns.push_back(import_rows(context, children[i], layouts[i]));
    batch.fields.push_back(field_of(layouts[i], batch.columns.back()));
  }
  return batch;
}

}  // namespace vkprims

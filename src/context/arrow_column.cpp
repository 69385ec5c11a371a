// Properties of a column that are asked for before it is exported.
#include "arrow_format.hpp"

namespace vkprims {
namespace arrow {
namespace {

[[noreturn]] void refuse_size(const std::string& name, const char* what, std::uint64_t size,
                              std::uint64_t needed) {
  refuse(Status::invalid_argument, name,
         std::string(what) + " has " + std::to_string(size) + " elements, needs " +
             std::to_string(needed));
}

void check_bits(const Buffer<std::uint32_t>& bits, std::uint64_t rows, const std::string& name,
                const char* what) {
  const std::uint64_t words = (rows + 31) / 32;
  if (bits.size() < words) refuse_size(name, what, bits.size(), words);
}

void check_validity(const Buffer<std::uint32_t>& validity, std::uint64_t rows,
                    const std::string& name) {
  if (validity.size() != 0) check_bits(validity, rows, name, "validity");
}

void check_fixed(const FixedColumn& column, const std::string& name) {
  const std::uint64_t width = size_of(column.type);
  if (width == 0) refuse(Status::invalid_argument, name, "its type is no FixedType");
  if (column.data.size() / width < column.rows) {
    refuse_size(name, "data", column.data.size() / width, column.rows);
  }
  check_validity(column.validity, column.rows, name);
}

void check_strings(const StringColumn& column, const std::string& name) {
  const std::uint64_t offsets = column.offsets32().size() + column.offsets64().size();
  if (column.rows() != 0 && offsets != column.rows() + 1) {
    refuse_size(name, "offsets", offsets, column.rows() + 1);
  }
  check_validity(column.validity(), column.rows(), name);
}

}  // namespace

const Buffer<std::uint32_t>& validity_of(const Column& column) {
  if (const auto* fixed = std::get_if<FixedColumn>(&column)) return fixed->validity;
  if (const auto* bits = std::get_if<BitColumn>(&column)) return bits->validity;
  if (const auto* strings = std::get_if<StringColumn>(&column)) return strings->validity();
  return std::get<DictionaryColumn>(column).indices.validity;
}

void check_column(const Column& column, const std::string& name) {
  if (rows_of(column) > kMaxCount) {
    refuse(Status::invalid_argument, name,
           std::to_string(rows_of(column)) + " rows, at most " + std::to_string(kMaxCount));
  }
  if (const auto* fixed = std::get_if<FixedColumn>(&column)) {
    check_fixed(*fixed, name);
  } else if (const auto* bits = std::get_if<BitColumn>(&column)) {
    check_bits(bits->bits, bits->rows, name, "bits");
    check_validity(bits->validity, bits->rows, name);
  } else if (const auto* strings = std::get_if<StringColumn>(&column)) {
    check_strings(*strings, name);
  } else {
    const auto& coded = std::get<DictionaryColumn>(column);
    if (coded.indices.type != FixedType::i32 && coded.indices.type != FixedType::u32) {
      refuse(Status::invalid_argument, name, "indices into a dictionary are i32 or u32");
    }
    check_fixed(coded.indices, name);
    check_strings(coded.dictionary, name + ".dictionary");
  }
}

std::vector<Layout> check_batch(const Batch& batch) {
  if (batch.fields.size() != batch.columns.size()) {
    refuse(Status::invalid_argument, "",
           "a batch of " + std::to_string(batch.fields.size()) + " fields and " +
               std::to_string(batch.columns.size()) + " columns");
  }
  std::vector<Layout> layouts;
  for (std::size_t i = 0; i < batch.columns.size(); ++i) {
    const std::string& name = batch.fields[i].name;
    const std::uint64_t rows = rows_of(batch.columns[i]);
    if (rows != batch.rows) {
      refuse(Status::invalid_argument, name,
             std::to_string(rows) + " rows in a batch of " + std::to_string(batch.rows));
    }
    check_column(batch.columns[i], name);
    layouts.push_back(layout_of(batch.columns[i], batch.fields[i]));
  }
  return layouts;
}

Layout layout_of(const Column& column, const Field& field) {
  Layout layout{.field = field};
  if (const auto* fixed = std::get_if<FixedColumn>(&column)) {
    layout.format = static_cast<char>(fixed->type);
  } else if (std::holds_alternative<BitColumn>(column)) {
    layout.format = 'b';
  } else if (const auto* strings = std::get_if<StringColumn>(&column)) {
    layout.format = strings->offsets64().size() ? 'U' : 'u';
  } else {
    const auto& coded = std::get<DictionaryColumn>(column);
    layout.format = static_cast<char>(coded.indices.type);
    layout.dictionary_format = coded.dictionary.offsets64().size() ? 'U' : 'u';
    layout.ordered = coded.ordered;
  }
  return layout;
}

}  // namespace arrow

std::uint64_t rows_of(const Column& column) {
  if (const auto* fixed = std::get_if<FixedColumn>(&column)) return fixed->rows;
  if (const auto* bits = std::get_if<BitColumn>(&column)) return bits->rows;
  if (const auto* strings = std::get_if<StringColumn>(&column)) return strings->rows();
  return std::get<DictionaryColumn>(column).indices.rows;
}

}  // namespace vkprims

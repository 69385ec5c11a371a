// The export of columns to Arrow arrays in host memory.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <utility>

#include "arrow_format.hpp"

namespace vkprims {
namespace {

using arrow::refuse;

constexpr std::size_t kAlignment = 64;

struct FreeAligned {
  void operator()(std::byte* bytes) const {
    ::operator delete (bytes, std::align_val_t{kAlignment});
  }
};

// Owns an exported array whose buffers are on the host.
struct HostOwner : arrow::ArrayOwner {
  // Makes buffer i, which is never null: room for n elements of any value, with zeros behind them.
  template <class T>
  std::span<T> make(int i, std::uint64_t n) {
    const std::size_t bytes = n * sizeof(T);
    const std::size_t padded = bytes / kAlignment * kAlignment + kAlignment;
    memory[i].reset(static_cast<std::byte*>(::operator new (padded, std::align_val_t{kAlignment})));
    std::memset(memory[i].get() + bytes, 0, padded - bytes);
    buffers[i] = memory[i].get();
    return {reinterpret_cast<T*>(memory[i].get()), n};
  }
  std::unique_ptr<std::byte[], FreeAligned> memory[3];
};

void release_host(ArrowArray* array) {
  delete static_cast<arrow::ArrayOwner*>(array->private_data);
  array->release = nullptr;
}

// Reads the bits of rows from a buffer on the device into buffer i, with zeros behind them. Returns
// how many of the bits are 0.
std::uint64_t read_bits(Context& context, const Buffer<std::uint32_t>& bits, std::uint64_t rows,
                        int i, HostOwner& owner) {
  const std::span<std::uint32_t> words = owner.make<std::uint32_t>(i, (rows + 31) / 32);
  context.read(bits, words);
  if (rows % 32) words.back() &= (1u << rows % 32) - 1;
  std::uint64_t zeros = rows;
  for (const std::uint32_t word : words) zeros -= static_cast<std::uint64_t>(std::popcount(word));
  return zeros;
}

// Reads the validity of rows and returns how many are null. If none is, there is no buffer.
std::int64_t read_validity(Context& context, const Buffer<std::uint32_t>& validity,
                           std::uint64_t rows, HostOwner& owner) {
  if (validity.size() == 0) return 0;
  const std::uint64_t nulls = read_bits(context, validity, rows, 0, owner);
  if (nulls == 0) owner.buffers[0] = nullptr;
  return static_cast<std::int64_t>(nulls);
}

// Checks what Arrow demands of offsets and a column does not promise. Returns the last offset.
template <class Offset>
std::uint64_t check_offsets(std::span<const Offset> offsets, std::uint64_t bytes,
                            const std::string& name) {
  const auto limit = static_cast<Offset>(std::numeric_limits<std::make_signed_t<Offset>>::max());
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] >= offsets[i - 1] && offsets[i] <= bytes && offsets[i] <= limit) continue;
    refuse(Status::invalid_argument, name,
           "row " + std::to_string(i - 1) + " is from byte " + std::to_string(offsets[i - 1]) +
               " to " + std::to_string(offsets[i]) + "; offsets must ascend to at most " +
               std::to_string(std::min<std::uint64_t>(bytes, limit)));
  }
  return offsets.back();
}

template <class Offset>
void read_strings(Context& context, const Buffer<Offset>& from, const Buffer<std::uint8_t>& chars,
                  const std::string& name, HostOwner& owner) {
  const std::span<Offset> offsets = owner.make<Offset>(1, std::max<std::uint64_t>(from.size(), 1));
  offsets[0] = 0;
  context.read(from, offsets.first(from.size()));
  const std::uint64_t bytes = check_offsets<Offset>(offsets, chars.size(), name);
  context.read(chars, owner.make<std::uint8_t>(2, bytes));
}

void write_strings(Context& context, const StringColumn& column, const std::string& name,
                   ArrowArray& out) {
  auto owner = std::make_unique<HostOwner>();
  const std::int64_t nulls = read_validity(context, column.validity(), column.rows(), *owner);
  if (column.offsets64().size()) {
    read_strings(context, column.offsets64(), column.chars(), name, *owner);
  } else {
    read_strings(context, column.offsets32(), column.chars(), name, *owner);
  }
  hand_over(std::move(owner), {column.rows(), nulls, 3}, release_host, out);
}

void check_indices(const HostOwner& owner, std::uint64_t rows, std::uint64_t dictionary_rows,
                   const std::string& name) {
  // A negative index becomes a large one.
  const auto* indices = static_cast<const std::uint32_t*>(owner.buffers[1]);
  const auto* validity = static_cast<const std::uint32_t*>(owner.buffers[0]);
  for (std::uint64_t i = 0; i < rows; ++i) {
    const bool valid = !validity || (validity[i / 32] >> (i % 32) & 1);
    if (!valid || indices[i] < dictionary_rows) continue;
    refuse(Status::invalid_argument, name,
           "row " + std::to_string(i) + " has index " + std::to_string(indices[i]) +
               ", the dictionary has " + std::to_string(dictionary_rows) + " rows");
  }
}

// Writes numbers, or the indices into `dictionary`.
void write_fixed(Context& context, const FixedColumn& column, const StringColumn* dictionary,
                 const std::string& name, ArrowArray& out) {
  auto owner = std::make_unique<HostOwner>();
  const std::int64_t nulls = read_validity(context, column.validity, column.rows, *owner);
  context.read(column.data, owner->make<std::uint8_t>(1, column.rows * size_of(column.type)));
  if (dictionary) {
    check_indices(*owner, column.rows, dictionary->rows(), name);
    write_strings(context, *dictionary, name + ".dictionary", owner->dictionary);
  }
  hand_over(std::move(owner), {column.rows, nulls, 2}, release_host, out);
}

void write_bits(Context& context, const BitColumn& column, ArrowArray& out) {
  auto owner = std::make_unique<HostOwner>();
  const std::int64_t nulls = read_validity(context, column.validity, column.rows, *owner);
  read_bits(context, column.bits, column.rows, 1, *owner);
  hand_over(std::move(owner), {column.rows, nulls, 2}, release_host, out);
}

void write_array(Context& context, const Column& column, const Field& field, ArrowArray& out) {
  ArrowArray array{};
  arrow::ReleaseAtEnd discard(array);
  if (const auto* fixed = std::get_if<FixedColumn>(&column)) {
    write_fixed(context, *fixed, nullptr, field.name, array);
  } else if (const auto* bits = std::get_if<BitColumn>(&column)) {
    write_bits(context, *bits, array);
  } else if (const auto* strings = std::get_if<StringColumn>(&column)) {
    write_strings(context, *strings, field.name, array);
  } else {
    const auto& coded = std::get<DictionaryColumn>(column);
    write_fixed(context, coded.indices, &coded.dictionary, field.name, array);
  }
  if (!field.nullable && array.null_count != 0) {
    refuse(Status::invalid_argument, field.name,
           std::to_string(array.null_count) + " rows are null in a field that is not nullable");
  }
  out = std::exchange(array, {});
}

}  // namespace

void export_column(Context& context, const Column& column, const Field& field, ArrowArray& array,
                   ArrowSchema& schema) {
  arrow::check_column(column, field.name);
  ArrowSchema type{};
  arrow::write_schema(arrow::layout_of(column, field), type);
  arrow::ReleaseAtEnd discard(type);
  write_array(context, column, field, array);
  schema = std::exchange(type, {});
}

void export_batch(Context& context, const Batch& batch, ArrowArray& array, ArrowSchema& schema) {
  const std::vector<arrow::Layout> layouts = arrow::check_batch(batch);
  ArrowSchema type{};
  arrow::write_batch_schema(layouts, type);
  arrow::ReleaseAtEnd discard(type);
  auto owner = std::make_unique<HostOwner>();
  owner->children.resize(batch.columns.size());
  for (std::size_t i = 0; i < batch.columns.size(); ++i) {
    write_array(context, batch.columns[i], batch.fields[i], owner->children[i]);
    owner->child_pointers.push_back(&owner->children[i]);
  }
  hand_over(std::move(owner), {batch.rows, 0, 1}, release_host, array);
  schema = std::exchange(type, {});
}

}  // namespace vkprims

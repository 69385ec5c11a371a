// Tests of Arrow imports and exports in host memory.
#include "vkprims/arrow.hpp"

#include <cstddef>
#include <utility>

#include "context/arrow_producer.hpp"
#include "context/context_support.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

constexpr std::uint64_t kRows[] = {0, 1, 31, 32, 33, 63, 64, 65, 1000};
constexpr std::uint64_t kOffsets[] = {0, 1, 7, 8, 31, 33};

// Returns rows with nulls as `pattern` says: no row, the first and last rows and those at the edges
// of words, or all rows.
template <class T, class F>
Nullable<T> rows_of_pattern(std::uint64_t n, int pattern, F&& value) {
  Nullable<T> rows(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const bool edge = i == 0 || i + 1 == n || i % 32 == 31 || i % 32 == 0;
    if (pattern == 0 || (pattern == 1 && !edge)) rows[i] = value(i);
  }
  return rows;
}

template <class F>
void for_each_shape(F&& f) {
  for (const std::uint64_t n : kRows) {
    for (const std::uint64_t offset : kOffsets) {
      for (const int pattern : {0, 1, 2}) {
        CAPTURE(n);
        CAPTURE(offset);
        CAPTURE(pattern);
        f(n, offset, pattern);
      }
    }
  }
}

// Hands an array over, which must come back released exactly once.
Column import_produced(const Produced& p, Field* field = nullptr) {
  Releases releases;
  ArrowArray array = array_of(p, &releases);
  ArrowSchema schema = schema_of(p, &releases);
  Column column = import_column(context(), array, schema, field);
  CHECK(releases.arrays == 1);
  CHECK(releases.schemas == 1);
  CHECK(!is_alive(array));
  CHECK(!is_alive(schema));
  return column;
}

// A column on the host, which is released at the end of a scope.
struct Exported {
  explicit Exported(const Column& column, const Field& field = {"x", true}) {
    export_column(context(), column, field, array, schema);
    CHECK(array.offset == 0);
    CHECK(array.length == static_cast<std::int64_t>(rows_of(column)));
  }
  explicit Exported(const Batch& batch) { export_batch(context(), batch, array, schema); }
  Exported(const Exported&) = delete;
  ~Exported() {
    if (array.release) array.release(&array);
    if (schema.release) schema.release(&schema);
    CHECK(!is_alive(array));
    CHECK(!is_alive(schema));
  }
  ArrowArray array;
  ArrowSchema schema;
};

template <class T>
std::int64_t nulls_of(const Nullable<T>& rows) {
  return std::count_if(rows.begin(), rows.end(), [](const auto& row) { return !row; });
}

template <class T>
void check_nulls(const ArrowArray& array, const Nullable<T>& rows) {
  CHECK(array.null_count == nulls_of(rows));
  CHECK((array.buffers[0] != nullptr) == any_null(rows));
}

// Values are compared as bits because they may be NaN.
template <class T>
void check_fixed(const char* format) {
  CAPTURE(std::string(format));
  for_each_shape([&](std::uint64_t n, std::uint64_t offset, int pattern) {
    const auto rows = rows_of_pattern<T>(
        n, pattern, [](std::uint64_t i) { return static_cast<T>(i * 0x9e3779b97f4a7c15u >> 3); });
    const Column column = import_produced(produce<T>(format, rows, offset, T(77)));
    const auto& fixed = std::get<FixedColumn>(column);
    CHECK(static_cast<char>(fixed.type) == format[0]);
    CHECK(fixed.rows == n);
    CHECK(fixed.view().bytes == n * sizeof(T));
    CHECK((fixed.validity.size() != 0) == any_null(rows));
    const Exported out(column);
    CHECK(std::string(out.schema.format) == format);
    CHECK(out.array.n_buffers == 2);
    check_nulls(out.array, rows);
    CHECK((read_numbers<T>(out.array) == rows));
  });
}

template <class Offset>
void check_strings() {
  for_each_shape([](std::uint64_t n, std::uint64_t offset, int pattern) {
    const HostStrings rows = rows_of_pattern<std::string>(n, pattern, [](std::uint64_t i) {
      return std::string(i % 5, static_cast<char>('a' + i % 23));
    });
    const Column column = import_produced(produce_strings<Offset>(rows, offset));
    const auto& strings = std::get<StringColumn>(column);
    CHECK(strings.rows() == n);
    CHECK((strings.offsets64().size() != 0) == (sizeof(Offset) == 8));
    CHECK(strings.nullable() == any_null(rows));
    CHECK((download_strings(context(), strings) == rows));
    const Exported out(column);
    CHECK(std::string(out.schema.format) == (sizeof(Offset) == 8 ? "U" : "u"));
    CHECK(out.array.n_buffers == 3);
    CHECK(static_cast<const Offset*>(out.array.buffers[1])[0] == 0);
    check_nulls(out.array, rows);
    CHECK((read_strings<Offset>(out.array) == rows));
  });
}

// Checks indices of type T, at an offset of 3 rows, into the dictionary "zero" … "three".
template <class T>
void check_dictionary(const char* format) {
  CAPTURE(std::string(format));
  const Nullable<T> indices = {T(3), std::nullopt, T(0), T(1), T(3)};
  Produced p = produce<T>(format, indices, 3, T(100));
  p.flags |= ARROW_FLAG_DICTIONARY_ORDERED;
  p.dictionary = {produce_strings<std::int32_t>({"zero", "one", "two", "three"}, 2)};
  const Column column = import_produced(p);
  const auto& coded = std::get<DictionaryColumn>(column);
  CHECK(coded.ordered);
  CHECK(coded.indices.type == FixedType::i32);
  CHECK((download_strings(context(), coded.dictionary) ==
         HostStrings{"zero", "one", "two", "three"}));
  const Exported out(column);
  CHECK(std::string(out.schema.format) == "i");
  CHECK(out.schema.flags == (ARROW_FLAG_NULLABLE | ARROW_FLAG_DICTIONARY_ORDERED));
  REQUIRE(out.schema.dictionary != nullptr);
  CHECK(std::string(out.schema.dictionary->format) == "u");
  REQUIRE(out.array.dictionary != nullptr);
  CHECK(
      (read_numbers<std::int32_t>(out.array) == Nullable<std::int32_t>{3, std::nullopt, 0, 1, 3}));
  CHECK((read_strings<std::int32_t>(*out.array.dictionary) ==
         HostStrings{"zero", "one", "two", "three"}));
}

Produced produce_batch(const std::vector<Produced>& children, std::int64_t length,
                       std::int64_t offset) {
  return {.format = "+s",
          .name = "",
          .flags = 0,
          .length = length,
          .null_count = 0,
          .offset = offset,
          .buffers = {std::nullopt},
          .children = children};
}

}  // namespace

TEST_CASE("arrow: the structures are laid out as the interface says") {
  CHECK(sizeof(ArrowSchema) == 5 * sizeof(void*) + 2 * 8 + 2 * sizeof(void*));
  CHECK(offsetof(ArrowArray, buffers) == 40);
  CHECK(sizeof(ArrowArray) == 40 + 5 * sizeof(void*));
  CHECK(offsetof(ArrowDeviceArray, device_id) == sizeof(ArrowArray));
  CHECK(offsetof(ArrowDeviceArray, sync_event) == sizeof(ArrowArray) + 16);
  CHECK(sizeof(ArrowDeviceArray) == sizeof(ArrowArray) + 16 + sizeof(void*) + 24);
}

TEST_CASE("arrow: numbers of every type come and go, at any offset, with nulls anywhere") {
  for (const char* format : {"c", "C"}) check_fixed<std::uint8_t>(format);
  for (const char* format : {"s", "S", "e"}) check_fixed<std::uint16_t>(format);
  for (const char* format : {"i", "I", "f"}) check_fixed<std::uint32_t>(format);
  for (const char* format : {"l", "L", "g"}) check_fixed<std::uint64_t>(format);
}

TEST_CASE("arrow: bits are moved to bit 0, and come back the same") {
  for_each_shape([](std::uint64_t n, std::uint64_t offset, int pattern) {
    const auto rows =
        rows_of_pattern<bool>(n, pattern, [](std::uint64_t i) { return i * i % 7 < 3; });
    const Column column = import_produced(produce_bits(rows, offset));
    const auto& bits = std::get<BitColumn>(column);
    CHECK((download_bits(context(), bits) == rows));
    const Exported out(column);
    CHECK(std::string(out.schema.format) == "b");
    CHECK(out.array.n_buffers == 2);
    check_nulls(out.array, rows);
    CHECK((read_bits(out.array) == rows));
  });
}

TEST_CASE("arrow: strings with offsets of 32 and of 64 bits come and go") {
  check_strings<std::int32_t>();
  check_strings<std::int64_t>();
}

TEST_CASE("arrow: indices of every type lead into a dictionary, and become i32") {
  check_dictionary<std::int8_t>("c");
  check_dictionary<std::uint8_t>("C");
  check_dictionary<std::int16_t>("s");
  check_dictionary<std::uint16_t>("S");
  check_dictionary<std::int32_t>("i");
  check_dictionary<std::uint32_t>("I");
  check_dictionary<std::int64_t>("l");
  check_dictionary<std::uint64_t>("L");
}

TEST_CASE("arrow: a row whose string in the dictionary is null becomes null") {
  Produced p = produce<std::int16_t>("s", {1, 0, std::nullopt, 1, 2}, 0, 9);
  p.dictionary = {produce_strings<std::int64_t>({"a", std::nullopt, "c"}, 1)};
  const Column column = import_produced(p);
  const Exported out(column);
  CHECK(out.array.null_count == 3);
  CHECK((read_numbers<std::int32_t>(out.array) ==
         Nullable<std::int32_t>{std::nullopt, 0, std::nullopt, std::nullopt, 2}));
  CHECK(std::string(out.schema.dictionary->format) == "U");
}

TEST_CASE("arrow: a null_count of 0 and a missing validity buffer mean that no row is null") {
  Produced p = produce<std::int32_t>("i", {1, std::nullopt, 3}, 0, 2);
  p.null_count = 0;
  CHECK(std::get<FixedColumn>(import_produced(p)).validity.size() == 0);
  p.null_count = -1;
  CHECK(std::get<FixedColumn>(import_produced(p)).validity.size() == 1);
  p.buffers[0].reset();
  CHECK(std::get<FixedColumn>(import_produced(p)).validity.size() == 0);
}

TEST_CASE("arrow: an array without rows needs no buffers") {
  for (const char* format : {"i", "b", "u", "U"}) {
    CAPTURE(std::string(format));
    Produced p{.format = format, .buffers = {std::nullopt, std::nullopt}};
    if (format[0] == 'u' || format[0] == 'U') p.buffers.push_back(std::nullopt);
    const Column column = import_produced(p);
    CHECK(rows_of(column) == 0);
    const Exported out(column);
    CHECK(out.array.length == 0);
    CHECK(out.array.null_count == 0);
    CHECK(out.array.buffers[1] != nullptr);
  }
}

TEST_CASE("arrow: strings that are all empty need no bytes") {
  Produced p = produce_strings<std::int32_t>({"", "", ""}, 0);
  p.buffers[2].reset();
  CHECK((download_strings(context(), std::get<StringColumn>(import_produced(p))) ==
         HostStrings{"", "", ""}));
}

TEST_CASE("arrow: names and flags become fields, and metadata are left") {
  Produced p = produce<float>("f", {1.0f}, 0, 0.0f);
  p.name = "größe";
  p.flags = 0;
  Field field;
  import_produced(p, &field);
  CHECK(field.name == "größe");
  CHECK(!field.nullable);
  p.flags = ARROW_FLAG_NULLABLE;
  import_produced(p, &field);
  CHECK(field.nullable);
  p = produce<float>("f", {std::nullopt}, 0, 0.0f);
  p.flags = 0;
  import_produced(p, &field);
  CHECK(field.nullable);

  ArrowArray array = array_of(p, nullptr);
  ArrowSchema schema = schema_of(p, nullptr);
  schema.name = nullptr;
  schema.metadata = "\0\0\0\0";
  import_column(context(), array, schema, &field);
  CHECK(field.name == "");
}

TEST_CASE("arrow: a record batch is a slice of its children") {
  const HostStrings strings = {"a", "bb", std::nullopt, "", "eeeee", "f"};
  const Nullable<bool> bits = {true, false, std::nullopt, true, true, false};
  const Nullable<std::int64_t> numbers = {-1, 2, -3, 4, std::nullopt, 6};
  Produced coded = produce<std::int8_t>("c", {0, 1, 0, std::nullopt, 1, 0}, 0, -1);
  coded.dictionary = {produce_strings<std::int32_t>({"no", "yes"}, 0)};
  std::vector<Produced> children = {produce_strings<std::int32_t>(strings, 5),
                                    produce_bits(bits, 3),
                                    produce<std::int64_t>("l", numbers, 1, 0), coded};
  for (std::size_t i = 0; i < children.size(); ++i)
    children[i].name = std::string(1, 'p' + char(i));
  // This counts the nulls of the whole child, not of the slice.
  children[2].null_count = 1;
  for (const std::int64_t offset : {0, 1, 3}) {
    for (const std::int64_t length : {0, 1, 3}) {
      CAPTURE(offset);
      CAPTURE(length);
      const Produced p = produce_batch(children, length, offset);
      Releases releases;
      ArrowArray array = array_of(p, &releases);
      ArrowSchema schema = schema_of(p, &releases);
      const Batch batch = import_batch(context(), array, schema);
      CHECK(releases.arrays == 1);
      CHECK(releases.schemas == 1);
      REQUIRE(batch.columns.size() == 4);
      CHECK(batch.rows == static_cast<std::uint64_t>(length));
      CHECK(batch.fields[3].name == "s");

      const Exported out(batch);
      CHECK(std::string(out.schema.format) == "+s");
      CHECK(out.array.n_buffers == 1);
      CHECK(out.array.buffers[0] == nullptr);
      REQUIRE(out.array.n_children == 4);
      REQUIRE(out.schema.n_children == 4);
      CHECK(std::string(out.schema.children[1]->name) == "q");
      const auto slice = [&](auto rows) {
        return decltype(rows)(rows.begin() + offset, rows.begin() + offset + length);
      };
      CHECK((read_strings<std::int32_t>(*out.array.children[0]) == slice(strings)));
      CHECK((read_bits(*out.array.children[1]) == slice(bits)));
      CHECK((read_numbers<std::int64_t>(*out.array.children[2]) == slice(numbers)));
      CHECK((read_numbers<std::int32_t>(*out.array.children[3]) ==
             slice(Nullable<std::int32_t>{0, 1, 0, std::nullopt, 1, 0})));
    }
  }
}

TEST_CASE("arrow: a record batch may have no columns, and rows all the same") {
  const Produced p = produce_batch({}, 7, 0);
  ArrowArray array = array_of(p, nullptr);
  ArrowSchema schema = schema_of(p, nullptr);
  const Batch batch = import_batch(context(), array, schema);
  CHECK(batch.rows == 7);
  const Exported out(batch);
  CHECK(out.array.length == 7);
  CHECK(out.array.n_children == 0);
}

TEST_CASE("arrow: exported buffers are aligned to 64 bytes, and zeros follow") {
  const HostStrings rows(33, "abc");
  const Column column = upload_strings(context(), rows);
  const Exported out(column);
  for (int i : {1, 2}) CHECK(reinterpret_cast<std::uintptr_t>(out.array.buffers[i]) % 64 == 0);
  const auto* chars = static_cast<const char*>(out.array.buffers[2]);
  for (int i = 99; i < 128; ++i) CHECK(chars[i] == 0);

  // Bits behind the last row may have any value on the device.
  const Column bits = BitColumn{.bits = context().upload(Words{~0u, ~0u}),
                                .validity = context().upload(Words{~1u, ~0u}),
                                .rows = 33};
  const Exported bits_out(bits);
  CHECK(bits_out.array.null_count == 1);
  for (int i : {0, 1}) {
    const auto* bytes = static_cast<const std::uint8_t*>(bits_out.array.buffers[i]);
    CHECK(bytes[4] == 1);
    for (int at = 5; at < 64; ++at) CHECK(bytes[at] == 0);
  }
}

TEST_CASE("arrow: validity without nulls is left out, and what lies under nulls is not looked at") {
  const Column valid = FixedColumn{.type = FixedType::u32,
                                   .data = context().upload(Words{5, 6}).as<std::uint8_t>(),
                                   .validity = context().upload(Words{~0u}),
                                   .rows = 2};
  const Exported valid_out(valid, {"x", false});
  CHECK(valid_out.array.null_count == 0);
  CHECK(valid_out.array.buffers[0] == nullptr);

  const Column coded =
      DictionaryColumn{.indices = {.type = FixedType::u32,
                                   .data = context().upload(Words{0, 9, 1}).as<std::uint8_t>(),
                                   .validity = context().upload(Words{0b101}),
                                   .rows = 3},
                       .dictionary = upload_strings(context(), HostStrings{"no", "yes"})};
  const Exported coded_out(coded);
  CHECK(std::string(coded_out.schema.format) == "I");
  CHECK((read_numbers<std::uint32_t>(coded_out.array) ==
         Nullable<std::uint32_t>{0u, std::nullopt, 1u}));
}

TEST_CASE("arrow: children and dictionaries that were moved out outlive what they were part of") {
  Produced coded = produce<std::int32_t>("i", {1, 0}, 0, 0);
  coded.dictionary = {produce_strings<std::int32_t>({"no", "yes"}, 0)};
  const Produced p = produce_batch({produce<float>("f", {1.5f, 2.5f}, 0, 0.0f), coded}, 2, 0);
  ArrowArray array = array_of(p, nullptr);
  ArrowSchema schema = schema_of(p, nullptr);
  const Batch batch = import_batch(context(), array, schema);
  ArrowArray child, dictionary;
  ArrowSchema child_schema;
  {
    Exported out(batch);
    child = std::exchange(*out.array.children[0], {});
    dictionary = std::exchange(*out.array.children[1]->dictionary, {});
    child_schema = std::exchange(*out.schema.children[0], {});
  }
  CHECK((read_numbers<float>(child) == Nullable<float>{1.5f, 2.5f}));
  CHECK((read_strings<std::int32_t>(dictionary) == HostStrings{"no", "yes"}));
  CHECK(std::string(child_schema.format) == "f");
  child.release(&child);
  dictionary.release(&dictionary);
  child_schema.release(&child_schema);
}

TEST_CASE("arrow: a buffer of any type becomes a column, and results of primitives leave") {
  const Column column =
      FixedColumn{.type = FixedType::f32,
                  .data = context().upload(std::vector<float>{1, 2, 4}).as<std::uint8_t>(),
                  .rows = 3};
  const Exported out(column, {"y", false});
  CHECK(out.schema.flags == 0);
  CHECK(std::string(out.schema.name) == "y");
  CHECK((read_numbers<float>(out.array) == Nullable<float>{1.0f, 2.0f, 4.0f}));
}

}  // namespace vkprims::test

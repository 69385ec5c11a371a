// Tests of the errors of Arrow imports and exports.
#include <functional>
#include <limits>

#include "context/arrow_producer.hpp"
#include "context/context_support.hpp"
#include "support/support.hpp"
#include "vkprims/arrow.hpp"

namespace vkprims::test {
namespace {

using Parts = std::initializer_list<std::string>;
using Change = std::function<void(ArrowArray&, ArrowSchema&)>;

// Checks an import that must fail and nevertheless release what it was given. `change` is made to
// the structures after they were produced.
template <class Import>
void refuses(Import&& import, const Produced& p, Status::Code code, Parts words,
             const Change& change) {
  Releases releases;
  ArrowArray array = array_of(p, &releases);
  ArrowSchema schema = schema_of(p, &releases);
  if (change) change(array, schema);
  expect(code, words, [&] { import(array, schema); });
  CHECK(releases.arrays == 1);
  CHECK(releases.schemas == 1);
  CHECK(!is_alive(array));
  CHECK(!is_alive(schema));
}

void refuses_column(const Produced& p, Status::Code code, Parts words, const Change& change = {}) {
  refuses([](auto& a, auto& s) { (void)import_column(context(), a, s); }, p, code, words, change);
}
void refuses_batch(const Produced& p, Status::Code code, Parts words, const Change& change = {}) {
  refuses([](auto& a, auto& s) { (void)import_batch(context(), a, s); }, p, code, words, change);
}

constexpr Status::Code kInvalid = Status::invalid_argument;

Produced numbers() { return produce<std::int32_t>("i", {1, std::nullopt, 3}, 1, 0); }
Produced strings() { return produce_strings<std::int32_t>({"a", "bc", std::nullopt}, 1); }
Produced coded() {
  Produced p = produce<std::int8_t>("c", {0, 1, std::nullopt}, 0, 99);
  p.dictionary = {produce_strings<std::int32_t>({"no", "yes"}, 0)};
  return p;
}
Produced batch() {
  return {.format = "+s",
          .name = "",
          .length = 2,
          .null_count = 0,
          .offset = 1,
          .buffers = {std::nullopt},
          .children = {numbers(), strings()}};
}

// Produces offsets of three strings, of which the first one is at offset 1.
template <class Offset>
Produced with_offsets(const std::vector<Offset>& offsets) {
  Produced p = produce_strings<Offset>({"a", "bc", "d"}, 1);
  p.buffers[1] = bytes_of(offsets);
  return p;
}

FixedColumn fixed(std::vector<std::int32_t> values, std::uint64_t rows) {
  return {
      .type = FixedType::i32, .data = context().upload(values).as<std::uint8_t>(), .rows = rows};
}

// Checks an export that must fail and write nothing.
void refuses_export(const Column& column, const Field& field, Parts words) {
  ArrowArray array{.length = 77};
  ArrowSchema schema{.flags = 78};
  expect(kInvalid, words, [&] { export_column(context(), column, field, array, schema); });
  CHECK(array.length == 77);
  CHECK(schema.flags == 78);
}

}  // namespace

TEST_CASE("arrow: formats that are not imported are errors that name them") {
  for (const char* format : {"n", "z", "Z", "vu", "tdD", "d:19,10", "w:4", "+l", "+s", "", "ii"}) {
    Produced p = numbers();
    p.format = format;
    refuses_column(p, Status::unsupported, {"'x'", std::string("'") + format + "'"});
  }
  Produced p = coded();
  p.format = "f";
  refuses_column(p, kInvalid, {"'x'", "'f'", "integers"});
  p = coded();
  p.dictionary[0].format = "z";
  refuses_column(p, Status::unsupported, {"'x'", "dictionary", "'z'"});
  refuses_column(coded(), Status::unsupported, {"dictionary"},
                 [](auto&, ArrowSchema& s) { s.dictionary->dictionary = s.dictionary; });
  refuses_column(numbers(), kInvalid, {"no format"},
                 [](auto&, ArrowSchema& s) { s.format = nullptr; });
  refuses_batch(numbers(), kInvalid, {"'i'", "+s"});
}

TEST_CASE("arrow: numbers that an array cannot have are errors that name them") {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  for (const Produced& p : {numbers(), strings(), coded()}) {
    refuses_column(p, kInvalid, {"'x'", "length is -1"}, [](auto& a, auto&) { a.length = -1; });
    refuses_column(p, kInvalid, {"'x'", "offset is -5"}, [](auto& a, auto&) { a.offset = -5; });
    refuses_column(p, Status::unsupported, {"'x'", "2^56"},
                   [](auto& a, auto&) { a.length = huge; });
    refuses_column(p, Status::unsupported, {"'x'", "2^56"},
                   [](auto& a, auto&) { a.offset = huge; });
    refuses_column(p, Status::unsupported, {"'x'", "rows, at most"},
                   [](auto& a, auto&) { a.length = std::int64_t{1} << 55; });
    for (const std::int64_t nulls : {-2, 4}) {
      refuses_column(p, kInvalid, {"null_count is " + std::to_string(nulls), "-1 to 3"},
                     [&](auto& a, auto&) { a.null_count = nulls; });
    }
    for (const std::int64_t buffers : {-1, 1, 4}) {
      refuses_column(p, kInvalid, {"n_buffers is " + std::to_string(buffers)},
                     [&](auto& a, auto&) { a.n_buffers = buffers; });
    }
    refuses_column(p, kInvalid, {"n_children is 1"}, [](auto& a, auto&) { a.n_children = 1; });
    refuses_column(p, kInvalid, {"schema has -1 children"},
                   [](auto&, auto& s) { s.n_children = -1; });
  }
}

TEST_CASE("arrow: pointers that must not be null are errors that name them") {
  refuses_column(numbers(), kInvalid, {"'x'", "buffers is null"},
                 [](auto& a, auto&) { a.buffers = nullptr; });
  refuses_column(numbers(), kInvalid, {"'x'", "data is null"},
                 [](auto& a, auto&) { a.buffers[1] = nullptr; });
  refuses_column(numbers(), kInvalid, {"'x'", "null_count is 1", "validity"}, [](auto& a, auto&) {
    a.null_count = 1;
    a.buffers[0] = nullptr;
  });
  refuses_column(strings(), kInvalid, {"'x'", "offsets is null"},
                 [](auto& a, auto&) { a.buffers[1] = nullptr; });
  refuses_column(strings(), kInvalid, {"'x'", "string bytes is null"},
                 [](auto& a, auto&) { a.buffers[2] = nullptr; });
  refuses_column(coded(), kInvalid, {"'x'", "the array has none"},
                 [](auto& a, auto&) { a.dictionary = nullptr; });
  refuses_column(coded(), kInvalid, {"'x'", "the schema has none"},
                 [](auto&, auto& s) { s.dictionary = nullptr; });
}

TEST_CASE("arrow: string offsets that do not ascend from 0 are errors that name the row") {
  refuses_column(with_offsets<std::int32_t>({0, 4, 5, 4, 8}), kInvalid,
                 {"'x'", "row 1", "byte 5 to 4"});
  refuses_column(with_offsets<std::int32_t>({0, -4, 5, 7, 8}), kInvalid, {"row 0", "byte -4 to 5"});
  refuses_column(with_offsets<std::int32_t>({0, 4, 5, 7, -8}), kInvalid, {"row 2", "byte 7 to -8"});
  refuses_column(with_offsets<std::int64_t>({0, 4, 5, 4, 8}), kInvalid, {"row 1", "byte 5 to 4"});
  refuses_column(with_offsets<std::int64_t>({0, 4, 5, std::int64_t{1} << 40, 8}),
                 Status::unsupported, {"row 1", "at most 2147483647"});
  // Offsets before the array's offset are not looked at.
  Produced p = with_offsets<std::int32_t>({-9, 4, 5, 7, 8});
  ArrowArray array = array_of(p, nullptr);
  ArrowSchema schema = schema_of(p, nullptr);
  CHECK(rows_of(import_column(context(), array, schema)) == 3);
}

TEST_CASE("arrow: indices outside their dictionary are errors that name the row") {
  for (const std::int8_t index : {-1, 2, 127}) {
    Produced p = coded();
    p.buffers[1] = bytes_of(std::vector<std::int8_t>{0, index, 99});
    refuses_column(p, kInvalid, {"'x'", "row 1", "index " + std::to_string(index), "2 rows"});
  }
  Produced p = produce<std::uint64_t>("L", {std::uint64_t{1} << 32}, 0, 0);
  p.dictionary = coded().dictionary;
  refuses_column(p, kInvalid, {"row 0", "index 4294967296"});
  p = coded();
  p.dictionary[0].length = -1;
  refuses_column(p, kInvalid, {"'x.dictionary'", "length is -1"});
}

TEST_CASE("arrow: record batches whose parts do not fit are errors that name the column") {
  Produced p = batch();
  p.buffers[0] = Bytes{0x02};
  p.null_count = -1;
  refuses_batch(p, kInvalid, {"rows of the record batch itself are null"});
  p = batch();
  p.children[1].length = 2;
  p.children[1].name = "short";
  refuses_batch(p, kInvalid, {"'short'", "length is 2", "3 or more"});
  p = batch();
  p.children[0].offset = -1;
  refuses_batch(p, kInvalid, {"'x'", "offset is -1"});
  p = batch();
  p.children[1].format = "+s";
  refuses_batch(p, Status::unsupported, {"'x'", "'+s'"});

  refuses_batch(batch(), kInvalid, {"n_children is 1", "2"},
                [](auto& a, auto&) { a.n_children = 1; });
  refuses_batch(batch(), kInvalid, {"-2 children"}, [](auto&, auto& s) { s.n_children = -2; });
  refuses_batch(batch(), kInvalid, {"no pointers"}, [](auto&, auto& s) { s.children = nullptr; });
  refuses_batch(batch(), kInvalid, {"schema child 1"},
                [](auto&, auto& s) { s.children[1] = nullptr; });
  refuses_batch(batch(), kInvalid, {"children is null"},
                [](auto& a, auto&) { a.children = nullptr; });
  refuses_batch(batch(), kInvalid, {"'x'", "array is null"},
                [](auto& a, auto&) { a.children[1] = nullptr; });
  refuses_batch(batch(), kInvalid, {"'x'", "array has been released"},
                [](auto& a, auto&) { a.children[0]->release(a.children[0]); });
  refuses_batch(batch(), kInvalid, {"schema has been released"},
                [](auto&, auto& s) { s.children[0]->release(s.children[0]); });
}

TEST_CASE("arrow: what has been released is an error, and the other structure is released") {
  Releases releases;
  ArrowArray array = array_of(numbers(), &releases);
  ArrowSchema schema = schema_of(numbers(), &releases);
  schema.release(&schema);
  expect(kInvalid, {"schema has been released"},
         [&] { (void)import_column(context(), array, schema); });
  CHECK(releases.arrays == 1);
  CHECK(releases.schemas == 1);
  schema = schema_of(numbers(), &releases);
  expect(kInvalid, {"'x'", "array has been released"},
         [&] { (void)import_column(context(), array, schema); });
  CHECK(releases.arrays == 1);
  CHECK(releases.schemas == 2);
}

TEST_CASE("arrow: columns that are no valid arrays are errors, and nothing is written") {
  const Field field{"y", true};
  refuses_export(fixed({1, 2, 3}, 4), field, {"'y'", "data has 3 elements, needs 4"});
  FixedColumn wrong = fixed({1, 2, 3}, 3);
  wrong.type = static_cast<FixedType>('x');
  refuses_export(std::move(wrong), field, {"'y'", "FixedType"});
  FixedColumn short_validity = fixed(std::vector<std::int32_t>(33), 33);
  short_validity.validity = context().upload(Words{~0u});
  refuses_export(std::move(short_validity), field, {"validity has 1 elements, needs 2"});
  refuses_export(BitColumn{.bits = context().upload(Words{1}), .rows = 33}, field,
                 {"bits has 1 elements, needs 2"});
  FixedColumn huge = fixed({}, ~std::uint64_t{0});
  refuses_export(std::move(huge), field, {"rows, at most"});

  const auto chars = [] { return context().upload(Bytes{'a', 'b', 'c'}); };
  refuses_export(StringColumn(context().upload(Words{0, 2, 1}), chars(), {}, 3), field,
                 {"row 1", "byte 2 to 1"});
  refuses_export(StringColumn(context().upload(Words{0, 2, 4}), chars(), {}, 3), field,
                 {"row 1", "byte 2 to 4", "at most 3"});
  refuses_export(StringColumn(context().upload(Words{5, 5}), chars(), {}, 3), field,
                 {"row 0", "byte 5 to 5"});
  refuses_export(
      StringColumn(context().upload(std::vector<std::uint64_t>{0, ~0ull}), chars(), {}, 3), field,
      {"row 0", "at most 3"});

  for (const std::int32_t index : {-1, 1}) {
    refuses_export(DictionaryColumn{.indices = fixed({0, index}, 2),
                                    .dictionary = upload_strings(context(), HostStrings{"a"})},
                   field, {"row 1", "index", "1 rows"});
  }
  DictionaryColumn narrow{.indices = fixed({0}, 1),
                          .dictionary = upload_strings(context(), HostStrings{"a"})};
  narrow.indices.type = FixedType::i16;
  refuses_export(std::move(narrow), field, {"'y'", "i32 or u32"});

  const Field never_null{"y", false};
  refuses_export(upload_strings(context(), HostStrings{"a", std::nullopt}), never_null,
                 {"'y'", "1 rows are null"});
}

TEST_CASE("arrow: batches whose fields, columns and rows differ are errors") {
  ArrowArray array{};
  ArrowSchema schema{};
  Batch batch{.fields = {{"a"}, {"b"}}, .rows = 2};
  batch.columns.push_back(fixed({1, 2}, 2));
  expect(kInvalid, {"2 fields", "1 columns"},
         [&] { export_batch(context(), batch, array, schema); });
  batch.columns.push_back(fixed({1, 2, 3}, 3));
  expect(kInvalid, {"'b'", "3 rows", "batch of 2"},
         [&] { export_batch(context(), batch, array, schema); });
  // The second column fails after the first one has been read.
  batch.columns[1] =
      StringColumn(context().upload(Words{0, 2, 1}), context().upload(Bytes{'a', 'b'}), {}, 2);
  expect(kInvalid, {"'b'", "row 1"}, [&] { export_batch(context(), batch, array, schema); });
  CHECK(!is_alive(array));
  CHECK(!is_alive(schema));
}

}  // namespace vkprims::test

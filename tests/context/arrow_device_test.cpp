// Tests of Arrow imports and exports in device memory.
#include <utility>

#include "context/arrow_producer.hpp"
#include "context/context_support.hpp"
#include "support/support.hpp"
#include "vkprims/arrow.hpp"

namespace vkprims::test {
namespace {

const HostStrings kStrings = {"a", "", std::nullopt, "größe"};
const std::vector<std::int64_t> kNumbers = {1, -2, 3, -4};

FixedColumn numbers(Context& c) {
  return {.type = FixedType::i64, .data = c.upload(kNumbers).as<std::uint8_t>(), .rows = 4};
}

DictionaryColumn coded(Context& c) {
  return {.indices = {.type = FixedType::u32,
                      .data = c.upload(Words{1, 0, 9, 1}).as<std::uint8_t>(),
                      .validity = c.upload(Words{0b1011}),
                      .rows = 4},
          .dictionary = upload_strings(c, HostStrings{"no", "yes"}),
          .ordered = true};
}

BitColumn bits(Context& c) { return {.bits = c.upload(Words{0b0110}), .rows = 4}; }

Batch batch_of_all(Context& c) {
  Batch batch{.fields = {{"n", false}, {"b", false}, {"s", true}, {"d", true}}, .rows = 4};
  batch.columns.push_back(numbers(c));
  batch.columns.push_back(bits(c));
  batch.columns.push_back(upload_strings(c, kStrings, IndexWidth::u64));
  batch.columns.push_back(coded(c));
  return batch;
}

std::vector<std::int64_t> download_numbers(Context& c, FixedColumn& column) {
  auto typed = std::move(column.data).as<std::int64_t>();
  auto values = c.download(typed);
  column.data = std::move(typed).as<std::uint8_t>();
  return values;
}

// Structures that are released at the end of a scope if they are still alive.
struct Handed {
  Handed() = default;
  Handed(const Handed&) = delete;
  ~Handed() {
    if (array.array.release) array.array.release(&array.array);
    if (schema.release) schema.release(&schema);
  }
  ArrowDeviceArray array{};
  ArrowSchema schema{};
};

void refuses(Context& c, Handed& handed, Status::Code code,
             std::initializer_list<std::string> words) {
  const bool alive = is_alive(handed.array.array);
  expect(code, words, [&] { (void)import_column(c, handed.array, handed.schema); });
  CHECK(is_alive(handed.array.array) == alive);
  CHECK(is_alive(handed.schema));
}

}  // namespace

TEST_CASE("arrow device: a batch goes and comes back in the same memory") {
  Clean context;
  Batch batch = batch_of_all(context);
  const VkDeviceAddress data = std::get<FixedColumn>(batch.columns[0]).data.address();
  const ContextStatistics before = context.statistics();

  Handed handed;
  export_batch(context, std::move(batch), handed.array, handed.schema);
  CHECK(batch.columns.empty());
  CHECK(handed.array.device_type == ARROW_DEVICE_VULKAN);
  CHECK(handed.array.sync_event == nullptr);
  for (const std::int64_t reserved : handed.array.reserved) CHECK(reserved == 0);
  const ArrowArray& array = handed.array.array;
  CHECK(array.length == 4);
  REQUIRE(array.n_children == 4);
  CHECK(reinterpret_cast<std::uintptr_t>(array.children[0]->buffers[1]) == data);
  CHECK(array.children[0]->buffers[0] == nullptr);
  CHECK(array.children[0]->null_count == 0);
  CHECK(array.children[2]->n_buffers == 3);
  CHECK(array.children[2]->buffers[0] != nullptr);
  CHECK(array.children[2]->null_count == -1);
  CHECK(array.children[3]->dictionary->length == 2);
  CHECK(std::string(handed.schema.children[2]->format) == "U");
  CHECK(std::string(handed.schema.children[3]->format) == "I");
  CHECK(handed.schema.children[0]->flags == 0);

  // This is a move, as the interface defines it.
  ArrowDeviceArray moved = std::exchange(handed.array, {});
  Batch back = import_batch(context, moved, handed.schema);
  CHECK(!is_alive(moved.array));
  CHECK(!is_alive(handed.schema));
  CHECK(context.statistics().device_allocations == before.device_allocations);
  CHECK(context.statistics().live_buffers == before.live_buffers);
  CHECK(context.statistics().submissions == before.submissions);

  REQUIRE(back.columns.size() == 4);
  CHECK(back.rows == 4);
  CHECK(back.fields[3].name == "d");
  CHECK(back.fields[3].nullable);
  CHECK(!back.fields[0].nullable);
  auto& fixed = std::get<FixedColumn>(back.columns[0]);
  CHECK(fixed.data.address() == data);
  CHECK(download_numbers(context, fixed) == kNumbers);
  CHECK((download_bits(context, std::get<BitColumn>(back.columns[1])) ==
         std::vector<std::optional<bool>>{false, true, true, false}));
  CHECK((download_strings(context, std::get<StringColumn>(back.columns[2])) == kStrings));
  const auto& dictionary = std::get<DictionaryColumn>(back.columns[3]);
  CHECK(dictionary.ordered);
  CHECK((download_strings(context, dictionary.dictionary) == HostStrings{"no", "yes"}));
  CHECK(context.download(dictionary.indices.validity) == Words{0b1011});
}

TEST_CASE("arrow device: every kind of column comes back by itself") {
  Clean context;
  const auto round_trip = [&](Column column) {
    Handed handed;
    export_column(context, std::move(column), {"c", true}, handed.array, handed.schema);
    Field field;
    Column back = import_column(context, handed.array, handed.schema, &field);
    CHECK(field.name == "c");
    CHECK(!is_alive(handed.array.array));
    CHECK(!is_alive(handed.schema));
    return back;
  };
  for (int twice = 0; twice < 2; ++twice) {
    Column column = round_trip(round_trip(numbers(context)));
    CHECK(download_numbers(context, std::get<FixedColumn>(column)) == kNumbers);
    column = round_trip(bits(context));
    CHECK(std::get<BitColumn>(column).rows == 4);
    column = round_trip(upload_strings(context, kStrings));
    CHECK((download_strings(context, std::get<StringColumn>(column)) == kStrings));
    column = round_trip(coded(context));
    CHECK(std::get<DictionaryColumn>(column).dictionary.rows() == 2);
    CHECK(rows_of(round_trip(StringColumn())) == 0);
    CHECK(rows_of(round_trip(FixedColumn())) == 0);
  }
}

TEST_CASE("arrow device: device_id counts as vkEnumeratePhysicalDevices does") {
  Clean context;
  Handed handed;
  export_column(context, bits(context), {}, handed.array, handed.schema);
  const std::vector<DeviceEntry> entries = list_devices();
  REQUIRE(handed.array.device_id >= 0);
  REQUIRE(handed.array.device_id < static_cast<std::int64_t>(entries.size()));
  CHECK(entries[static_cast<std::size_t>(handed.array.device_id)].name ==
        context.properties().deviceName);
}

TEST_CASE("arrow device: releasing an array frees its memory, with or without parts of it") {
  Clean context;
  Handed handed;
  export_batch(context, batch_of_all(context), handed.array, handed.schema);
  const std::uint64_t all = context.statistics().live_buffers;
  ArrowArray child = std::exchange(*handed.array.array.children[1], {});
  handed.array.array.release(&handed.array.array);
  CHECK(all > 1);
  CHECK(context.statistics().live_buffers == 1);
  child.release(&child);
  CHECK(context.statistics().live_buffers == 0);
}

TEST_CASE("arrow device: results that the GPU has not finished are waited for") {
  Clean context;
  Handed handed;
  auto words = context.allocate<std::uint32_t>(100000);
  const Job job = context.submit([&](Recorder& r) { iota(r, {}, words); });
  export_column(
      context,
      FixedColumn{
          .type = FixedType::u32, .data = std::move(words).as<std::uint8_t>(), .rows = 100000},
      {}, handed.array, handed.schema);
  CHECK(job.done());
}

TEST_CASE("arrow device: arrays of others are refused, and stay with the caller") {
  Clean context;
  Releases releases;
  const Produced p = produce<std::int32_t>("i", {1, 2, 3}, 0, 0);
  Handed handed;
  handed.array.array = array_of(p, &releases);
  handed.schema = schema_of(p, &releases);
  handed.array.device_type = ARROW_DEVICE_CUDA;
  refuses(context, handed, Status::unsupported, {"'x'", "device_type is 2", "7"});
  handed.array.device_type = ARROW_DEVICE_VULKAN;
  refuses(context, handed, Status::unsupported, {"'x'", "does not come from export_column"});
  CHECK(releases.arrays == 0);
  CHECK(releases.schemas == 0);
}

TEST_CASE("arrow device: an array comes back to its own Context only") {
  Clean context;
  Clean other;
  Handed handed;
  export_column(context, numbers(context), {"n", true}, handed.array, handed.schema);
  refuses(other, handed, Status::invalid_argument, {"'n'", "another Context"});
  Column back = import_column(context, handed.array, handed.schema);
  CHECK(download_numbers(context, std::get<FixedColumn>(back)) == kNumbers);
}

TEST_CASE("arrow device: what is not the whole array that was exported is refused") {
  Clean context;
  Handed handed;
  export_column(context, coded(context), {"d", true}, handed.array, handed.schema);
  ArrowArray& array = handed.array.array;
  constexpr auto kInvalid = Status::invalid_argument;
  array.offset = 1;
  refuses(context, handed, Status::unsupported, {"'d'", "length 4 at offset 1", "4 rows"});
  array.offset = 0;
  array.length = 3;
  refuses(context, handed, Status::unsupported, {"'d'", "length 3 at offset 0", "4 rows"});
  array.length = 4;

  handed.schema.dictionary->format = "U";
  refuses(context, handed, kInvalid, {"'d'", "dictionaries differ"});
  handed.schema.dictionary->format = "u";
  handed.schema.format = "i";
  refuses(context, handed, kInvalid, {"'d'", "schema's format is i, the array's is I"});
  handed.schema.format = "I";
  ArrowSchema* const dictionary_schema = std::exchange(handed.schema.dictionary, nullptr);
  refuses(context, handed, kInvalid, {"'d'", "dictionaries differ"});
  handed.schema.dictionary = dictionary_schema;

  {
    ArrowArray dictionary = std::exchange(*array.dictionary, {});
    refuses(context, handed, kInvalid, {"'d.dictionary'", "moved elsewhere"});
    *array.dictionary = dictionary;
  }
  CHECK(rows_of(import_column(context, handed.array, handed.schema)) == 4);

  export_batch(context, batch_of_all(context), handed.array, handed.schema);
  const auto refuses_batch = [&](std::initializer_list<std::string> words) {
    expect(kInvalid, words, [&] { (void)import_batch(context, handed.array, handed.schema); });
    CHECK(is_alive(handed.array.array));
    CHECK(is_alive(handed.schema));
  };
  handed.schema.n_children = 3;
  refuses_batch({"no record batch of 3 columns"});
  handed.schema.n_children = 4;
  ArrowArray child = std::exchange(*handed.array.array.children[2], {});
  refuses_batch({"'s'", "moved elsewhere"});
  *handed.array.array.children[2] = child;
  CHECK(import_batch(context, handed.array, handed.schema).rows == 4);
}

TEST_CASE(
    "arrow device: a device array is not taken for one of host memory, nor a batch for a column") {
  Clean context;
  Handed handed;
  export_column(context, numbers(context), {"n", true}, handed.array, handed.schema);
  expect(Status::invalid_argument, {"'n'", "device memory"},
         [&] { (void)import_column(context, handed.array.array, handed.schema); });
  CHECK(!is_alive(handed.array.array));

  Handed batch;
  export_batch(context, batch_of_all(context), batch.array, batch.schema);
  Handed column;
  export_column(context, numbers(context), {"n", true}, column.array, column.schema);
  expect(Status::invalid_argument, {"'n'", "array's is +"},
         [&] { (void)import_column(context, batch.array, column.schema); });
  expect(Status::invalid_argument, {"no record batch"},
         [&] { (void)import_batch(context, column.array, batch.schema); });
}

TEST_CASE("arrow device: a column that cannot be exported stays where it is") {
  Clean context;
  Handed handed;
  Column column = numbers(context);
  std::get<FixedColumn>(column).rows = 5;
  expect(Status::invalid_argument, {"'n'", "needs 5"}, [&] {
    export_column(context, std::move(column), {"n", true}, handed.array, handed.schema);
  });
  CHECK(!is_alive(handed.array.array));
  CHECK(!is_alive(handed.schema));
  CHECK(std::get<FixedColumn>(column).data.size() == 32);
  Batch batch = batch_of_all(context);
  batch.rows = 5;
  expect(Status::invalid_argument, {"'n'", "batch of 5"},
         [&] { export_batch(context, std::move(batch), handed.array, handed.schema); });
  CHECK(batch.columns.size() == 4);
}

}  // namespace vkprims::test

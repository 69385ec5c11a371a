// Values of rows by kernels that are not part of the library, through
// vkprims_add_string_kernel(… MODE map).
#include <charconv>
#include <cstring>

#include "strings/hostile.hpp"
#include "strings/layouts.hpp"
#include "support/spirv_reader.hpp"
#include "support/turns.hpp"
#include "support/wrong_input.hpp"
#include "vkprims-tests/digest.hpp"
#include "vkprims-tests/follows.hpp"
#include "vkprims-tests/hash.hpp"
#include "vkprims-tests/number.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

using oracle::strings::Bools;
using oracle::strings::Numbers;
using own::digest::Digest;
using strings::MapStringsDesc;

constexpr std::uint32_t kHashOfNull = 0x7ee3623a;
constexpr Digest kDigestOfNull{0, 1, {2, 3}, 0xffffffff, 5};

std::uint32_t hash_of(const std::optional<std::string>& row) {
  if (!row) return kHashOfNull;
  std::uint32_t hash = 0x811c9dc5;
  for (const char byte : *row) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x01000193;
  return hash;
}

std::vector<std::uint32_t> hashes_of(const HostStrings& rows) {
  std::vector<std::uint32_t> hashes;
  for (const auto& row : rows) hashes.push_back(hash_of(row));
  return hashes;
}

std::optional<std::int32_t> number_of(const std::optional<std::string>& row) {
  std::int32_t number = 0;
  const std::size_t digits = row ? row->size() - (row->rfind('-', 0) == 0) : 0;
  if (digits == 0 || digits > 9) return {};
  const auto [end, error] = std::from_chars(row->data(), row->data() + row->size(), number);
  if (error != std::errc() || end != row->data() + row->size()) return {};
  return number;
}

Digest digest_of(const std::optional<std::string>& row, std::uint32_t i) {
  if (!row) return kDigestOfNull;
  Digest x{.row = i, .bytes = static_cast<std::uint32_t>(row->size())};
  for (std::size_t k = 0; k < row->size(); ++k) {
    const std::uint64_t byte = static_cast<std::uint8_t>((*row)[k]);
    x.sum += byte;
    x.weighted += (k + 1) * byte;
  }
  std::memcpy(x.first, row->data(), std::min<std::size_t>(row->size(), sizeof x.first));
  return x;
}

// What the kernel "follows" says of two rows: their first bytes decide.
bool follows(const std::string& a, const std::string& b) {
  std::string x = a + ",", y = b + ".";
  x.resize(3), y.resize(3);
  return std::memcmp(x.data(), y.data(), 3) < 0;
}

std::vector<std::uint32_t> validity_of(const HostStrings& rows) {
  std::vector<std::uint32_t> words((rows.size() + 31) / 32);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i]) words[i / 32] |= 1u << i % 32;
  }
  return words;
}

// Returns the values of a column, and checks their validity.
template <class T>
std::vector<T> values_of(const StringColumnView& a, const MapStringsDesc& desc,
                         const std::vector<std::uint32_t>& validity) {
  const Guarded values(sizeof(T) * a.rows, 4), bits(bit_bytes(a.rows), 8);
  const DirtyScratch scratch(strings::map_scratch(device(), desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_map(
        cmd, device(), desc,
        {.a = a, .out = values.view(), .validity = bits.view(), .scratch = scratch.get()}));
  });
  CHECK(bits.read<std::uint32_t>() == validity);
  return values.read<T>();
}

void check_hashes(const HostStrings& rows, const Placement& in) {
  const PlacedColumn column(rows, in);
  CHECK(values_of<std::uint32_t>(column.view(), own::hash::described({}), validity_of(rows)) ==
        hashes_of(rows));
}

}  // namespace

TEST_CASE("strings own map: a number of each row, of every shape, alignment, number and length") {
  for_each_layout(kOneSchedule, [&](const HostStrings& rows, const Layout& layout) {
    if (layout.long_rows) forgive_turns("an invocation makes the value of a whole row");
    check_hashes(rows, layout.in);
  });
}

TEST_CASE("strings own map: rows that the kernel makes null") {
  const Device& d = device();
  const HostStrings some{"7",   "-12", "",    "-",         "99x",        std::nullopt,
                         "007", "-0",  "1e3", "123456789", "1234567890", "-999999999"};
  for_each_count(kOneSchedule, [&](const HostStrings& random, const Layout& layout) {
    HostStrings rows;
    for (std::size_t i = 0; i < random.size(); ++i) rows.push_back(some[i % some.size()]);
    Numbers expected(rows.size());
    std::transform(rows.begin(), rows.end(), expected.begin(), number_of);
    const PlacedColumn column(rows, layout.in);
    const PlacedRows result(rows.size(), 4 * rows.size());
    const DirtyScratch scratch(own::number::scratch(d, {}));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(own::number::record(cmd, d, {},
                                         {.a = column.view(),
                                          .out = result.values(),
                                          .validity = result.validity(),
                                          .scratch = scratch.get()}));
    });
    CHECK(difference(result.numbers(), expected) == "");
  });
}

TEST_CASE("strings own map: bits of the rows of two columns, texts and numbers") {
  const Device& d = device();
  constexpr std::uint32_t kAlways = 3;
  const MapStringsDesc desc{.text = ",", .more_text = ".", .constant = kAlways};
  for_each_count(kOneSchedule, [&](const HostStrings& a, const Layout& layout) {
    const StringsShape shape{.max_bytes = 3, .nulls = a.size() % 2 ? 10u : 0u};
    const HostStrings b = random_strings(a.size(), 77, shape);
    std::vector<std::uint32_t> numbers(a.size());
    Bools expected(a.size());
    for (std::uint32_t i = 0; i < a.size(); ++i) {
      numbers[i] = i % 7;
      if (a[i] && b[i]) expected[i] = numbers[i] == kAlways || follows(*a[i], *b[i]);
    }
    const PlacedColumn first(a, layout.in), second(b, {.chars_at = 1});
    const Guarded indices(numbers);
    const PlacedRows result(a.size(), bit_bytes(a.size()));
    const DirtyScratch scratch(own::follows::scratch(d, desc));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(own::follows::record(cmd, d, desc,
                                          {.a = first.view(),
                                           .b = second.view(),
                                           .indices = indices.view(),
                                           .out = result.values(),
                                           .validity = result.validity(),
                                           .scratch = scratch.get()}));
    });
    CHECK(difference(result.bits(), expected) == "");
  });
}

TEST_CASE("strings own map: structs of 32 bytes, without a wish for validity") {
  const Device& d = device();
  if (!d.state()->info.enabled.int64) {
    MESSAGE("skipped: needs int64");
    return;
  }
  for (const std::uint64_t n : {std::uint64_t{1}, strings_tile_at_most(d) * 4 + 5}) {
    const HostStrings rows = random_strings(n, 5, {.max_bytes = 40, .nulls = 10});
    const PlacedColumn column(rows, {.width = IndexWidth::u64});
    const Guarded values(sizeof(Digest) * n, 4);
    const DirtyScratch scratch(own::digest::scratch(d, {}));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(own::digest::record(
          cmd, d, {}, {.a = column.view(), .out = values.view(), .scratch = scratch.get()}));
    });
    const std::vector<Digest> got = values.read<Digest>();
    std::uint64_t wrong = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const Digest expected = digest_of(rows[i], i);
      wrong += std::memcmp(&got[i], &expected, sizeof expected) != 0;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("strings own map: offsets that are not what they should be") {
  const std::string text = "some text whose rows may be anywhere";
  const Guarded chars(std::vector<std::uint8_t>(text.begin(), text.end()));
  for (const auto& wide : hostile_offsets(300, text.size())) {
    const Guarded offsets(wide);
    const StringColumnView column{.offsets = offsets.view(),
                                  .chars = chars.view(),
                                  .rows = 300,
                                  .offset_width = IndexWidth::u64};
    const HostStrings rows = cut_rows(wide, text);
    CHECK(values_of<std::uint32_t>(column, own::hash::described({}), validity_of(rows)) ==
          hashes_of(rows));
  }
}

TEST_CASE("strings own map: as a step of a Recorder") {
  const StringColumn a = upload_strings(context(), HostStrings{"12", "", "-3", "b"});
  const StringColumn b = upload_strings(context(), HostStrings{"13", "", std::nullopt, "a"});
  const auto numbers = context().upload(std::vector<std::uint32_t>{0, 3, 3, 1});
  strings::ValueColumn<std::uint32_t> hashes, with_null;
  strings::ValueColumn<std::int32_t> parsed;
  BitColumn bits;
  context().run([&](Recorder& r) {
    hashes = own::hash::make(r, {}, {a});
    with_null = own::hash::make(r, {}, {b});
    parsed = own::number::make(r, {}, {a});
    bits = own::follows::make(r, {.constant = 3}, {a, b}, numbers.view());
  });
  CHECK(context().download(hashes.values) == hashes_of({"12", "", "-3", "b"}));
  CHECK(hashes.validity.size() == 0);
  CHECK(context().download(with_null.values)[2] == kHashOfNull);
  CHECK(context().download(with_null.validity) == std::vector<std::uint32_t>{0b1011});
  CHECK(context().download(parsed.values) == std::vector<std::int32_t>{12, 0, -3, 0});
  CHECK(context().download(parsed.validity) == std::vector<std::uint32_t>{0b0101});
  CHECK(context().download(bits.bits) == std::vector<std::uint32_t>{0b0011});
  CHECK(context().download(bits.validity) == std::vector<std::uint32_t>{0b1011});
  CHECK(bits.rows == 4);
}

TEST_CASE("strings own map: wrong input is refused by name before anything is recorded") {
  const Device& d = device();
  const std::uint64_t n = 100;
  const PlacedColumn a(HostStrings(n, "a"), {}), b(HostStrings(n, "b"), {});
  const Guarded numbers(std::vector<std::uint32_t>(n, 0)), out(bit_bytes(n)), bits(bit_bytes(n));
  const MapStringsDesc good = own::follows::described({.text = ","});
  const DirtyScratch scratch(strings::map_scratch(d, good));
  const strings::MapStringsBuffers buffers{.a = a.view(),
                                           .b = b.view(),
                                           .indices = numbers.view(),
                                           .out = out.view(),
                                           .validity = bits.view(),
                                           .scratch = scratch.get()};
  const WrongInput wrong(d, &strings::record_map, good, buffers);
  wrong.anywhere();
  wrong.scratch("map_scratch()");
  wrong.desc({"kernel.spirv is null"}, [](auto& x) { x.kernel.spirv = nullptr; });
  wrong.desc({"kernel.value_bytes is 6", "0 … 32"}, [](auto& x) { x.kernel.value_bytes = 6; });
  wrong.desc({"kernel.value_bytes is 36", "0 … 32"}, [](auto& x) { x.kernel.value_bytes = 36; });
  wrong.desc({"kernel.columns is 0", "1 or 2"}, [](auto& x) { x.kernel.columns = 0; });
  wrong.desc({"kernel.columns is 3", "1 or 2"}, [](auto& x) { x.kernel.columns = 3; });
  wrong.desc({"out.bytes is 16", "3200"}, [](auto& x) { x.kernel.value_bytes = 32; });
  const std::string long_text(66'000, 'x');
  wrong.desc({"scalars", "65536"}, [&](auto& x) { x.text = long_text; });
  wrong.buffers({"a.rows is 2147483648", "2147483647"},
                [](auto& x) { x.a.rows = kMaxStringRows + 1; });
  wrong.buffers({"b.rows is 99", "100"}, [](auto& x) { x.b.rows = 99; });
  wrong.buffers({"b.offsets.address is 0"}, [](auto& x) { x.b.offsets.address = 0; });
  wrong.buffers({"indices.address", "multiple of 4"}, [](auto& x) { x.indices.address += 2; });
  wrong.buffers({"out.address", "multiple of 4"}, [](auto& x) { x.out.address += 2; });
  wrong.buffers({"out.address is 0"}, [](auto& x) { x.out.address = 0; });
  wrong.buffers({"validity [", "out [", "overlap"}, [](auto& x) { x.validity = x.out; });

  // Features are asked for before memory.
  DeviceInfo info = d.state()->info;
  info.enabled.int64 = info.enabled.int64_atomics = info.enabled.float64 = false;
  Device narrow;
  throw_if_error(create_device(info, limits(), narrow));
  MapStringsDesc bad = good;
  bad.kernel.has_float64 = true;
  for (const auto& [desc, feature] :
       {std::pair{own::digest::described({}), "int64"}, std::pair{bad, "float64"}}) {
    expect_error(Status::unsupported, {"needs Features::", feature}, [&](VkCommandBuffer cmd) {
      return strings::record_map(cmd, narrow, desc, buffers);
    });
  }
  CHECK(strings::map_scratch(Device(), good).bytes == 0);
  bad.text = long_text;
  CHECK(strings::map_scratch(d, bad).bytes == 0);
  CHECK(push_matches(*own::hash::kernel.spirv, sizeof(abi::VkpStringsPush)));
}

TEST_CASE("strings own map: warm_up compiles all that recording needs") {
  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device cold;
  throw_if_error(create_device(info, limits(), cold));
  const PlacedColumn plain({"a", "b"}, {}), nullable({"a", std::nullopt}, {}),
      wide({"a", "b"}, {.width = IndexWidth::u64});
  const Guarded values(8), bits(4);
  const DirtyScratch scratch(own::hash::scratch(cold, {}));
  const auto record = [&](VkCommandBuffer cmd, const PlacedColumn& column, BufferView validity) {
    return own::hash::record(
        cmd, cold, {},
        {.a = column.view(), .out = values.view(), .validity = validity, .scratch = scratch.get()});
  };
  expect_error(Status::not_warmed, {"warm_up"},
               [&](VkCommandBuffer cmd) { return record(cmd, plain, {}); });
  throw_if_error(own::hash::warm_up(cold, {}));
  for (const PlacedColumn* column : {&plain, &nullable, &wide}) {
    for (const BufferView& validity : {BufferView{}, bits.view()}) {
      context().run([&](Recorder& r) {
        r.commands([&](VkCommandBuffer cmd) { throw_if_error(record(cmd, *column, validity)); });
      });
    }
  }
  CHECK(values.read<std::uint32_t>() == hashes_of({"a", "b"}));
  CHECK(own::hash::warm_up(Device(), {}).code() == Status::invalid_argument);
}

TEST_CASE("strings own map: smoke" * doctest::test_suite("smoke")) {
  check_hashes(random_strings(600, 1, {.nulls = 10}), {});
}

}  // namespace vkprims::test

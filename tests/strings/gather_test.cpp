// Tests of strings::gather.
#include "oracles/strings/copying.hpp"
#include "strings/layouts.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

using Indices = std::vector<std::uint32_t>;

// Returns indices into n rows, some of them past the last row.
Indices random_indices(std::size_t count, std::size_t n, std::uint32_t seed) {
  Indices indices = random_values<std::uint32_t>(count, seed);
  for (std::uint32_t& i : indices) {
    if (i % 16 != 0 && n != 0) i %= static_cast<std::uint32_t>(n);
  }
  return indices;
}

void check_gather(const HostStrings& rows, const Indices& indices, const Layout& layout) {
  const strings::GatherStringsDesc desc{.schedule = layout.schedule};
  const Device& d = device();
  const PlacedColumn column(rows, layout.in);
  const Guarded placed(indices, 4);
  check_rows(oracle::strings::gather(rows, indices), layout.to,
             strings::gather_scratch(d, desc, indices.size()),
             [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
               return strings::record_gather(
                   cmd, d, desc,
                   {.in = column.view(), .indices = placed.view(), .out = out, .scratch = scratch});
             });
}

void check_gathered_bytes(const Device& d, const HostStrings& rows, const Indices& indices,
                          const Placement& in, std::uint64_t expected) {
  const PlacedColumn column(rows, in);
  const Guarded placed(indices, 4), out(8, 8);
  const DirtyScratch scratch(strings::gathered_bytes_scratch(d, {}, indices.size()));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_gathered_bytes(cmd, d, {},
                                                  {.in = column.view(),
                                                   .indices = placed.view(),
                                                   .out = out.view(),
                                                   .scratch = scratch.get()}));
  });
  CHECK(out.read<std::uint64_t>()[0] == expected);
}

}  // namespace

TEST_CASE("strings gather: rows of every shape, alignment, number and length") {
  for_each_layout(kRopeSchedules, [&](const HostStrings& rows, const Layout& layout) {
    Indices indices = random_indices(rows.size(), rows.size(), 1);
    if (layout.long_rows) {
      // Long rows remain few.
      for (std::size_t i = 0; i < indices.size(); ++i) {
        indices[i] = static_cast<std::uint32_t>(i % 200 == 0 ? 37 : i % 30);
      }
    }
    check_gather(rows, indices, layout);
  });
}

TEST_CASE("strings gather: more rows and fewer than there are, none, the same one, none of them") {
  const HostStrings rows = random_strings(700, 1, {.nulls = 20});
  const std::uint64_t tile = strings_tile(device());
  for (const std::uint64_t count :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{33}, tile, 4 * tile + 1}) {
    CAPTURE(count);
    check_gather(rows, random_indices(count, rows.size(), 2), layout(count, Schedule::look_back));
    check_gather(rows, Indices(count, 3), {});
    check_gather(rows, Indices(count, 700), {});
    check_gather(rows, Indices(count, 0xffffffff), {});
    check_gather({}, Indices(count, 0), {});
  }
}

TEST_CASE("strings gather: as many indices as a count on the GPU says, null behind them") {
  const Device& d = device();
  const HostStrings rows = random_strings(700, 4, {.nulls = 20});
  const std::uint64_t tile = strings_tile(d), max = 2 * tile + 77;
  const Indices indices = random_indices(max, rows.size(), 5);
  const PlacedColumn column(rows, {});
  const Guarded placed(indices, 4);
  std::uint32_t i = 0;
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{31}, tile - 1,
                                tile, tile + 1, max - 1, max, max + 1, std::uint64_t{1} << 32}) {
    CAPTURE(n);
    const auto narrow = device_count(static_cast<std::uint32_t>(std::min(n, max + 1)));
    const auto wide = device_count(n);
    for (const CountWidth width : {CountWidth::u32, CountWidth::u64}) {
      const auto address = width == CountWidth::u32 ? narrow.address() : wide.address();
      const strings::GatherStringsDesc desc{.schedule = kRopeSchedules[i++ / 2 % 2],
                                            .count = {max, address, width}};
      check_rows(
          oracle::strings::gather(rows, indices, n), layout(i, desc.schedule).to,
          strings::gather_scratch(d, desc, max),
          [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
            return strings::record_gather(
                cmd, d, desc,
                {.in = column.view(), .indices = placed.view(), .out = out, .scratch = scratch});
          });
    }
  }
}

TEST_CASE("strings gather: fewer indices than there is memory, from the host") {
  const Device& d = device();
  const HostStrings rows = random_strings(50, 4, {.nulls = 20});
  const Indices indices = random_indices(100, rows.size(), 5);
  const PlacedColumn column(rows, {});
  const Guarded placed(indices, 4);
  const strings::GatherStringsDesc desc{.count = 61};
  check_rows(oracle::strings::gather(rows, Indices(indices.begin(), indices.begin() + 61)), {},
             strings::gather_scratch(d, desc, 61),
             [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
               return strings::record_gather(
                   cmd, d, desc,
                   {.in = column.view(), .indices = placed.view(), .out = out, .scratch = scratch});
             });
}

TEST_CASE("strings gather: how many bytes it makes is counted, of any number of rows") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : {0, 1, 33, 128, 700, 20'000}) {
      CAPTURE(n);
      const HostStrings rows = random_strings(n / 2, 1, {.nulls = 20, .invalid = 10});
      const Indices indices = random_indices(n, rows.size(), 2);
      check_gathered_bytes(d, rows, indices, layout(n, {}).in,
                           PlacedResult::bytes_of(oracle::strings::gather(rows, indices)));
    }
    // The result has more bytes than 32 bits can number.
    check_gathered_bytes(d, {std::string(9 << 20, 'x'), "small"}, Indices(600, 0), {},
                         600ull * (9 << 20));
  }
}

TEST_CASE("strings gather: with a Context there is room for just what comes out") {
  const HostStrings rows = random_strings(300, 1, {.nulls = 10});
  const Indices indices = random_indices(900, 300, 3);
  const HostStrings expected = oracle::strings::gather(rows, indices);
  const auto in = upload_strings(context(), rows);
  const auto result = strings::gather(context(), in, context().upload(indices));
  CHECK(result.byte_bound() == PlacedResult::bytes_of(expected));
  CHECK(difference(download_strings(context(), result), expected) == "");
  const auto none = strings::gather(context(), in, context().allocate<std::uint32_t>(0));
  CHECK(none.rows() == 0);
  CHECK(none.byte_bound() == 0);
}

TEST_CASE("strings gather: smoke" * doctest::test_suite("smoke")) {
  const HostStrings rows = random_strings(300, 1, {.nulls = 10});
  // (One schedule is enough: instrumented, each of these kernels takes lavapipe a minute to
  // compile.)
  check_gather(rows, random_indices(600, 300, 3), layout(3, Schedule::look_back));
  check_gathered_bytes(device(), {"a", "bc", std::nullopt}, {1, 1, 2, 9, 0}, {}, 5);
}

}  // namespace vkprims::test

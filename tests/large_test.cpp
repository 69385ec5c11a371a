// Sequences past 2^32 bytes, on devices that hold them.
#include "support/large.hpp"

#include "compact/compact/compact.abi.h"

namespace vkprims::test {

using namespace large;

TEST_CASE("large: sequences past 2^32 bytes, with one contiguous address, at every primitive") {
  constexpr std::uint64_t n = kWords;
  if (!holds(4 * n * sizeof(std::uint32_t))) return;
  const Device& d = device();
  const auto a = context().allocate<std::uint32_t>(n + 1),
             b = context().allocate<std::uint32_t>(n + 1);
  const auto sums = context().allocate<std::uint64_t>(4);
  const ReduceDesc desc{.count = n};
  const DirtyScratch scratch(reduce_scratch(d, desc));
  // These are 0 + 1 + … + (n - 1) modulo 2^32, and n times 7.
  const std::uint32_t expected =
      static_cast<std::uint32_t>((n % 2 ? n * ((n - 1) / 2) : (n / 2) * (n - 1)));
  for (const std::uint64_t offset : {0, 1}) {
    CAPTURE(offset);
    const auto from = a.slice(offset, n), to = b.slice(1 - offset, n);
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_iota(cmd, d, {.count = n}, {from.view(), {}}));
      throw_if_error(record_barrier(cmd, d));
      throw_if_error(record_copy(cmd, d, {4, n}, {from.view(), to.view(), {}}));
      throw_if_error(record_barrier(cmd, d));
      throw_if_error(record_reduce(cmd, d, desc, {to.view(), {sums.address(), 4}, scratch.get()}));
      throw_if_error(record_barrier(cmd, d));
      throw_if_error(record_fill(cmd, d, {4, n, 7u}, {from.view(), {}}));
      throw_if_error(record_barrier(cmd, d));
      throw_if_error(
          record_reduce(cmd, d, desc, {from.view(), {sums.address() + 8, 4}, scratch.get()}));
    });
    const auto result = context().download(sums);
    CHECK(static_cast<std::uint32_t>(result[0]) == expected);
    CHECK(static_cast<std::uint32_t>(result[1]) == static_cast<std::uint32_t>(7 * n));
    for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{1} << 30, n - 5}) {
      const auto part = context().download(b, 1 - offset + at, 5);
      for (std::uint64_t i = 0; i < 5; ++i) CHECK(part[i] == static_cast<std::uint32_t>(at + i));
    }
  }
}

TEST_CASE("large: arg_reduce names an index past 2^32") {
  constexpr std::uint64_t n = (std::uint64_t{1} << 32) + (1 << 20) + 7;
  if (!holds(2 * n * sizeof(std::uint32_t))) return;
  const Device& d = device();
  const auto in = context().allocate<std::uint32_t>(n);
  const auto index = context().allocate<std::uint64_t>(1);
  const auto value = context().allocate<std::uint32_t>(1);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_fill(cmd, d, {4, n, 7u}, {in.view(), {}}));
  });
  context().write(in, std::vector<std::uint32_t>{3, 7, 3}, n - 5);
  const ArgReduceDesc all{.count = n};
  const DirtyScratch scratch(arg_reduce_scratch(d, all));
  for (const std::uint64_t offset : {0, 1}) {
    CAPTURE(offset);
    const ArgReduceDesc desc{.count = n - offset};
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_arg_reduce(
          cmd, d, desc,
          {in.slice(offset, n - offset).view(), index.view(), value.view(), scratch.get()}));
    });
    CHECK(context().download(index)[0] == n - 5 - offset);
    CHECK(context().download(value)[0] == 3);
  }
}

TEST_CASE("large: scan past 2^32 bytes, and past 2^32 elements") {
  constexpr std::uint64_t n = kWords, wide_n = kBytes;
  if (!holds(6 * wide_n)) return;
  const Device& d = device();
  const auto sum = context().allocate<std::uint32_t>(1);
  // The scan of equal elements is their multiples, which are sampled here and there, and summed.
  const auto check = [&](const Buffer<std::uint32_t>& out, std::uint64_t first, std::uint64_t count,
                         std::uint32_t step) {
    const ReduceDesc desc{.count = count};
    const DirtyScratch scratch(reduce_scratch(d, desc));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(
          record_reduce(cmd, d, desc, {out.slice(first, count).view(), sum.view(), scratch.get()}));
    });
    const std::uint64_t pairs =
        count % 2 ? count * ((count - 1) / 2) : (count / 2) * (count - 1);  // modulo 2^64
    CHECK(context().download(sum)[0] == static_cast<std::uint32_t>(step * pairs));
    for (std::uint64_t at = 0; at < count - 5; at += count / 7) {
      const auto part = context().download(out, first + at, 5);
      for (std::uint64_t i = 0; i < 5; ++i) {
        CHECK(part[i] == static_cast<std::uint32_t>(step * (at + i)));
      }
    }
  };
  {
    const auto in = context().allocate<std::uint32_t>(n + 1),
               out = context().allocate<std::uint32_t>(n + 1);
    for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
      for (const std::uint64_t offset : {0, 1}) {
        for (const bool in_place : {false, true}) {
          const ScanDesc desc{.count = n, .schedule = schedule};
          const DirtyScratch scratch(scan_scratch(d, desc));
          const BufferView from = in.slice(offset, n).view(), to = out.slice(1, n).view();
          run([&](VkCommandBuffer cmd) {
            throw_if_error(record_fill(cmd, d, {4, n, 3u}, {from, {}}));
            throw_if_error(record_barrier(cmd, d));
            throw_if_error(record_scan(cmd, d, desc, {from, in_place ? from : to, scratch.get()}));
          });
          check(in_place ? in : out, in_place ? offset : 1, n, 3);
        }
      }
    }
  }
  const auto in = context().allocate<std::uint8_t>(wide_n + 4);
  const auto out = context().allocate<std::uint32_t>(wide_n);
  const ScanDesc desc{.count = wide_n, .input = ScanInput::u8};
  const DirtyScratch scratch(scan_scratch(d, desc));
  const BufferView from = in.slice(1, wide_n).view();
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_fill(cmd, d, {1, wide_n, std::uint8_t{200}}, {from, {}}));
    throw_if_error(record_barrier(cmd, d));
    throw_if_error(record_scan(cmd, d, desc, {from, out.view(), scratch.get()}));
  });
  check(out, 0, wide_n, 200);
}

TEST_CASE("large: transform and adjacent_difference past 2^32 bytes") {
  constexpr std::uint64_t n = kWords;
  if (!holds(3 * n * sizeof(std::uint32_t))) return;
  const Device& d = device();
  const auto a = context().allocate<std::uint32_t>(n + 1),
             b = context().allocate<std::uint32_t>(n + 1);
  for (const std::uint64_t offset : {0, 1}) {
    CAPTURE(offset);
    const auto x = a.slice(1, n), y = b.slice(offset, n);
    write_iota(x);
    // These are the squares, and their differences 2 i - 1.
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_transform(cmd, d, {.op = MapOp::mul, .count = n},
                                      {.a = x.view(), .b = x.view(), .out = y.view()}));
      throw_if_error(record_barrier(cmd, d));
      throw_if_error(record_adjacent_difference(cmd, d, {.count = n}, {y.view(), x.view(), {}}));
    });
    check_samples(b, offset, n, [](std::uint64_t i) { return i * i; });
    check_samples(a, 1, n, [](std::uint64_t i) { return i == 0 ? 0 : 2 * i - 1; });
    CHECK(sum_of(x.view()) == static_cast<std::uint32_t>((n - 1) * (n - 1)));
  }
}

TEST_CASE("large: reverse past 2^32 bytes, in place and not, and of bytes") {
  constexpr std::uint64_t n = kWords;
  if (!holds(2 * n * sizeof(std::uint32_t))) return;
  const Device& d = device();
  const auto a = context().allocate<std::uint32_t>(n + 1),
             b = context().allocate<std::uint32_t>(n + 1);
  for (const std::uint64_t offset : {0, 1}) {
    CAPTURE(offset);
    const auto from = a.slice(1, n), to = b.slice(offset, n);
    write_iota(from);
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_reverse(cmd, d, {4, n}, {from.view(), to.view()}));
      throw_if_error(record_barrier(cmd, d));
      throw_if_error(record_reverse(cmd, d, {4, n}, {from.view(), from.view()}));
    });
    for (const auto* out : {&b, &a}) {
      const std::uint64_t first = out == &a ? 1 : offset;
      check_samples(*out, first, n, [](std::uint64_t i) { return n - 1 - i; });
      CHECK(sum_of(out->slice(first, n).view()) ==
            static_cast<std::uint32_t>(n % 2 ? n * ((n - 1) / 2) : n / 2 * (n - 1)));
    }
  }
  // Bytes from an odd one on: a whole number of words that begin behind it are read back.
  write_iota(a.slice(0, n));
  const std::uint64_t bytes = 4 * n - 5;
  run([&](VkCommandBuffer cmd) {
    throw_if_error(
        record_reverse(cmd, d, {1, bytes}, {{a.address() + 3, bytes}, {b.address() + 1, bytes}}));
  });
  // Byte 1 + k of b is byte 4 n - 3 - k of a.
  const auto byte_of_a = [](std::uint64_t i) { return i / 4 >> 8 * (i % 4) & 0xff; };
  for (const std::uint64_t word :
       {std::uint64_t{1}, n / 2, (std::uint64_t{1} << 30) - 1, std::uint64_t{1} << 30, n - 3}) {
    CAPTURE(word);
    std::uint64_t expected = 0;
    for (std::uint64_t i = 0; i < 4; ++i) {
      expected |= byte_of_a(4 * n - 3 - (4 * word + i - 1)) << 8 * i;
    }
    CHECK(context().download(b, word, 1)[0] == expected);
  }
}

TEST_CASE("large: histogram of more than 2^32 samples, and past 2^32 bytes") {
  if (!holds(2 * kBytes)) return;
  const Device& d = device();
  const auto samples = context().allocate<std::uint8_t>(kBytes + 1);
  const auto bins = context().allocate<std::uint64_t>(256);
  const BufferView all = samples.slice(1, kBytes).view();
  write_fill(all, std::uint8_t{200});
  context().write(samples, std::vector<std::uint8_t>{3, 3, 3}, kBytes - 4);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_histogram(cmd, d, {.count = kBytes, .width = CountWidth::u64},
                                    {.in = all, .out = bins.view()}));
  });
  std::vector<std::uint64_t> expected(256);
  expected[3] = 3;
  expected[200] = kBytes - 3;
  CHECK(difference(context().download(bins), expected) == "");

  const auto words = context().allocate<std::uint32_t>(kWords);
  const auto even = context().allocate<std::uint32_t>(4096);
  write_iota(words.span());
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_histogram(cmd, d,
                                    {.sample = SampleType::u32,
                                     .by = HistogramBins::even,
                                     .bins = 4096,
                                     .lower = 0,
                                     .upper = 0x1p32,
                                     .count = kWords},
                                    {.in = words.view(), .out = even.view()}));
  });
  std::vector<std::uint32_t> counts(4096);
  for (std::uint64_t first = 0; first < kWords; first += 1 << 20) {
    counts[first >> 20] =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(kWords - first, 1 << 20));
  }
  CHECK(difference(context().download(even), counts) == "");
}

TEST_CASE("large: gather and scatter past 2^32 bytes, and to indices past 2^32") {
  if (!holds(4 * kBytes)) return;
  const Device& d = device();
  {
    constexpr std::uint64_t n = kWords;
    const auto in = context().allocate<std::uint32_t>(n),
               out = context().allocate<std::uint32_t>(n),
               indices = context().allocate<std::uint32_t>(n);
    const auto backwards = [](std::uint64_t i) { return 3 * (n - 1 - i); };
    write_iota(in.span(), 0, 3);
    write_iota(indices.span(), static_cast<std::uint32_t>(n - 1), ~0u);
    for (const OutOfRange mode : {OutOfRange::unchecked, OutOfRange::skip}) {
      const std::uint32_t sum = sum_of(in.view());
      write_fill(out.view(), 0u);
      run([&](VkCommandBuffer cmd) {
        throw_if_error(
            record_gather(cmd, d, {.out_of_range = mode, .count = n, .source_count = n},
                          {.in = in.view(), .indices = indices.view(), .out = out.view()}));
      });
      check_samples(out, 0, n, backwards);
      CHECK(sum_of(out.view()) == sum);
      write_fill(out.view(), 0u);
      run([&](VkCommandBuffer cmd) {
        throw_if_error(
            record_scatter(cmd, d, {.out_of_range = mode, .count = n, .out_count = n},
                           {.in = in.view(), .indices = indices.view(), .out = out.view()}));
      });
      check_samples(out, 0, n, backwards);
      CHECK(sum_of(out.view()) == sum);
    }
  }
  // Few bytes are moved from and to the end of many; the last index is out of range.
  constexpr std::uint64_t n = 1000;
  const auto many = context().allocate<std::uint8_t>(kBytes);
  std::vector<std::uint8_t> last(7 * n), gathered(n, 0xee);
  for (std::size_t i = 0; i < last.size(); ++i) last[i] = static_cast<std::uint8_t>(i * i >> 3);
  std::vector<std::uint64_t> numbers(n);
  for (std::size_t i = 0; i < n; ++i) {
    numbers[i] = kBytes - 1 - 7 * i;
    gathered[i] = last[last.size() - 1 - 7 * i];
  }
  numbers[n - 1] = kBytes;
  gathered[n - 1] = 0xee;
  const auto indices = context().upload(numbers);
  const auto few = context().upload(std::vector<std::uint8_t>(n, 0xee));
  write_fill(many.view(), std::uint8_t{0x55});
  context().write(many, last, kBytes - last.size());
  run([&](VkCommandBuffer cmd) {
    throw_if_error(
        record_gather(cmd, d,
                      {.element_bytes = 1,
                       .index_width = IndexWidth::u64,
                       .out_of_range = OutOfRange::skip,
                       .count = n,
                       .source_count = kBytes},
                      {.in = many.view(), .indices = indices.view(), .out = few.view()}));
  });
  CHECK(difference(context().download(few), gathered) == "");
  write_fill(many.view(), std::uint8_t{0x55});
  run([&](VkCommandBuffer cmd) {
    throw_if_error(
        record_scatter(cmd, d,
                       {.element_bytes = 1,
                        .index_width = IndexWidth::u64,
                        .out_of_range = OutOfRange::skip,
                        .count = n,
                        .out_count = kBytes},
                       {.in = few.view(), .indices = indices.view(), .out = many.view()}));
  });
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (i % 7 != 6 || i == 6) last[i] = 0x55;  // byte 6 would be that of the last index
  }
  CHECK(difference(context().download(many, kBytes - last.size(), last.size()), last) == "");
  check_samples(many, 0, kBytes - last.size(), [](std::uint64_t) { return 0x55; });
}

TEST_CASE("large: scan_by_key past 2^32 bytes") {
  constexpr std::uint64_t n = kWords;
  if (!holds(4 * n * sizeof(std::uint32_t))) return;
  const Device& d = device();
  const auto keys = context().allocate<std::uint32_t>(n + 1),
             in = context().allocate<std::uint32_t>(n),
             out = context().allocate<std::uint32_t>(n + 1);
  const auto run_count = context().allocate<std::uint64_t>(1);
  write_fill(in.view(), 3u);
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    for (const std::uint32_t run_shift : {10, 29}) {
      CAPTURE(static_cast<int>(schedule));
      CAPTURE(run_shift);
      const auto key = keys.slice(run_shift % 2, n), to = out.slice(1, n);
      const ScanByKeyDesc desc{.count = n, .schedule = schedule};
      const DirtyScratch scratch(scan_by_key_scratch(d, desc));
      write_iota(key);
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_transform(cmd, d,
                                        {.op = MapOp::shift_right, .count = n, .scalar = run_shift},
                                        {.a = key.view(), .out = key.view()}));
        throw_if_error(record_barrier(cmd, d));
        throw_if_error(record_scan_by_key(
            cmd, d, desc, {key.view(), in.view(), to.view(), scratch.get(), run_count.view()}));
      });
      const std::uint64_t run = std::uint64_t{1} << run_shift, rest = n % run;
      CHECK(context().download(run_count)[0] == (n + run - 1) / run);
      check_samples(out, 1, n, [&](std::uint64_t i) { return 3 * (i % run); });
      const auto pairs = [](std::uint64_t m) {
        return m % 2 ? m * ((m - 1) / 2) : m / 2 * (m - 1);
      };
      CHECK(sum_of(to.view()) ==
            static_cast<std::uint32_t>(3 * (n / run * pairs(run) + pairs(rest))));
    }
  }
}

// This is more elements than one portion of a compaction has.
constexpr std::uint64_t kPortions = VKP_COMPACT_PORTION + std::uint64_t{5000};

// Does what check_samples() does, and also checks the edge of the portions.
template <class F>
void check_portions(const Buffer<std::uint32_t>& out, std::uint64_t first, std::uint64_t count,
                    std::uint64_t edge, F&& expected) {
  check_samples(out, first, count, expected);
  check_samples(out, first + edge - 10, 20,
                [&](std::uint64_t i) { return expected(edge - 10 + i); });
}

TEST_CASE("large: select from more than 2^31 elements") {
  constexpr std::uint64_t n = kPortions, selected = n / 4;
  if (!holds(20 * n)) return;
  const Device& d = device();
  const auto in = context().allocate<std::uint32_t>(n + 1),
             out = context().allocate<std::uint32_t>(n + 1);
  const auto indices = context().allocate<std::uint64_t>(n);
  const auto flags = context().allocate<std::uint64_t>(n / 8);
  const auto count = context().allocate<std::uint64_t>(1);
  const auto from = in.slice(1, n), to = out.slice(1, n);
  write_iota(from);
  for (const SelectBy by : {SelectBy::bytes, SelectBy::bits}) {
    // These flags select elements 1 and 6 of every 8.
    if (by == SelectBy::bytes) write_fill(flags.view(), std::uint64_t{0x0001'0000'0000'0100});
    if (by == SelectBy::bits) write_fill(flags.view(), 0x42424242u);
    for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
      CAPTURE(static_cast<int>(by));
      CAPTURE(static_cast<int>(schedule));
      const SelectDesc desc{
          .by = by, .count = n, .index_width = IndexWidth::u64, .schedule = schedule};
      const DirtyScratch scratch(select_scratch(d, desc));
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_select(cmd, d, desc,
                                     {.in = from.view(),
                                      .flags = flags.view(),
                                      .out = to.view(),
                                      .indices = indices.view(),
                                      .selected_count = count.view(),
                                      .scratch = scratch.get()}));
      });
      REQUIRE(context().download(count)[0] == selected);
      const auto number = [](std::uint64_t k) { return 8 * (k / 2) + (k % 2 ? 6 : 1); };
      check_portions(out, 1, selected, VKP_COMPACT_PORTION / 4, number);
      check_samples(indices, 0, selected, number);
    }
  }
}
TEST_CASE("large: partition of more than 2^31 elements") {
  constexpr std::uint64_t n = kPortions, selected = n / 2;
  if (!holds(14 * n)) return;
  const Device& d = device();
  const auto in = context().allocate<std::uint32_t>(n + 1),
             out = context().allocate<std::uint32_t>(n + 1),
             rejected = context().allocate<std::uint32_t>(n);
  const auto count = context().allocate<std::uint64_t>(1);
  const auto from = in.slice(1, n), to = out.slice(1, n);
  write_iota(from);
  for (const bool one_output : {false, true}) {
    for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
      if (one_output && schedule == Schedule::look_back) continue;
      CAPTURE(one_output);
      CAPTURE(static_cast<int>(schedule));
      const PartitionDesc desc{.by = SelectBy::predicate,
                               .predicate = Predicate::has_bits,
                               .operand = 4u,
                               .one_output = one_output,
                               .count = n,
                               .schedule = schedule};
      const DirtyScratch scratch(partition_scratch(d, desc));
      write_fill(to.view(), 0u);
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_partition(cmd, d, desc,
                                        {.in = from.view(),
                                         .out = to.view(),
                                         .rejected = one_output ? BufferView{} : rejected.view(),
                                         .selected_count = count.view(),
                                         .scratch = scratch.get()}));
      });
      REQUIRE(context().download(count)[0] == selected);
      const auto others = [](std::uint64_t k) { return 8 * (k / 4) + k % 4; };
      const std::uint64_t edge = VKP_COMPACT_PORTION / 2;
      check_portions(out, 1, selected, edge, [&](std::uint64_t k) { return others(k) + 4; });
      check_portions(one_output ? out : rejected, one_output ? 1 + selected : 0, n - selected, edge,
                     others);
      // All elements are in one output, or in both together.
      const std::uint32_t sum =
          sum_of(to.view()) + (one_output ? 0 : sum_of(rejected.slice(0, n - selected).view()));
      CHECK(sum == sum_of(from.view()));
    }
  }
}

TEST_CASE("large: unique of more than 2^31 elements, a run across the edge of the portions") {
  constexpr std::uint64_t n = kPortions;
  if (!holds(26 * n)) return;
  const Device& d = device();
  const auto in = context().allocate<std::uint32_t>(n + 1),
             out = context().allocate<std::uint32_t>(n),
             values_in = context().allocate<std::uint32_t>(n),
             values_out = context().allocate<std::uint32_t>(n + 1);
  const auto indices = context().allocate<std::uint64_t>(n);
  const auto count = context().allocate<std::uint64_t>(1);
  write_iota(values_in.span(), 0, 3);
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    for (const std::uint32_t offset : {0, 1}) {
      CAPTURE(static_cast<int>(schedule));
      CAPTURE(offset);
      const auto from = in.slice(offset, n);
      const std::uint64_t unique = (n + 1) / 4 + 1;
      const UniqueDesc desc{
          .value_bytes = 4, .count = n, .index_width = IndexWidth::u64, .schedule = schedule};
      const DirtyScratch scratch(unique_scratch(d, desc));
      write_iota(from, 2);  // runs of 4, except the first
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_transform(cmd, d,
                                        {.op = MapOp::shift_right, .count = n, .scalar = 2u},
                                        {.a = from.view(), .out = from.view()}));
        throw_if_error(record_barrier(cmd, d));
        throw_if_error(record_unique(cmd, d, desc,
                                     {.in = from.view(),
                                      .out = out.view(),
                                      .values_in = values_in.view(),
                                      .values_out = values_out.slice(1, n).view(),
                                      .indices = indices.view(),
                                      .unique_count = count.view(),
                                      .scratch = scratch.get()}));
      });
      REQUIRE(context().download(count)[0] == unique);
      const auto number = [](std::uint64_t k) { return k == 0 ? 0 : 4 * k - 2; };
      const std::uint64_t edge = VKP_COMPACT_PORTION / 4;
      check_portions(out, 0, unique, edge, [](std::uint64_t k) { return k; });
      check_portions(values_out, 1, unique, edge, [&](std::uint64_t k) { return 3 * number(k); });
      check_samples(indices, 0, unique, number);
    }
  }
}

}  // namespace vkprims::test

// Tests of gather.
#include "oracles/gather.hpp"

#include "blocks/indexed.hpp"
#include "elementwise/gather/gather.abi.h"
#include "spirv/gather.hpp"
#include "support/indexed_data.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

constexpr OutOfRange kPolicies[] = {OutOfRange::unchecked, OutOfRange::skip, OutOfRange::fill,
                                    OutOfRange::clamp};

struct Options {
  const Device* device;
  OutOfRange policy = OutOfRange::unchecked;
  Count count = {};                                                     // not given: all indices
  std::uint64_t used = ~0ull;                                           // the value of the count
  std::uint64_t misalign_in = 0, misalign_index = 0, misalign_out = 0;  // in elements
  bool fill_on_device = false;
};

template <class E, class Index>
void check_against_oracle(const std::vector<E>& values, const std::vector<Index>& indices,
                          Options o) {
  o.count = o.count.or_all(indices.size());
  const E fill = random_elements<E>(1, 9)[0];
  const Guarded in(values, o.misalign_in * sizeof(E));
  const Guarded index(indices, o.misalign_index * sizeof(Index));
  const Guarded out(indices.size() * sizeof(E), o.misalign_out * sizeof(E));
  const Guarded report(std::vector<DeviceReport>(1), 8);
  std::vector<E> padded_fill(16 / sizeof(E), fill);
  const Guarded fill_value(padded_fill);
  const GatherDesc desc{.element_bytes = sizeof(E),
                        .index_width = index_width<Index>(),
                        .out_of_range = o.policy,
                        .count = o.count,
                        .source_count = values.size(),
                        .fill = o.fill_on_device ? Value::at(fill_value.address()) : Value(fill)};
  const DirtyScratch scratch(gather_scratch(*o.device, desc));
  const bool reports = o.policy != OutOfRange::unchecked;
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_gather(cmd, *o.device, desc,
                                 {.in = in.view(),
                                  .indices = index.view(),
                                  .out = out.view(),
                                  .report = reports ? report.view() : BufferView{},
                                  .scratch = scratch.get()}));
  });
  std::vector<E> expected(indices.size());
  if (!expected.empty()) std::memset(expected.data(), 0xcd, expected.size() * sizeof(E));
  const auto used = std::span(indices).first(std::min<std::uint64_t>(o.used, indices.size()));
  const std::size_t outside =
      oracle::gather<E, Index>(values, used, o.policy, fill, std::span(expected));
  CHECK(bits_difference(out.template read<E>(), expected) == "");
  CHECK(in.template read<E>() == values);
  check_report(report.read<DeviceReport>()[0], used, values.size(), reports ? outside : 0);
}

}  // namespace

TEST_CASE("gather: every element size and both index widths, around the edges of tiles") {
  const Device& d = device(kTinyTiles);
  for (const std::uint32_t size : {1u, 2u, 4u, 8u, 16u}) {
    CAPTURE(size);
    with_element(size, [&](auto zero) {
      using E = decltype(zero);
      const std::vector<E> values = random_elements<E>(1000, size);
      for (const std::uint64_t n : edge_counts(indexed_tile(d))) {
        CAPTURE(n);
        check_against_oracle(values, random_indices<std::uint32_t>(1000, n, 0), {.device = &d});
        check_against_oracle(values, random_indices<std::uint64_t>(1000, n, 0), {.device = &d});
      }
    });
  }
}

TEST_CASE("gather: every policy for indices out of range, with a report of them") {
  const Device& d = device(kTinyTiles);
  for (const std::uint32_t size : {1u, 2u, 4u, 8u, 16u}) {
    for (const OutOfRange policy : kPolicies) {
      if (policy == OutOfRange::unchecked) continue;
      if (subset() && static_cast<std::uint32_t>(policy) != 1 + size % 3) continue;
      CAPTURE(size);
      CAPTURE(static_cast<std::uint32_t>(policy));
      with_element(size, [&](auto zero) {
        using E = decltype(zero);
        for (const std::uint64_t source : {0, 1, 1000}) {
          const std::vector<E> values = random_elements<E>(source, 5);
          for (const std::uint64_t period : {0, 1, 7}) {
            const bool wide = (size + source + period) % 2 == 0;
            Options o{.device = &d, .policy = policy};
            o.fill_on_device = period == 1;
            if (wide) {
              check_against_oracle(values, random_indices<std::uint64_t>(source, 1237, period), o);
            } else {
              check_against_oracle(values, random_indices<std::uint32_t>(source, 1237, period), o);
            }
          }
        }
      });
    }
  }
}

TEST_CASE("gather: views that begin at any element") {
  const Device& d = device(kTinyTiles);
  for (const std::uint32_t size : {1u, 2u, 4u, 8u}) {
    CAPTURE(size);
    with_element(size, [&](auto zero) {
      using E = decltype(zero);
      const std::vector<E> values = random_elements<E>(300, size);
      for (std::uint64_t shift = 0; shift < 64; ++shift) {
        const std::uint64_t a = shift % 4, b = shift / 4 % 4, c = shift / 16;
        if (subset() ? shift % 7 != 0 : shift % 3 == 1) continue;
        CAPTURE(shift);
        const Options o{.device = &d,
                        .policy = OutOfRange::skip,
                        .misalign_in = a,
                        .misalign_index = b,
                        .misalign_out = c};
        check_against_oracle(values, random_indices<std::uint32_t>(300, 1025 + c, 9), o);
        if (shift % 5 == 0) {
          check_against_oracle(values, random_indices<std::uint64_t>(300, 1025 + c, 9), o);
        }
      }
    });
  }
}

TEST_CASE("gather: the count may be read on the GPU; elements past it stay as they were") {
  const Device& d = device(kTinyTiles);
  // 3,000,000 elements are more than 4,096 tiles, so the grid is computed on the GPU.
  for (const std::uint64_t max : {std::uint64_t{10'000}, std::uint64_t{3'000'000}}) {
    const auto values = random_elements<Element<1>>(100, 2);
    const auto indices = random_indices<std::uint32_t>(100, max, 0);
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, max / 3, max + 77}) {
      if (subset() && n > max) continue;
      CAPTURE(max);
      CAPTURE(n);
      const auto narrow = device_count(static_cast<std::uint32_t>(n));
      check_against_oracle(values, indices,
                           {.device = &d, .count = {max, narrow.address()}, .used = n});
      const auto wide = device_count(n | (n > max ? std::uint64_t{1} << 40 : 0));
      check_against_oracle(values, indices,
                           {.device = &d,
                            .count = {max, wide.address(), CountWidth::u64},
                            .used = n,
                            .misalign_out = 1});
    }
  }
}

TEST_CASE("gather: more than 65,535 tiles, and the default tiles") {
  if (subset()) return;
  const auto values = random_elements<Element<4>>(70'000, 2);
  const Device& tiny = device(kTinyTiles);
  const auto many = random_indices<std::uint32_t>(70'000, 65'545 * indexed_tile(tiny) + 3, 0);
  check_against_oracle(values, many, {.device = &tiny});
  check_against_oracle(values, random_indices<std::uint32_t>(70'000, 1'000'003, 0),
                       {.device = &device(), .policy = OutOfRange::clamp});
}

TEST_CASE("gather: neighbours that share a word are kept when both are written without a barrier") {
  const Device& d = device(kTinyTiles);
  const auto in = context().upload(random_values<std::uint8_t>(1003, 5));
  const auto out = context().upload(std::vector<std::uint8_t>(1003, 0));
  std::vector<std::uint32_t> order(1003);
  for (std::uint32_t i = 0; i < 1003; ++i) order[i] = i;
  const auto indices = context().upload(order);
  run([&](VkCommandBuffer cmd) {
    for (const auto& [first, n] : {std::pair{0, 501}, std::pair{501, 502}}) {
      const GatherDesc desc{.element_bytes = 1, .count = std::uint64_t(n), .source_count = 1003};
      throw_if_error(record_gather(
          cmd, d, desc, {in.view(), indices.slice(first, n).view(), out.slice(first, n).view()}));
    }
  });
  CHECK(context().download(out) == context().download(in));
}

TEST_CASE("gather: a step of a Recorder, with and without a report") {
  const auto in = context().upload(std::vector<float>{1, 2, 3});
  const auto indices = context().upload(std::vector<std::uint64_t>{2, 9, 0, 1});
  const auto out = context().allocate<float>(4);
  const auto again = context().allocate<float>(4);
  const auto report = context().upload(std::vector<DeviceReport>(1));
  context().run([&](Recorder& r) {
    gather(r, {.out_of_range = OutOfRange::fill, .fill = 7.0f}, in, indices, out, report);
    gather(r, {.out_of_range = OutOfRange::clamp}, in, indices, again);
  });
  CHECK(context().download(out) == std::vector<float>{3, 7, 1, 2});
  CHECK(context().download(again) == std::vector<float>{3, 3, 1, 2});
  CHECK(context().download(report)[0].count == 1);
  CHECK(context().download(report)[0].first_index == 1);
}

TEST_CASE("gather: recorded twice in one command buffer, and replayed 100 times, dirty scratch") {
  const Device& d = device(kTinyTiles);
  const auto values = random_values<std::uint32_t>(1000, 4);
  const auto order = random_indices<std::uint32_t>(1000, 2000, 0);
  std::vector<std::uint32_t> expected(4000);
  for (std::size_t i = 0; i < 4000; ++i) expected[i] = values[order[i % 2000]];
  const auto in = context().upload(values);
  const auto indices = context().allocate<std::uint32_t>(3'000'000);
  context().write(indices, order);
  const auto out = context().allocate<std::uint32_t>(3'002'000);
  const auto count = device_count(2000u);
  const GatherDesc desc{.count = {3'000'000, count.address()}, .source_count = 1000};
  const DirtyScratch scratch(gather_scratch(d, desc));
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(4000, 0)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_gather(cmd, d, desc,
                             {.in = in.view(),
                              .indices = indices.view(),
                              .out = out.slice(2000 * i, 3'000'000).view(),
                              .scratch = scratch.get()});
      },
      [&] { CHECK(difference(context().download(out, 0, 4000), expected) == ""); });
}

TEST_CASE("gather: warm_up builds what any alignment needs") {
  const auto few = context().allocate<std::uint32_t>(50);
  const auto count = device_count(3u);
  const GatherDesc desc{.element_bytes = 2,
                        .out_of_range = OutOfRange::skip,
                        .count = {4'000'000, count.address()},
                        .source_count = 100};
  const DirtyScratch scratch(gather_scratch(device(kTinyTiles), desc));
  check_warm_up(
      desc, [&](VkCommandBuffer cmd, const Device& d, BufferView indices, BufferView elements) {
        return record_gather(
            cmd, d, desc,
            {.in = few.view(), .indices = indices, .out = elements, .scratch = scratch.get()});
      });
}

TEST_CASE("gather: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  const GatherDesc desc{
      .out_of_range = OutOfRange::fill, .count = 1000, .source_count = 500, .fill = 1u};
  const GatherBuffers good{memory.slice(0, 500).view(), memory.slice(1000, 1000).view(),
                           memory.slice(3000, 1000).view(), memory.slice(5000, 8).view()};
  const WrongInput wrong(d, &record_gather, desc, good);
  wrong.anywhere();
  check_wrong_indexed(wrong, "gather_scratch() asks for 16", good, memory.address());
  wrong.desc({"source_count is 274877906945", "274877906944"},
             [](auto& x) { x.source_count = kMaxCount + 1; });
  wrong.desc({"in.bytes is 2000", "2004"}, [](auto& x) { x.source_count = 501; });
  wrong.desc({"fill has 8 bytes", "4"}, [](auto& x) { x.fill = std::uint64_t{1}; });
  wrong.desc({"fill.address", "multiple of 4"},
             [&](auto& x) { x.fill = Value::at(memory.address() + 2); });
  wrong.desc({"out [", "fill [", "overlap"},
             [&](auto& x) { x.fill = Value::at(good.out.address); });
  wrong.buffers({"in.address is 0"}, [](auto& x) { x.in.address = 0; });
  wrong.buffers({"indices.address", "multiple of 4"}, [](auto& x) { x.indices.address += 1; });
  wrong.buffers({"indices.bytes is 3999", "4000"}, [](auto& x) { x.indices.bytes -= 1; });
  wrong.buffers({"out.bytes is 3999", "4000"}, [](auto& x) { x.out.bytes -= 1; });
  wrong.buffers({"report.address", "multiple of 8"}, [](auto& x) { x.report.address += 4; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address + 1996; });
  wrong.buffers({"indices [", "report [", "overlap"},
                [](auto& x) { x.report.address = x.indices.address; });
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, GatherDesc{.element_bytes = 5}) == Status::invalid_argument);
}

TEST_CASE("gather: smoke" * doctest::test_suite("smoke")) {
  check_against_oracle(random_elements<Element<2>>(100, 1),
                       random_indices<std::uint32_t>(100, 777, 5),
                       {.device = &device(), .policy = OutOfRange::skip});
}

TEST_CASE("gather: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::gather, sizeof(abi::GatherPush), 4));
}

}  // namespace vkprims::test

// Tests of search.
#include "oracles/search.hpp"

#include "elementwise/search/search.abi.h"
#include "spirv/search.hpp"
#include "support/sorted_sequences.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

struct Options {
  const Device* device;
  SearchKind kind = SearchKind::lower_bound;
  bool sorted = false;
  std::uint64_t misalign_haystack = 0, misalign_needles = 0, misalign_out = 0;  // in elements
  FloatOrder float_order = FloatOrder::by_value;
};

template <class Index, class T>
std::vector<Index> search_on_device(const std::vector<T>& haystack, const std::vector<T>& needles,
                                    const Options& o) {
  const Guarded hay(haystack, o.misalign_haystack * sizeof(T));
  const Guarded in(needles, o.misalign_needles * sizeof(T));
  const Guarded out(needles.size() * sizeof(Index), o.misalign_out * sizeof(Index));
  const SearchDesc desc{.kind = o.kind,
                        .type = type_of<T>(),
                        .index_width = sizeof(Index) == 8 ? IndexWidth::u64 : IndexWidth::u32,
                        .needles_sorted = o.sorted,
                        .count = needles.size(),
                        .haystack_count = haystack.size(),
                        .float_order = o.float_order};
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_search(cmd, *o.device, desc, {hay.view(), in.view(), out.view()}));
  });
  return out.read<Index>();
}

template <class Index, class T>
void check_against_oracle(const std::vector<T>& haystack, const std::vector<T>& needles,
                          const Options& o) {
  CHECK(difference(search_on_device<Index>(haystack, needles, o),
                   oracle::search<Index, T>(haystack, needles, o.kind, o.float_order)) == "");
}

// The search of no type needs a feature of the device.
std::vector<Type> all_types() {
  if (subset()) return {Type::f32, Type::i64};
  return {Type::u32, Type::i32, Type::f32, Type::u64, Type::i64, Type::f64};
}

constexpr SearchKind kKinds[] = {SearchKind::lower_bound, SearchKind::upper_bound};

std::uint64_t tile_of(const Device& d) {
  return std::uint64_t{d.state()->tuning.workgroup_size} * d.state()->tuning.stream_rows *
         VKP_SEARCH_ITEMS;
}

}  // namespace

TEST_CASE("search: every type and kind, needles in any order or sorted") {
  const Device& d = device(kTinyTiles);
  for (const Type type : all_types()) {
    for (const SearchKind kind : kKinds) {
      CAPTURE(std::string(name_of(type)));
      CAPTURE(static_cast<std::uint32_t>(kind));
      with_type(type, [&](auto zero) {
        using T = decltype(zero);
        for (const std::uint64_t hay : {0, 1, 2, 3, 1000, 4096}) {
          for (const std::uint64_t spread : {2, 100, 1 << 20}) {
            CAPTURE(hay);
            CAPTURE(spread);
            const auto haystack = sorted_keys<T>(hay, spread, 1);
            const Options any{.device = &d, .kind = kind};
            const Options sorted{.device = &d, .kind = kind, .sorted = true};
            const bool wide = sizeof(T) == 8;
            const auto needles = random_keys<T>(1537, spread, 2);
            const auto ascending = sorted_keys<T>(1537, spread, 3);
            if (wide) {
              check_against_oracle<std::uint64_t>(haystack, needles, any);
              check_against_oracle<std::uint64_t>(haystack, ascending, sorted);
            } else {
              check_against_oracle<std::uint32_t>(haystack, needles, any);
              check_against_oracle<std::uint32_t>(haystack, ascending, sorted);
            }
          }
        }
      });
    }
  }
}

TEST_CASE("search: needles around the edges of tiles, in haystacks around powers of two") {
  const Device& d = device(kTinyTiles);
  for (const std::uint64_t hay : {1, 4, 5, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 8191}) {
    CAPTURE(hay);
    const auto haystack = sorted_keys<std::uint32_t>(hay, 1000, 1);
    for (const std::uint64_t n : edge_counts(tile_of(d))) {
      CAPTURE(n);
      const auto needles = sorted_keys<std::uint32_t>(n, 1000, 2);
      check_against_oracle<std::uint32_t>(haystack, needles, {.device = &d});
      check_against_oracle<std::uint32_t>(haystack, needles, {.device = &d, .sorted = true});
    }
  }
}

TEST_CASE("search: haystacks of which a workgroup has samples") {
  const Device& d = device(kTinyTiles);
  const auto check = [&](auto zero, std::uint64_t hay, std::uint64_t spread) {
    using T = decltype(zero);
    CAPTURE(hay);
    CAPTURE(spread);
    const auto haystack = sorted_keys<T>(hay, spread, 1);
    // These are needles before, behind and at the edges of samples, too.
    std::vector<T> needles = random_keys<T>(700, spread, 2);
    for (std::uint64_t i = 0; i < 700; ++i) needles.push_back(haystack[i * (hay - 1) / 699]);
    for (const T& x : {haystack.front(), haystack.back()}) {
      needles.push_back(x - 1), needles.push_back(x + 1);
    }
    const Options o{.device = &d,
                    .kind = kKinds[hay % 2],
                    .misalign_haystack = hay % 3,
                    .misalign_needles = spread == 10 ? 1u : 0u,
                    .misalign_out = sizeof(T) == 8 ? 1u : 0u};
    check_against_oracle<std::uint32_t>(haystack, needles, o);
    if (hay == 100'000) check_against_oracle<std::uint64_t>(haystack, needles, o);
  };
  for (const std::uint64_t hay : {16'383, 16'384, 16'385, 20'479, 20'480, 20'481, 100'000}) {
    check(std::uint32_t{}, hay, 1 << 20);
    if (subset()) continue;
    check(std::uint32_t{}, hay, 10);
    check(float{}, hay, 1 << 20);
    check(std::int64_t{}, hay, 1 << 20);
  }
}

TEST_CASE("search: haystacks whose count, read on the GPU, is less than their samples are") {
  const Device& d = device(kTinyTiles);
  const auto haystack = sorted_keys<std::uint32_t>(30'000, 1 << 20, 1);
  const auto needles = random_keys<std::uint32_t>(2000, 1 << 20, 2);
  for (const std::uint32_t hay : {0u, 1u, 100u, 4095u, 4096u, 4097u, 8191u, 8192u, 29'999u}) {
    CAPTURE(hay);
    const auto count = device_count(hay);
    const auto in = context().upload(haystack);
    const auto at = context().upload(needles);
    const auto out = context().allocate<std::uint32_t>(needles.size());
    const SearchDesc desc{.count = needles.size(), .haystack_count = {30'000, count.address()}};
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_search(cmd, d, desc, {in.view(), at.view(), out.view()}));
    });
    CHECK(difference(context().download(out),
                     oracle::search<std::uint32_t, std::uint32_t>(
                         std::span(haystack).first(hay), needles, SearchKind::lower_bound)) == "");
  }
}

TEST_CASE(
    "search: scratch does not shrink where there are so many needles that samples are taken") {
  Tuning tuning = kTinyTiles;
  tuning.small_count = 1 << 22;
  const Device& d = device(tuning);
  for (const std::uint64_t hay : {1 << 10, 1 << 20}) {
    check_monotone([&](std::uint64_t n) {
      return search_scratch(d, {.count = {n, 8}, .haystack_count = hay}).bytes;
    });
  }
}

TEST_CASE("search: views that begin at any element, places of both widths") {
  const Device& d = device(kTinyTiles);
  const auto haystack = sorted_keys<std::uint32_t>(3000, 2000, 1);
  const auto pairs = sorted_keys<std::uint64_t>(3000, 2000, 1);
  for (std::uint64_t shift = 0; shift < 64; ++shift) {
    if (subset() ? shift % 7 != 0 : shift % 3 == 1) continue;
    CAPTURE(shift);
    const Options o{.device = &d,
                    .misalign_haystack = shift % 4,
                    .misalign_needles = shift / 4 % 4,
                    .misalign_out = shift / 16};
    const auto needles = random_keys<std::uint32_t>(1020 + shift, 2000, 2);
    check_against_oracle<std::uint32_t>(haystack, needles, o);
    check_against_oracle<std::uint64_t>(haystack, needles, o);
    const auto pair_needles = random_keys<std::uint64_t>(1020 + shift, 2000, 2);
    check_against_oracle<std::uint32_t>(pairs, pair_needles, o);
    check_against_oracle<std::uint64_t>(pairs, pair_needles, o);
  }
}

TEST_CASE("search: floats by their bits, so that -0 is below +0 and NaN have two places") {
  const Device& d = device(kTinyTiles);
  const auto check = [&](auto zero) {
    using T = decltype(zero);
    const auto haystack = sorted_keys<T>(500, 20, 1, FloatOrder::by_bits);
    const auto needles = random_keys<T>(600, 20, 2);
    check_against_oracle<std::uint32_t>(haystack, needles,
                                        {.device = &d, .float_order = FloatOrder::by_bits});
  };
  check(float{});
  if (!subset()) check(double{});
}

TEST_CASE("search: both counts may be read on the GPU; places past the count stay as they were") {
  const Device& d = device(kTinyTiles);
  const auto haystack = sorted_keys<float>(5000, 2000, 1);
  // 3,000,000 needles are more than 4,096 tiles, so the grid is computed on the GPU.
  for (const std::uint64_t max : {std::uint64_t{10'000}, std::uint64_t{3'000'000}}) {
    const auto needles = sorted_keys<float>(max, 2000, 2);
    for (const bool sorted : {false, true}) {
      for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, max / 7, max + 77}) {
        if (subset() && n > max) continue;
        CAPTURE(max);
        CAPTURE(n);
        const std::uint64_t hay = n == 1 ? 0 : n == max / 7 ? 1234 : 6000;
        const auto used = std::span(needles).first(std::min(n, max));
        auto expected = oracle::search<std::uint32_t, float>(
            std::span(haystack).first(std::min<std::uint64_t>(hay, 5000)), used,
            SearchKind::lower_bound);
        expected.resize(max, 0xcdcdcdcd);
        const Guarded hay_view(haystack);
        const Guarded in(needles);
        const Guarded out(4 * max);
        const auto count = device_count(static_cast<std::uint32_t>(n));
        const auto hay_count = device_count(hay | (hay > 5000 ? std::uint64_t{1} << 40 : 0));
        const SearchDesc desc{.type = Type::f32,
                              .needles_sorted = sorted,
                              .count = {max, count.address()},
                              .haystack_count = {5000, hay_count.address(), CountWidth::u64}};
        const DirtyScratch scratch(search_scratch(d, desc));
        run([&](VkCommandBuffer cmd) {
          throw_if_error(
              record_search(cmd, d, desc, {hay_view.view(), in.view(), out.view(), scratch.get()}));
        });
        CHECK(difference(out.read<std::uint32_t>(), expected) == "");
      }
    }
  }
}

TEST_CASE("search: more than 65,535 tiles, and the default tiles") {
  if (subset()) return;
  const auto haystack = sorted_keys<std::uint32_t>(100'000, 1 << 20, 1);
  const Device& tiny = device(kTinyTiles);
  std::vector<std::uint32_t> needles(65'545 * tile_of(tiny) + 3);
  for (std::size_t i = 0; i < needles.size(); ++i) needles[i] = static_cast<std::uint32_t>(i / 40);
  const auto result =
      search_on_device<std::uint32_t>(haystack, needles, {.device = &tiny, .sorted = true});
  bool right = true;
  for (std::size_t i = 0; i < needles.size(); i += 997) {
    right = right && result[i] == oracle::search<std::uint32_t, std::uint32_t>(
                                      haystack, std::span(needles).subspan(i, 1),
                                      SearchKind::lower_bound)[0];
  }
  CHECK(right);
  for (const bool sorted : {false, true}) {
    check_against_oracle<std::uint32_t>(haystack, sorted_keys<std::uint32_t>(300'000, 1 << 20, 2),
                                        {.device = &device(), .sorted = sorted});
  }
}

TEST_CASE("search: sequences that are not sorted give numbers within the haystack") {
  const Device& d = device(kTinyTiles);
  const auto haystack = random_values<std::uint32_t>(3000, 1);
  const auto needles = random_values<std::uint32_t>(5000, 2);
  for (const bool sorted : {false, true}) {
    for (const std::uint32_t place :
         search_on_device<std::uint32_t>(haystack, needles, {.device = &d, .sorted = sorted})) {
      CHECK(place <= 3000);
    }
  }
}

TEST_CASE("search: a step of a Recorder") {
  const auto haystack = context().upload(std::vector<double>{1, 2, 2, 3});
  const auto needles = context().upload(std::vector<double>{2, 0, 9});
  const auto low = context().allocate<std::uint32_t>(3);
  const auto high = context().allocate<std::uint64_t>(3);
  context().run([&](Recorder& r) {
    search(r, {}, haystack, needles, low);
    search(r, {.kind = SearchKind::upper_bound}, haystack, needles, high);
  });
  CHECK(context().download(low) == std::vector<std::uint32_t>{1, 0, 4});
  CHECK(context().download(high) == std::vector<std::uint64_t>{3, 0, 4});
}

TEST_CASE("search: recorded twice in one command buffer, and replayed 100 times, dirty scratch") {
  const Device& d = device(kTinyTiles);
  const auto keys = sorted_keys<std::uint32_t>(1000, 500, 1);
  const auto asked = random_keys<std::uint32_t>(2000, 500, 2);
  const auto haystack = context().upload(keys);
  const auto needles = context().allocate<std::uint32_t>(3'000'000);
  context().write(needles, asked);
  const auto out = context().allocate<std::uint32_t>(3'002'000);
  const auto count = device_count(2000u);
  const SearchDesc desc{.count = {3'000'000, count.address()}, .haystack_count = 1000};
  const DirtyScratch scratch(search_scratch(d, desc));
  auto expected =
      oracle::search<std::uint32_t, std::uint32_t>(keys, asked, SearchKind::lower_bound);
  expected.insert(expected.end(), expected.begin(), expected.begin() + 2000);
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(4000, 0)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_search(cmd, d, desc,
                             {haystack.view(), needles.view(),
                              out.slice(2000 * i, 3'000'000).view(), scratch.get()});
      },
      [&] { CHECK(difference(context().download(out, 0, 4000), expected) == ""); });
}

TEST_CASE("search: warm_up builds what any alignment and haystack needs") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  const auto memory = context().allocate<std::uint32_t>(10'000'000);
  const auto count = device_count(3u);
  SearchDesc desc{.count = {4'000'000, count.address()}, .haystack_count = 50};
  const DirtyScratch scratch(search_scratch(d, desc));
  const auto record = [&](VkCommandBuffer cmd, std::uint64_t a, std::uint64_t b) {
    return record_search(
        cmd, d, desc,
        {memory.slice(1, 90'000).view(), memory.slice(100'000 + a, 4'000'000).view(),
         memory.slice(5'000'000 + b, 4'000'000).view(), scratch.get()});
  };
  expect_error(Status::not_warmed, {"warm_up"},
               [&](VkCommandBuffer cmd) { return record(cmd, 0, 0); });
  throw_if_error(warm_up(d, desc));
  for (const std::uint64_t haystack_count : {50, 90'000}) {  // of the latter there are samples
    desc.haystack_count = haystack_count;
    context().record([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) {
        for (std::uint64_t i = 0; i < 4; ++i) throw_if_error(record(cmd, i % 2, i / 2));
      });
    });
  }
}

TEST_CASE("search: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  const SearchDesc desc{.count = 1000, .haystack_count = 500};
  const SearchBuffers good{memory.slice(0, 500).view(), memory.slice(1000, 1000).view(),
                           memory.slice(3000, 1000).view()};
  const WrongInput wrong(d, &record_search, desc, good);
  wrong.anywhere();
  wrong.desc({"float_order is 2"}, [](auto& x) { x.float_order = FloatOrder(2); });
  wrong.desc({"kind is 2", "0 … 1"}, [](auto& x) { x.kind = SearchKind(2); });
  wrong.desc({"index_width is 2", "0 … 1"}, [](auto& x) { x.index_width = IndexWidth(2); });
  wrong.desc({"haystack_count is 274877906945", "274877906944"},
             [](auto& x) { x.haystack_count = kMaxCount + 1; });
  wrong.desc({"haystack_count.width is 5"},
             [](auto& x) { x.haystack_count.width = CountWidth(5); });
  wrong.desc({"haystack_count.address", "multiple of 4"}, [](auto& x) {
    x.haystack_count = {500, 0x1002};
  });
  wrong.desc({"index_width is u32", "4294967296", "4294967295"},
             [](auto& x) { x.haystack_count = std::uint64_t{1} << 32; });
  wrong.desc({"haystack.bytes is 2000", "2004"}, [](auto& x) { x.haystack_count = 501; });
  wrong.desc({"out.bytes is 4000", "8000"}, [](auto& x) { x.index_width = IndexWidth::u64; });
  wrong.both(
      {"scratch.bytes is 0", "search_scratch() asks for 16"},
      [&](auto& x) {
        x.count = {10'000'000, memory.address()};
      },
      [](auto& x) { x.haystack.bytes = x.needles.bytes = x.out.bytes = 1 << 30; });
  wrong.desc({"out [", "count [", "overlap"}, [&](auto& x) { x.count = {1000, good.out.address}; });
  wrong.desc({"out [", "haystack_count [", "overlap"}, [&](auto& x) {
    x.haystack_count = {500, good.out.address};
  });
  wrong.buffers({"haystack.address", "multiple of 4"}, [](auto& x) { x.haystack.address += 2; });
  wrong.buffers({"needles.address is 0"}, [](auto& x) { x.needles.address = 0; });
  wrong.buffers({"needles.bytes is 3999", "4000"}, [](auto& x) { x.needles.bytes -= 1; });
  wrong.buffers({"out.address", "multiple of 4"}, [](auto& x) { x.out.address += 1; });
  wrong.buffers({"haystack [", "out [", "overlap"},
                [](auto& x) { x.out.address = x.haystack.address; });
  wrong.buffers({"needles [", "out [", "overlap"},
                [](auto& x) { x.out.address = x.needles.address; });
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, SearchDesc{.kind = SearchKind(7)}) == Status::invalid_argument);
}

TEST_CASE("search: no type needs a feature of the device") {
  for (const Spirv* spirv : {&spirv::search_word, &spirv::search_pair}) {
    constexpr std::uint32_t kFloat64 = 10, kInt64 = 11;
    CHECK(SpirvReader(*spirv).capabilities.count(kFloat64) == 0);
    CHECK(SpirvReader(*spirv).capabilities.count(kInt64) == 0);
  }
}

TEST_CASE("search: smoke" * doctest::test_suite("smoke")) {
  check_against_oracle<std::uint32_t>(sorted_keys<float>(300, 100, 1),
                                      sorted_keys<float>(777, 100, 2),
                                      {.device = &device(), .sorted = true});
}

TEST_CASE("search: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::search_word, sizeof(abi::SearchPush)));
}

}  // namespace vkprims::test

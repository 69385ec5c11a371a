// Tests of rolling windows.
#include "rolling/rolling/rolling.abi.h"
#include "rolling/rolling_check.hpp"
#include "rolling/rolling_plan.hpp"
#include "spirv/rolling_double.hpp"
#include "spirv/rolling_edges.hpp"
#include "spirv/rolling_fold.hpp"
#include "spirv/rolling_tile.hpp"
#include "support/segment_lengths.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

// These window lengths reach every path: short ones, of whole runs or not, up to half a tile, up
// to a tile, and beyond.
std::vector<std::uint64_t> windows_of(std::uint64_t tile) {
  if (subset()) return {1, 3, 4, 7, 64, 65, tile / 2, tile / 2 + 1, tile, tile + 1, 2 * tile + 37};
  return {1,        2,
          3,        4,
          5,        6,
          7,        8,
          9,        16,
          17,       31,
          63,       64,
          65,       tile / 2 - 1,
          tile / 2, tile / 2 + 1,
          tile - 1, tile,
          tile + 1, 2 * tile + 37,
          5 * tile};
}

}  // namespace

TEST_CASE("rolling: windows of every length equal sums of their elements, round tiles") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t tile = 512;
  for (const std::uint64_t window : windows_of(tile)) {
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{33}, tile - 1,
                                  tile, tile + 1, 3 * tile}) {
      const auto values = random_values<std::uint32_t>(n, 1);
      for (const std::uint64_t following : {std::uint64_t{0}, window / 3, window}) {
        const RollingDesc desc{.preceding = static_cast<std::int64_t>(window - following),
                               .following = static_cast<std::int64_t>(following)};
        check<std::uint32_t>({values}, {.device = &d, .desc = desc});
      }
    }
    const auto values = random_values<std::uint32_t>(10'000, 1);
    const RollingDesc desc{.preceding = static_cast<std::int64_t>(window)};
    check<std::uint32_t>({values}, {.device = &d, .desc = desc});
  }
}

TEST_CASE("rolling: every result of every type") {
  // Compiling takes most of the time: one or two types stand for all that are computed alike.
  const Device& d = device(kTinyTiles);
  const auto check_type = [&](auto zero, std::initializer_list<RollingOp> ops) {
    using T = decltype(zero);
    const auto values = random_values<T>(1500, 5);
    for (const RollingOp op : ops) {
      check<T>({values}, {.device = &d, .desc = {.op = op, .preceding = 50}});
    }
  };
  using enum RollingOp;
  check_type(float{}, {sum, min, mean});
  check_type(std::uint64_t{}, {sum});
  check_type(std::int32_t{}, {arg_max});
  if (d.features().float64) check_type(double{}, {sum, mean});
  if (subset()) return;
  check_type(std::uint32_t{}, {min, max});
  check_type(std::int32_t{}, {min, max, sum});
  check_type(float{}, {max, variance});
  check_type(std::uint64_t{}, {min, max, arg_min});
  check_type(std::int64_t{}, {min, max});
  if (!d.features().float64) return;
  check_type(double{}, {min, max, arg_max});
  check_type(std::uint32_t{}, {mean});
  check_type(std::int32_t{}, {mean});
  check_type(std::uint64_t{}, {mean});
  check_type(std::int64_t{}, {mean, variance});
}

TEST_CASE("rolling: counts and indices of 4 and of 8 bytes") {
  const Device& d = device(kTinyTiles);
  auto values = random_values<std::uint32_t>(1500, 5);
  for (std::uint32_t& v : values) v %= 9;  // The index is that of the first of equal elements.
  const auto check_index = [&](RollingOp op, IndexWidth width, std::int64_t window) {
    const RollingDesc desc{.op = op, .preceding = window, .following = 9, .index_width = width};
    check<std::uint32_t>({values}, {.device = &d, .desc = desc, .out_validity = true});
  };
  for (const std::int64_t window : {40, 900}) {
    check_index(RollingOp::count, IndexWidth::u32, window);
    check_index(RollingOp::count, IndexWidth::u64, window);
  }
  check_index(RollingOp::arg_min, IndexWidth::u64, 40);
  if (!subset()) check_index(RollingOp::arg_min, IndexWidth::u32, 900);
}

TEST_CASE("rolling: every kind of window, as long as tiles and longer") {
  const Device& d = device(kTinyTiles);
  const auto check_window = [&](auto zero, RollingOp op, bool nulls, std::int64_t window) {
    using T = decltype(zero);
    const auto values = random_values<T>(6000, 6);
    oracle::RollingColumn<T> column{values};
    for (int i = 0; nulls && i < 6000; ++i) column.valid.push_back(i % 7 != 3);
    const RollingDesc desc{.op = op, .preceding = window - 100, .following = 100};
    check<T>(column, {.device = &d, .desc = desc, .out_validity = nulls});
  };
  constexpr std::int64_t kTile = 480, kLong = 1300;
  check_window(float{}, RollingOp::min, false, kTile);
  check_window(std::uint32_t{}, RollingOp::sum, true, kTile);
  check_window(std::uint32_t{}, RollingOp::arg_min, true, kLong);
  if (d.features().float64) check_window(double{}, RollingOp::mean, false, kLong);
  if (subset()) return;
  check_window(float{}, RollingOp::sum, false, kLong);
  check_window(std::int64_t{}, RollingOp::arg_max, false, kTile);
  check_window(std::int64_t{}, RollingOp::sum, false, kLong);
  check_window(std::uint64_t{}, RollingOp::min, true, kLong);
  check_window(float{}, RollingOp::variance, true, kLong);
  if (!d.features().float64) return;
  check_window(double{}, RollingOp::max, false, kTile);
  check_window(double{}, RollingOp::sum, false, kTile);
  check_window(double{}, RollingOp::sum, true, kTile);
  check_window(double{}, RollingOp::variance, true, kTile);
}

TEST_CASE("rolling: nothing that has left a window leaves a trace in a sum") {
  const auto rolled = [](auto values, std::int64_t window) {
    using T = typename decltype(values)::value_type;
    const RollingOptions o{.device = &device(kTinyTiles), .desc = {.preceding = window}};
    return run_on_device<T, T>({values}, o).out;
  };
  const auto in_type = [&](auto zero) {
    using T = decltype(zero);
    const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
    const T huge = T(1e20);
    CHECK(rolled(std::vector<T>{huge, 1, 2, 3}, 2) == std::vector<T>{huge, huge, 3, 5});
    const auto out = rolled(std::vector<T>{nan, 1, 2, inf, -inf, 4, 5}, 2);
    CHECK(std::isnan(out[0]));
    CHECK(std::isnan(out[1]));
    CHECK(std::isnan(out[4]));
    CHECK(std::vector<T>{out[2], out[3], out[5], out[6]} == std::vector<T>{3, inf, -inf, 9});
    const Device& d = device(kTinyTiles);
    for (const std::int64_t window : {9, 300, 2000}) {
      if ((subset() || sizeof(T) == 8) && window != 300) continue;
      std::vector<T> values(4000, T(1));
      values[77] = inf, values[78] = -inf, values[1000] = nan, values[1001] = huge;
      check<T>({values}, {.device = &d, .desc = {.preceding = window}});
    }
  };
  in_type(float{});
  if (device().features().float64) in_type(double{});
  const std::int64_t max = std::numeric_limits<std::int64_t>::max();
  CHECK(rolled(std::vector<std::int64_t>{max, -1, 2}, 2) ==
        std::vector<std::int64_t>{max, max - 1, 1});
  const std::int32_t max_32 = std::numeric_limits<std::int32_t>::max();
  CHECK(rolled(std::vector<std::int32_t>{max_32, 1, 2}, 2) ==
        std::vector<std::int32_t>{max_32, std::numeric_limits<std::int32_t>::min(), 3});
}

TEST_CASE("rolling: min, max and their indices order -0 below +0 and skip NaN") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> of{nan, -0.0f, 0.0f, nan, nan, -nan, 3.0f, inf, -inf, nan, inf, 2.0f};
  const auto check_all = [&](auto zero, bool more) {
    using T = decltype(zero);
    std::vector<T> values;
    for (int i = 0; i < 3000; ++i) values.push_back(static_cast<T>(of[i * i / 7 % of.size()]));
    for (const RollingOp op :
         {RollingOp::min, RollingOp::max, RollingOp::arg_min, RollingOp::arg_max}) {
      if (op == RollingOp::arg_min && !more) break;
      for (const std::int64_t window : {2, 40}) {
        const RollingDesc desc{.op = op, .preceding = window};
        check<T>({values}, {.device = &device(kTinyTiles), .desc = desc});
      }
    }
  };
  check_all(float{}, !subset());
  if (device().features().float64) check_all(double{}, false);
}

TEST_CASE("rolling: f32 sums of 3000 are within 1e-6 of the sum of magnitudes") {
  const std::uint64_t n = 1'000'000;
  std::vector<float> values = random_values<float>(n, 3);
  for (const bool positive : {false, true}) {
    for (float& v : values) v = positive ? std::fabs(v) : v;
    const RollingOptions o{.desc = {.preceding = 3000}};
    const auto out = run_on_device<float, float>({values}, o).out;
    long double worst = 0;
    for (std::uint64_t i = 0; i < n; i += 1 + i % 997) {
      const std::uint64_t begin = i < 2999 ? 0 : i - 2999;
      const auto exact = oracle::sum<float>(std::span(values).subspan(begin, i + 1 - begin));
      worst = std::max(worst, std::fabs(out[i] - exact.value) / exact.magnitudes);
    }
    CAPTURE(static_cast<double>(worst));
    CHECK(worst <= 1e-6L);
  }
}

TEST_CASE("rolling: the library's tiles, one workgroup with several") {
  const auto values = random_values<std::uint32_t>(300'000, 8);
  for (const std::int64_t window : {4, 700, 1100, 100'000}) {
    if (subset() && window == 1100) continue;
    check<std::uint32_t>({values}, {.desc = {.preceding = window}});
  }
  const Device& d = device(kTinyTiles);
  for (const std::int64_t window : {300, 500, 512}) {
    check<std::uint32_t>({values}, {.device = &d, .desc = {.preceding = window}});
  }
}

TEST_CASE("rolling: windows beside their row, and far longer than the sequence") {
  const Device& d = device(kTinyTiles);
  const std::int64_t most = static_cast<std::int64_t>(kMaxCount);
  const std::pair<std::int64_t, std::int64_t> sides[] = {
      {-3, 10},   {12, -5},     {-400, 450},        {900, -850},   {-5000, 7000},
      {most, 0},  {1, most},    {most, most},       {-most, most}, {most, 1 - most},
      {700, 700}, {2, 100'000}, {-2999, 2999 + 600}};
  for (const auto& [preceding, following] : sides) {
    if (preceding + following < 1) continue;
    for (const std::uint64_t n : {1, 100, 3000}) {
      const auto values = random_values<std::uint32_t>(n, 9);
      const RollingDesc desc{.preceding = preceding, .following = following};
      check<std::uint32_t>({values}, {.device = &d, .desc = desc, .out_validity = true});
    }
  }
  const auto values = random_values<float>(3000, 9);
  for (const RollingOp op : {RollingOp::mean, RollingOp::count}) {
    const RollingDesc desc{.op = op, .preceding = -3, .following = 10, .min_periods = 0};
    check<float>({values}, {.device = &d, .desc = desc, .out_validity = true});
  }
}

TEST_CASE("rolling: views that are aligned to one element only") {
  const Device& d = device(kTinyTiles);
  const auto check_shifts = [&](auto zero, RollingOp op) {
    const auto values = random_values<decltype(zero)>(3001, 13);
    for (const std::uint64_t shift : {1, 2, 3}) {
      for (const std::int64_t window : {2, 30, 400, 1500}) {
        if (subset() && (window == 2 || window == 1500)) continue;
        const RollingOptions o{.device = &d,
                               .desc = {.op = op, .preceding = window},
                               .misalign_in = shift,
                               .misalign_out = shift + 1};
        check<decltype(zero)>({values}, o);
      }
    }
  };
  check_shifts(std::uint32_t{}, RollingOp::sum);
  check_shifts(std::uint64_t{}, RollingOp::min);
}

TEST_CASE("rolling: the count may be read on the GPU and is clamped to max") {
  const Device& d = device(kTinyTiles);
  const auto values = random_values<std::uint32_t>(20'000, 14);
  for (const std::int64_t window : {3, 60, 490, 1100}) {
    for (const std::uint64_t n : {0, 1, 511, 512, 513, 7000, 19'999, 20'000, 50'000}) {
      for (const bool out_validity : {false, true}) {
        if (subset() && out_validity) continue;
        const RollingDesc desc{.preceding = window, .following = window == 60 ? 33 : 0};
        check<std::uint32_t>(
            {values},
            {.device = &d, .desc = desc, .out_validity = out_validity, .device_count = n});
      }
    }
  }
  oracle::RollingColumn<std::uint32_t> grouped{values};
  grouped.offsets = offsets_of<std::uint64_t>(lengths(Spread::tens, 20'000, 3));
  for (const std::uint64_t n : {0, 1, 700, 20'000}) {
    const RollingDesc desc{.preceding = 30, .following = 700};
    check(grouped, {.device = &d, .desc = desc, .device_count = n});
  }
}

TEST_CASE("rolling: more than 65,535 tiles") {
  if (subset()) return;
  const Device& d = device(kTinyTiles);
  std::vector<std::uint32_t> values(65'600 * 512);
  std::uint32_t x = 1;
  for (std::uint32_t& v : values) v = x = x * 1664525 + 1013904223;
  const auto count = device_count<std::uint64_t>(1000);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(values.size());
  const auto roll = [&](const RollingDesc& desc) {
    const DirtyScratch scratch(rolling_scratch(d, desc));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_rolling(
          cmd, d, desc, {.in = in.view(), .out = out.view(), .scratch = scratch.get()}));
    });
  };
  for (const std::int64_t window : {3, 520}) {
    const auto length = static_cast<std::uint64_t>(window);
    std::vector<std::uint32_t> want(values.size());
    for (std::uint64_t i = 0; i < values.size(); ++i) {
      want[i] = values[i] + (i ? want[i - 1] : 0) - (i >= length ? values[i - length] : 0);
    }
    RollingDesc desc{.count = values.size(), .preceding = window};
    roll(desc);
    const bool right = context().download(out) == want;
    CHECK(right);
    // A small count does not pay for the largest, because its grid is indirect.
    context().write(out, std::vector<std::uint32_t>(2000, 77));
    desc.count = {values.size(), count.address(), CountWidth::u64};
    CHECK(rolling_scratch(d, desc).bytes != 0);
    roll(desc);
    std::fill(want.begin() + 1000, want.begin() + 2000, 77);
    want.resize(2000);
    CHECK(difference(context().download(out, 0, 2000), want) == "");
  }
}

TEST_CASE("rolling: means of infinite, huge and tiny values, and of zeros") {
  const auto check_type = [&]<class T>(T huge) {
    std::vector<T> values = random_values<T>(2000, 14);
    const T inf = std::numeric_limits<T>::infinity();
    const T blocks[] = {inf, -inf, huge, -huge, T(1) / huge, T(0), huge / 3, T(-3) / huge};
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i / 60 % 3) values[i] = blocks[i / 60 % 8];
    }
    for (const std::int64_t window : {1, 3, 7, 11, 40}) {
      check<T>({values}, {.desc = {.op = RollingOp::mean, .preceding = window}});
    }
  };
  check_type(1e36f);
  if (device().features().float64) check_type(1e300);
}

TEST_CASE("rolling: variance is that of the window, whatever its mean") {
  const Device& d = device(kTinyTiles);
  std::vector<float> values = random_values<float>(3000, 15);
  for (float& v : values) v += 100;
  for (const std::uint32_t ddof : {0u, 1u, 5u}) {
    for (const std::int64_t window : {3, 50, 450, 1000}) {
      if (subset() && window > 50) continue;
      const RollingDesc desc{.op = RollingOp::variance, .preceding = window, .ddof = ddof};
      check<float>({values}, {.device = &d, .desc = desc});
    }
  }
}

TEST_CASE("rolling: a step of a Recorder") {
  const auto values = random_values<float>(5000, 16);
  const auto in = context().upload(values);
  const auto out = context().allocate<float>(values.size());
  context().run([&](Recorder& r) { rolling(r, {.preceding = 30}, in, out); });
  const auto result = context().download(out);
  const RollingDesc desc{.type = Type::f32, .preceding = 30};
  for (const std::uint64_t i : {0, 1, 29, 30, 4999}) {
    const auto want = oracle::rolling_row<float>(desc, {values}, i);
    CHECK(oracle::rolling_matches(want, result[i]));
  }
}

TEST_CASE(
    "rolling: recorded twice in one command buffer, and replayed 100 times, with one dirty "
    "scratch") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 4000;
  const auto values = random_values<std::uint32_t>(n, 17);
  const std::vector<std::uint64_t> offsets{0, 5, 2500, 2501, n};
  const auto in = context().upload(values);
  const auto bounds = context().upload(offsets);
  const auto out = context().allocate<std::uint32_t>(2 * n);
  const RollingDesc desc{.count = n,
                         .preceding = 700,
                         .following = 20,
                         .groups = offsets.size() - 1,
                         .offset_width = IndexWidth::u64};
  std::vector<std::uint32_t> twice(2 * n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const oracle::RollingColumn<std::uint32_t> column{values, {}, offsets};
    twice[i] = twice[n + i] =
        static_cast<std::uint32_t>(oracle::rolling_row(desc, column, i).integer);
  }
  const DirtyScratch scratch(rolling_scratch(d, desc));
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(2 * n, 77)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_rolling(cmd, d, desc,
                              {.in = in.view(),
                               .out = out.slice(i * n, n).view(),
                               .offsets = bounds.view(),
                               .scratch = scratch.get()});
      },
      [&] { CHECK(difference(context().download(out), twice) == ""); });
}

TEST_CASE("rolling: nothing is recorded without elements") {
  spy().clear();
  context().run([&](Recorder& r) {
    throw_if_error(record_rolling(r.command_buffer(), device(), {.count = 0, .groups = 3}, {}));
  });
  CHECK(spy().recorded.empty());
}

TEST_CASE("rolling: the size query is monotone in the count and 0 for an invalid descriptor") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    for (const std::int64_t preceding : {1, 100, 3000, 1'000'000}) {
      for (const std::uint64_t groups : {0, 7}) {
        for (const std::int64_t following : {0, 9}) {
          for (const VkDeviceAddress address : {0, 8}) {
            check_monotone([&](std::uint64_t n) {
              return rolling_scratch(d, {.count = {n, address},
                                         .preceding = preceding,
                                         .following = following,
                                         .groups = groups})
                  .bytes;
            });
          }
        }
      }
    }
    CHECK(rolling_scratch(d, {.count = 1 << 30, .preceding = 100}).bytes == 0);
    CHECK(rolling_scratch(d, {.count = 0, .preceding = 1'000'000}).bytes == 0);
    CHECK(rolling_scratch(d, {.count = kMaxCount + 1, .preceding = 1'000'000}).bytes == 0);
  }
  CHECK(rolling_scratch(Device(), {.count = 1 << 20, .preceding = 1'000'000}).bytes == 0);
}

TEST_CASE("rolling: warm_up compiles everything that is used") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  observe(d);
  const auto values = random_values<std::uint32_t>(9000, 18);
  const auto memory = context().allocate<std::uint32_t>(1000);
  expect_error(Status::not_warmed, {"warm_up"}, [&](VkCommandBuffer cmd) {
    return record_rolling(cmd, d, {.count = 100, .preceding = 3},
                          {memory.slice(0, 100).view(), memory.slice(200, 100).view()});
  });
  const std::vector<std::uint64_t> offsets{0, 700, 9000};
  for (const std::int64_t window : {3, 40, 400, 1000}) {
    for (const bool grouped : {false, true}) {
      if (grouped ? window != 400 : subset() && window == 400) continue;
      if (subset() && grouped) continue;
      RollingDesc desc{.preceding = window, .following = grouped ? 2 * window : 0};
      if (grouped) desc.groups = 2;
      throw_if_error(warm_up(d, desc));
      for (const std::uint64_t n : {1, 300, 9000}) {
        oracle::RollingColumn<std::uint32_t> column{std::span(values).first(n)};
        if (grouped) column.offsets = offsets;
        check(column, {.device = &d, .desc = desc, .misalign_in = 1, .out_validity = n == 300});
      }
    }
  }
}

TEST_CASE("rolling: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  const RollingDesc desc{.count = 1000,
                         .preceding = 4,
                         .following = 2,
                         .nullable = true,
                         .validity_offset = 8,
                         .groups = 10};
  const ScratchNeed need = rolling_scratch(d, desc);
  const RollingBuffers good{
      all.slice(0, 1000).view(),     all.slice(200'000, 1000).view(),
      all.slice(300'000, 32).view(), all.slice(400'000, 32).view(),
      all.slice(500'000, 11).view(), scratch_view(d, memory.handle(), 3 << 20, need.bytes)};
  const WrongInput wrong(d, &record_rolling, desc, good);
  wrong.anywhere();
  wrong.scratch("rolling_scratch()");
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, RollingDesc{.preceding = 0}) == Status::invalid_argument);

  wrong.desc({"rolling: op is 8", "0 … 7"}, [](auto& x) { x.op = RollingOp(8); });
  wrong.desc({"partial is 3"}, [](auto& x) { x.partial = RollingPartial(3); });
  wrong.desc({"index_width is 2"}, [](auto& x) { x.index_width = IndexWidth(2); });
  wrong.desc({"offset_width is 2"}, [](auto& x) { x.offset_width = IndexWidth(2); });
  wrong.desc({"groups is 274877906945"}, [](auto& x) { x.groups = kMaxCount + 1; });
  wrong.desc({"preceding is 0", "1 … 274877906944"}, [](auto& x) { x.preceding = 0; });
  wrong.desc({"following is -1", "0 … 274877906944"}, [](auto& x) { x.following = -1; });
  wrong.desc({"preceding is 274877906945"}, [](auto& x) { x.preceding = kMaxCount + 1; });
  wrong.both(
      {"preceding is -9", "following is 9", "at least 1"},
      [](auto& x) { x.groups = 0, x.preceding = -9, x.following = 9; },
      [](auto& x) { x.offsets = {}; });
  wrong.desc({"min_periods is 274877906945"}, [](auto& x) { x.min_periods = kMaxCount + 1; });
  wrong.desc({"validity_offset is 274877906945"},
             [](auto& x) { x.validity_offset = kMaxCount + 1; });
  wrong.desc({"infinity", "sum of u32"}, [](auto& x) { x.partial = RollingPartial::infinity; });
  wrong.desc({"count.max is 4294967296", "IndexWidth::u32"},
             [](auto& x) { x.op = RollingOp::arg_min, x.count = std::uint64_t{1} << 32; });
  wrong.desc({"validity is given", "nullable"}, [](auto& x) { x.nullable = false; });
  wrong.desc({"offsets is given", "groups"}, [](auto& x) { x.groups = 0; });
  wrong.buffers({"in.address is 0"}, [](auto& x) { x.in.address = 0; });
  wrong.buffers({"in.bytes is 3999", "4000"}, [](auto& x) { x.in.bytes -= 1; });
  wrong.buffers({"in.address", "multiple of 4"}, [](auto& x) { x.in.address += 2; });
  wrong.buffers({"out.bytes is 3996", "4000"}, [](auto& x) { x.out.bytes -= 4; });
  wrong.buffers({"validity.bytes is 124", "128"}, [](auto& x) { x.validity.bytes -= 4; });
  wrong.buffers({"validity.address is 0"}, [](auto& x) { x.validity = {}; });
  wrong.buffers({"validity.address", "multiple of 4"}, [](auto& x) { x.validity.address += 2; });
  wrong.buffers({"out_validity.bytes is 124"}, [](auto& x) { x.out_validity.bytes -= 4; });
  wrong.buffers({"offsets.bytes is 40", "44"}, [](auto& x) { x.offsets.bytes -= 4; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address; });
  wrong.buffers({"validity [", "out_validity [", "overlap"},
                [](auto& x) { x.out_validity.address = x.validity.address; });
  wrong.buffers({"out [", "scratch [", "overlap"},
                [](auto& x) { x.scratch.address = x.out.address / 16 * 16; });
  wrong.desc({"out [", "count [", "overlap"}, [&](auto& x) { x.count = {1000, good.out.address}; });
  wrong.desc({"out [", "groups [", "overlap"}, [&](auto& x) { x.groups = {10, good.out.address}; });
}

TEST_CASE("rolling: what needs f64 is refused by a device without it, and nothing else is") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.enabled.int64 = info.enabled.int64_atomics = info.enabled.float64 = false;
  Device narrow;
  throw_if_error(create_device(info, limits(), narrow));
  observe(narrow);
  for (const auto& [op, type] : {std::pair(RollingOp::sum, Type::f64),
                                 {RollingOp::mean, Type::i32},
                                 {RollingOp::variance, Type::u64},
                                 {RollingOp::mean, Type::f64}}) {
    expect_error(Status::unsupported, {name_of(op), name_of(type), "float64"},
                 [&, op = op, type = type](VkCommandBuffer cmd) {
                   return record_rolling(cmd, narrow, {.type = type, .op = op, .count = 1}, {});
                 });
  }
  const auto longs = random_values<std::int64_t>(1000, 19);
  check<std::int64_t>({longs}, {.device = &narrow, .desc = {.preceding = 20}});
  const auto doubles = random_values<double>(1000, 19);
  const RollingDesc desc{.op = RollingOp::max, .preceding = 20};
  check<double>({doubles}, {.device = &narrow, .desc = desc});
}

TEST_CASE("rolling: the fewer registers a device has, the fewer rows and invocations a workgroup") {
  Device own;
  throw_if_error(Device::create(device().state()->info, own));
  const auto side = [&](std::uint32_t subgroup_size, Type type, RollingOp op, bool nullable,
                        bool out_validity = false) {
    own.state()->subgroup_size = subgroup_size;
    own.state()->largest_workgroup = 1024;
    own.state()->shared_bytes = 65536;
    const RollingDesc desc{
        .type = type, .op = op, .count = 1 << 20, .preceding = 4000, .nullable = nullable};
    return rolling_plan(*own.state(), desc, out_validity).sides[0];
  };
  // Sums of doubles have 8 rows, and so do sums that count valid elements; a single word needs few
  // registers on any device.
  CHECK(side(32, Type::u64, RollingOp::sum, false).run_items == 16);
  CHECK(side(32, Type::u64, RollingOp::sum, true).run_items == 8);
  // Where rows may be null, no workgroup marches, and the latter have 16 where registers allow it.
  CHECK(side(32, Type::u64, RollingOp::sum, true, true).run_items == 16);
  CHECK(side(32, Type::f64, RollingOp::mean, true, true).run_items == 16);
  CHECK(side(32, Type::f64, RollingOp::mean, false, true).run_items == 8);
  CHECK(side(64, Type::f64, RollingOp::mean, true, true).run_items == 8);
  CHECK(side(64, Type::u64, RollingOp::sum, true, true).run_items == 8);
  for (const bool nullable : {false, true}) {
    CHECK(side(32, Type::f64, RollingOp::mean, nullable).run_items == 8);
    CHECK(side(32, Type::f64, RollingOp::mean, nullable).path == RollingPath::edges);
    CHECK(side(64, Type::f64, RollingOp::mean, nullable).path == RollingPath::levels);
  }
  CHECK(side(64, Type::u32, RollingOp::sum, false).path == RollingPath::edges);
  CHECK(side(64, Type::f64, RollingOp::arg_min, false).path == RollingPath::levels);
  CHECK(side(64, Type::f64, RollingOp::variance, false).path == RollingPath::levels);
  CHECK(side(64, Type::f32, RollingOp::variance, true).workgroup_size == 256);
  const RollingSide pair = side(64, Type::u64, RollingOp::sum, false);
  CHECK(pair.path == RollingPath::edges);
  CHECK(pair.workgroup_size == 256);
}

TEST_CASE("rolling: smoke" * doctest::test_suite("smoke")) {
  const auto values = random_values<std::uint32_t>(1500, 20);
  check<std::uint32_t>({values}, {.device = &device(kTinyTiles), .desc = {.preceding = 20}});
}

TEST_CASE("rolling: push constants of the shaders and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::rolling_tile_word, sizeof(abi::RollingPush)));
  CHECK(push_matches(vkprims::spirv::rolling_edges_count_f32, sizeof(abi::RollingPush)));
  CHECK(push_matches(vkprims::spirv::rolling_fold_count_word, sizeof(abi::RollingFoldPush)));
  CHECK(push_matches(vkprims::spirv::rolling_double_word, sizeof(abi::RollingDoublePush)));
}

}  // namespace vkprims::test

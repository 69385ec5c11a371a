// Tests of spmv.
#include "oracles/spmv.hpp"

#include "reduce/segmented.hpp"
#include "reduce/spmv/spmv.abi.h"
#include "spirv/spmv_fix_up.hpp"
#include "spirv/spmv_tiles.hpp"
#include "support/segment_lengths.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

template <class T, class Offset = std::uint32_t>
using Matrix = oracle::Csr<T, Offset>;

// Returns a matrix whose rows name columns in no order, some of them more than once.
template <class T, class Offset = std::uint32_t>
Matrix<T, Offset> random_matrix(const std::vector<std::uint64_t>& row_lengths,
                                std::uint64_t columns) {
  Matrix<T, Offset> a;
  a.offsets = offsets_of<Offset>(row_lengths);
  a.values = random_values<T>(a.offsets.back(), 1);
  for (const auto random : random_values<std::uint32_t>(a.values.size(), 2)) {
    a.columns.push_back(static_cast<std::uint32_t>(random % columns));
  }
  return a;
}

std::vector<Type> float_types(const Device& d) {
  std::vector<Type> result{Type::f32};
  if (d.features().float64) result.push_back(Type::f64);
  return result;
}

template <class F>
void with_float(Type type, F&& f) {
  if (type == Type::f64) return f(double{});
  return f(float{});
}

struct Options {
  const Device* device;
  SpmvDesc desc = {};  // types and sizes follow from the data
  double alpha = 1, beta = 0;
  bool factors_on_device = false;
  std::uint64_t misalign_values = 0, misalign_columns = 0, misalign_others = 0;  // elements
};

// Returns y after the call.
template <class T, class Offset>
std::vector<T> run_on_device(const Matrix<T, Offset>& a, const std::vector<T>& x,
                             const std::vector<T>& y, Options o, DeviceReport* found = nullptr) {
  o.desc.type = type_of<T>();
  o.desc.offset_width = sizeof(Offset) == 8 ? IndexWidth::u64 : IndexWidth::u32;
  o.desc.value_count = a.values.size();
  o.desc.x_count = x.size();
  o.desc.count = o.desc.count.or_all(a.rows());
  const T alpha = static_cast<T>(o.alpha), beta = static_cast<T>(o.beta);
  const auto factors = context().upload(std::vector<T>{alpha, beta});
  if (o.factors_on_device) {
    o.desc.alpha = Value::at(factors.address());
    o.desc.beta = Value::at(factors.address() + sizeof(T));
  } else {
    if (alpha != 1) o.desc.alpha = alpha;
    if (beta != 0) o.desc.beta = beta;
  }
  const Guarded values(a.values, o.misalign_values * sizeof(T));
  const Guarded columns(a.columns, o.misalign_columns * 4);
  const Guarded offsets(a.offsets, o.misalign_others * sizeof(Offset));
  const Guarded vector(x, o.misalign_others * sizeof(T));
  const Guarded out(y, o.misalign_others * sizeof(T));
  const Guarded report(std::vector<DeviceReport>(1), 8);
  const DirtyScratch scratch(spmv_scratch(*o.device, o.desc));
  const bool reports = o.desc.out_of_range != OutOfRange::unchecked;
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_spmv(cmd, *o.device, o.desc,
                               {.values = values.view(),
                                .columns = columns.view(),
                                .offsets = offsets.view(),
                                .x = vector.view(),
                                .y = out.view(),
                                .report = reports ? report.view() : BufferView{},
                                .scratch = scratch.get()}));
  });
  CHECK(same_bits(values.read<T>(), a.values));
  CHECK(same_bits(vector.read<T>(), x));
  if (found) *found = report.read<DeviceReport>()[0];
  return out.read<T>();
}

template <class T>
void check_rows(const std::vector<T>& result, const std::vector<oracle::RowSum>& expected) {
  REQUIRE(result.size() == expected.size());
  for (std::size_t row = 0; row < result.size(); ++row) {
    if (std::fabs(result[row] - expected[row].value) <= expected[row].error_bound) continue;
    CAPTURE(row);
    CHECK(result[row] == static_cast<T>(expected[row].value));
    return;
  }
}

template <class T, class Offset>
void check_against_oracle(const Matrix<T, Offset>& a, const std::vector<T>& x, const Options& o) {
  std::vector<T> y(a.rows(), std::numeric_limits<T>::quiet_NaN());
  if (o.beta != 0) y = random_values<T>(a.rows(), 9);
  DeviceReport report;
  const std::vector<T> result = run_on_device(a, x, y, o, &report);
  std::uint64_t outside = 0;
  check_rows(result, oracle::spmv<T, Offset>(a, x, o.desc.out_of_range, static_cast<T>(o.alpha),
                                             static_cast<T>(o.beta), y, outside));
  if (o.desc.out_of_range == OutOfRange::unchecked) return;
  CHECK(report.count == outside);
  CHECK(report.code == (outside ? DeviceReport::index_out_of_range : DeviceReport::ok));
  if (outside) {
    REQUIRE(report.first_index < a.columns.size());
    CHECK(a.columns[report.first_index] >= x.size());
  }
}

}  // namespace

TEST_CASE("spmv: nonzeros spread over rows in every way, for both types") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles, kSearchingTiles})) {
    const Device& d = device(tuning);
    for (const Type type : float_types(d)) {
      if (type == Type::f64 && &d == &device(Tuning{})) continue;
      with_float(type, [&](auto zero) {
        using T = decltype(zero);
        const std::uint64_t tile =
            segmented_plan(*d.state(), sizeof(T) / 4, 0, 0, kSpmvLaneItems).tile_items;
        const std::vector<T> x = random_values<T>(1000, 5);
        for (const Spread spread : kSpreads) {
          for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile - 1, tile,
                                        tile + 1, std::uint64_t{50'000}}) {
            CAPTURE(static_cast<int>(spread));
            CAPTURE(n);
            const auto a = random_matrix<T>(lengths(spread, n, 7), x.size());
            if (a.rows()) check_against_oracle(a, x, {.device = &d});
          }
        }
      });
    }
  }
}

TEST_CASE("spmv: alpha and beta, from the host or the device; y is not read where beta is 0") {
  const Device& d = device(kTinyTiles);
  for (const Type type : float_types(d)) {
    with_float(type, [&](auto zero) {
      using T = decltype(zero);
      const std::vector<T> x = random_values<T>(300, 5);
      for (const std::uint64_t n : {50, 3000}) {
        const auto a = random_matrix<T>(lengths(Spread::half_empty, n, 7), x.size());
        for (const bool on_device : {false, true}) {
          for (const double alpha : {1.0, -2.5, 0.0}) {
            for (const double beta : {0.0, 1.0, 0.3}) {
              check_against_oracle(
                  a, x,
                  {.device = &d, .alpha = alpha, .beta = beta, .factors_on_device = on_device});
            }
          }
        }
      }
    });
  }
}

TEST_CASE("spmv: infinities and NaN do not come through where alpha is 0") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  Matrix<float, std::uint32_t> a;
  a.values = {inf, 1, nan, -inf, inf};
  a.columns = {0, 1, 0, 1, 0};
  a.offsets = {0, 2, 2, 3, 5};
  const std::vector<float> y = {1, 2, nan, 4};
  for (const bool on_device : {false, true}) {
    Options o{.device = &device(), .alpha = 0, .beta = 0, .factors_on_device = on_device};
    CHECK(run_on_device(a, {nan, inf}, y, o) == std::vector<float>(4, 0.0f));
    o.beta = 2;
    const std::vector<float> result = run_on_device(a, {nan, inf}, y, o);
    CHECK(result[0] == 2);
    CHECK(result[1] == 4);
    CHECK(std::isnan(result[2]));
    CHECK(result[3] == 8);
  }
}

TEST_CASE("spmv: the identity, one element, no columns, no nonzeros") {
  const Device& d = device(kTinyTiles);
  const std::vector<float> x = random_values<float>(5000, 1);
  Matrix<float> identity;
  identity.values.assign(5000, 1.0f);
  for (std::uint32_t i = 0; i < 5000; ++i) identity.columns.push_back(i);
  identity.offsets = offsets_of<std::uint32_t>(std::vector<std::uint64_t>(5000, 1));
  const std::vector<float> nan(5000, std::numeric_limits<float>::quiet_NaN());
  CHECK(run_on_device(identity, x, nan, {.device = &d}) == x);

  const Matrix<float> one{{2.0f}, {0}, {0, 1}};
  CHECK(run_on_device(one, std::vector<float>{3.0f}, {1.0f}, {.device = &d, .beta = 1}) ==
        std::vector<float>{7.0f});
  const Matrix<float> empty{{}, {}, std::vector<std::uint32_t>(2001)};
  check_against_oracle(empty, x, {.device = &d});
  check_against_oracle(empty, x, {.device = &d, .beta = 2});
  check_against_oracle(empty, {}, {.device = &d, .desc = {.out_of_range = OutOfRange::clamp}});
  spy().clear();
  context().run(
      [&](Recorder& r) { throw_if_error(record_spmv(r.command_buffer(), d, {.count = 0}, {})); });
  CHECK(spy().recorded.empty());
}

TEST_CASE("spmv: columns out of range count as 0 or as the last one, and are reported") {
  const Device& d = device(kTinyTiles);
  for (const Type type : float_types(d)) {
    with_float(type, [&](auto zero) {
      using T = decltype(zero);
      for (const OutOfRange policy : {OutOfRange::skip, OutOfRange::clamp}) {
        for (const std::uint64_t n : {90, 5000}) {
          const Options o{.device = &d, .desc = {.out_of_range = policy}};
          auto a = random_matrix<T>(lengths(Spread::tens, n, 7), 200);
          check_against_oracle(a, random_values<T>(200, 1), o);
          check_against_oracle(a, random_values<T>(150, 1), o);
          check_against_oracle(a, {}, o);
          for (std::uint32_t& column : a.columns) column |= 0x80000000u;
          check_against_oracle(a, random_values<T>(150, 1), o);
          a.columns.assign(n, 7);
          a.columns.back() = 0xffffffffu;
          check_against_oracle(a, random_values<T>(150, 1), o);
        }
      }
    });
  }
}

TEST_CASE("spmv: each column out of range is reported once, also in a tile of less than a cell") {
  const Device& d = device(kTinyTiles);
  for (std::uint64_t n = 1; n <= 9; ++n) {
    for (std::uint64_t misaligned = 0; misaligned < 4; ++misaligned) {
      const Options o{.device = &d,
                      .desc = {.out_of_range = OutOfRange::skip},
                      .misalign_values = misaligned,
                      .misalign_columns = misaligned};
      auto a = random_matrix<float>(lengths(Spread::tens, n, 7), 200);
      a.columns.assign(n, 0xfffffff0u);
      check_against_oracle(a, random_values<float>(150, 1), o);
    }
  }
}

TEST_CASE("spmv: views that are aligned to one element only") {
  const Device& d = device(kTinyTiles);
  const std::vector<float> x = random_values<float>(300, 5);
  for (const std::uint64_t values : {0, 1, 2, 3}) {
    for (const std::uint64_t columns : {0, 1, 2, 3}) {
      for (const std::uint64_t n : {100, 3000}) {
        const auto a = random_matrix<float>(lengths(Spread::tens, n + values, 7), x.size());
        check_against_oracle(a, x,
                             {.device = &d,
                              .desc = {.out_of_range = OutOfRange::skip},
                              .misalign_values = values,
                              .misalign_columns = columns,
                              .misalign_others = 1});
      }
    }
  }
  if (!d.features().float64) return;
  const std::vector<double> wide_x = random_values<double>(300, 5);
  for (const std::uint64_t values : {0, 1}) {
    for (const std::uint64_t columns : {0, 1}) {
      const auto a =
          random_matrix<double, std::uint64_t>(lengths(Spread::tens, 3000, 7), wide_x.size());
      check_against_oracle(a, wide_x,
                           {.device = &d,
                            .misalign_values = values,
                            .misalign_columns = columns,
                            .misalign_others = 1});
    }
  }
}

TEST_CASE("spmv: the number of rows may be read on the GPU and is clamped to max") {
  const Device& d = device(goes_first_way() ? kTinyTiles : kSearchingTiles);
  const std::vector<float> x = random_values<float>(300, 5);
  const auto a = random_matrix<float>(lengths(Spread::tens, 20'000, 7), x.size());
  const std::vector<float> y = random_values<float>(a.rows(), 3);
  std::uint64_t outside;
  const auto all = oracle::spmv<float, std::uint32_t>(a, x, OutOfRange::skip, 1, 0, y, outside);
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{700}, a.rows(), 2 * a.rows()}) {
    const auto count = device_count(n);
    const Count given(a.rows(), count.address(), CountWidth::u64);
    const auto result = run_on_device(a, x, y, {.device = &d, .desc = {.count = given}});
    std::vector<oracle::RowSum> expected(all);
    for (std::uint64_t row = n; row < a.rows(); ++row) expected[row] = {y[row], 0};
    check_rows(result, expected);
  }
}

TEST_CASE("spmv: offsets and columns that make no sense touch nothing outside of the views") {
  const Device& d = device(kTinyTiles);
  const std::vector<float> x = random_values<float>(300, 5);
  for (const std::uint64_t n : {100, 5000}) {
    for (const std::uint64_t rows : {1, 40, 3000}) {
      for (const auto& offsets : hostile_offsets<std::uint32_t>(rows, n)) {
        auto a = random_matrix<float>({n}, 1'000'000);
        a.offsets = offsets;
        run_on_device(a, x, std::vector<float>(rows),
                      {.device = &d, .desc = {.out_of_range = OutOfRange::skip}, .beta = 1});
      }
    }
  }
}

TEST_CASE("spmv: bit-identical from run to run") {
  const Device& d = device(kTinyTiles);
  const std::vector<float> x = random_values<float>(3000, 5);
  const auto a = random_matrix<float>(lengths(Spread::power_law, 100'000, 7), x.size());
  const std::vector<float> y(a.rows());
  const std::vector<float> first = run_on_device(a, x, y, {.device = &d});
  for (int i = 0; i < 10; ++i) CHECK(run_on_device(a, x, y, {.device = &d}) == first);
}

TEST_CASE("spmv: a step of a Recorder, with and without a report") {
  const std::vector<float> host_x = random_values<float>(50, 5);
  const auto a = random_matrix<float>(lengths(Spread::tens, 1000, 7), 60);
  const auto values = context().upload(a.values);
  const auto columns = context().upload(a.columns);
  const auto offsets = context().upload(a.offsets);
  const auto x = context().upload(host_x);
  const auto y = context().allocate<float>(a.rows());
  const auto report = context().upload(std::vector<DeviceReport>(1));
  const SpmvDesc desc{.out_of_range = OutOfRange::skip};
  std::uint64_t outside = 0;
  const auto expected =
      oracle::spmv<float, std::uint32_t>(a, host_x, OutOfRange::skip, 1, 0, {}, outside);
  context().run([&](Recorder& r) { spmv(r, desc, values, columns, offsets, x, y); });
  check_rows(context().download(y), expected);
  context().run([&](Recorder& r) { spmv(r, desc, values, columns, offsets, x, y, report); });
  check_rows(context().download(y), expected);
  CHECK(context().download(report)[0].count == outside);
}

TEST_CASE(
    "spmv: recorded twice in one command buffer, and replayed 100 times, with one dirty scratch") {
  const Device& d = device(kTinyTiles);
  const std::vector<float> host_x = random_values<float>(300, 5);
  const auto a = random_matrix<float>(lengths(Spread::tens, 10'000, 7), host_x.size());
  const auto values = context().upload(a.values);
  const auto columns = context().upload(a.columns);
  const auto offsets = context().upload(a.offsets);
  const auto x = context().upload(host_x);
  const auto y = context().allocate<float>(a.rows());
  const SpmvDesc desc{
      .count = a.rows(), .value_count = a.values.size(), .x_count = host_x.size(), .beta = 1.0f};
  const DirtyScratch scratch(spmv_scratch(d, desc));
  std::uint64_t outside = 0;
  auto expected =
      oracle::spmv<float, std::uint32_t>(a, host_x, OutOfRange::skip, 2, 0, {}, outside);
  for (auto& row : expected) row.error_bound *= 2;
  replay(
      d, [&] { context().write(y, std::vector<float>(a.rows())); },
      [&](VkCommandBuffer cmd, std::uint64_t) {
        return record_spmv(cmd, d, desc,
                           {.values = values.view(),
                            .columns = columns.view(),
                            .offsets = offsets.view(),
                            .x = x.view(),
                            .y = y.view(),
                            .scratch = scratch.get()});
      },
      [&] { check_rows(context().download(y), expected); });
}

TEST_CASE("spmv: warm_up compiles everything that is used") {
  DeviceInfo info = device(kSearchingTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  observe(d);
  const std::vector<float> x = random_values<float>(300, 5);
  const auto count = device_count<std::uint32_t>(50);
  throw_if_error(warm_up(d, SpmvDesc{.count = Count(1, count.address())}));
  for (const std::uint64_t n : {100, 3000, 300'000, 1'000'000}) {
    for (const std::uint64_t misalign : {0, 1}) {
      const auto a = random_matrix<float>(lengths(Spread::tens, n, 7), x.size());
      check_against_oracle(a, x, {.device = &d, .misalign_columns = misalign});
    }
  }
}

TEST_CASE("spmv: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  const SpmvDesc desc{.type = Type::f32,
                      .out_of_range = OutOfRange::skip,
                      .count = 1000,
                      .value_count = 100'000,
                      .x_count = 500};
  const ScratchNeed need = spmv_scratch(d, desc);
  const SpmvBuffers good{all.slice(0, 100'000).view(),
                         all.slice(100'000, 100'000).view(),
                         all.slice(200'000, 1001).view(),
                         all.slice(300'000, 500).view(),
                         all.slice(310'000, 1000).view(),
                         all.slice(320'000, 8).view(),
                         scratch_view(d, memory.handle(), 3 << 20, need.bytes)};
  const WrongInput wrong(d, &record_spmv, desc, good);
  wrong.anywhere();
  wrong.scratch("spmv_scratch()");
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, SpmvDesc{.type = Type::u32}) == Status::invalid_argument);
  CHECK(spmv_scratch(d, {.type = Type::u32, .count = 1 << 20}).bytes == 0);
  CHECK(spmv_scratch(d, {.count = 1 << 20}).bytes > 0);

  wrong.desc({"spmv: type is u32", "f32 or f64"}, [](auto& x) { x.type = Type::u32; });
  wrong.desc({"out_of_range is fill"}, [](auto& x) { x.out_of_range = OutOfRange::fill; });
  wrong.desc({"out_of_range is 7"}, [](auto& x) { x.out_of_range = OutOfRange(7); });
  wrong.desc({"report", "unchecked"}, [](auto& x) { x.out_of_range = OutOfRange::unchecked; });
  wrong.desc({"offset_width is 2"}, [](auto& x) { x.offset_width = IndexWidth(2); });
  wrong.desc({"value_count is 274877906945"}, [](auto& x) { x.value_count = kMaxCount + 1; });
  wrong.desc({"x_count is 274877906945"}, [](auto& x) { x.x_count = kMaxCount + 1; });
  wrong.desc({"alpha is 0.10000000000000001", "f32"}, [](auto& x) { x.alpha = 0.1; });
  wrong.desc({"beta.address", "multiple of 4"}, [](auto& x) { x.beta = Value::at(0x1002); });
  wrong.buffers({"values.bytes is 399999", "400000"}, [](auto& x) { x.values.bytes -= 1; });
  wrong.buffers({"columns.bytes is 399999", "400000"}, [](auto& x) { x.columns.bytes -= 1; });
  wrong.buffers({"columns.address", "multiple of 4"}, [](auto& x) { x.columns.address += 2; });
  wrong.buffers({"offsets.bytes is 4003", "4004"}, [](auto& x) { x.offsets.bytes -= 1; });
  wrong.buffers({"x.bytes is 1999", "2000"}, [](auto& x) { x.x.bytes -= 1; });
  wrong.buffers({"y.address is 0"}, [](auto& x) { x.y.address = 0; });
  wrong.buffers({"report.address", "multiple of 8"}, [](auto& x) { x.report.address += 4; });
  wrong.buffers({"x [", "y [", "overlap"}, [](auto& x) { x.y.address = x.x.address; });
  wrong.buffers({"columns [", "y [", "overlap"}, [](auto& x) { x.y.address = x.columns.address; });
  wrong.buffers({"y [", "report [", "overlap"},
                [](auto& x) { x.report.address = x.y.address / 8 * 8; });
  wrong.desc({"y [", "beta [", "overlap"},
             [&](auto& x) { x.beta = Value::at(good.y.address + 8); });
}

TEST_CASE("spmv: a type that the device lacks is refused by name") {
  check_refused_types([](VkCommandBuffer cmd, const Device& d, Type type) {
    return record_spmv(cmd, d, {.type = type, .count = 1}, {});
  });
}

TEST_CASE("spmv: smoke" * doctest::test_suite("smoke")) {
  const std::vector<float> x = random_values<float>(300, 5);
  check_against_oracle(random_matrix<float>(lengths(Spread::tens, 1500, 7), x.size()), x,
                       {.device = &device(kTinyTiles)});
}

TEST_CASE("spmv: push constants of the shaders and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::spmv_tiles_f32, sizeof(abi::SpmvPush)));
  CHECK(push_matches(vkprims::spirv::spmv_fix_up_f32, sizeof(abi::SpmvPush)));
}

}  // namespace vkprims::test

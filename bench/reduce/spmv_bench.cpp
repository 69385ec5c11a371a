// Benchmark rows of spmv.
#include "harness.hpp"
#include "oracles/spmv.hpp"
#include "segmented_data.hpp"
#include "vkprims/spmv.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  Spread spread = Spread::band16;  // columns within 512 of the row; of other spreads: random
  OutOfRange out_of_range = OutOfRange::unchecked;
  std::uint64_t offset = 0;  // of `columns`, elements from a multiple of 16 bytes
};

template <class T>
struct Spmv {
  Buffer<T> values, x, y;
  Buffer<std::uint32_t> columns, offsets;
  Session::ScratchBlock scratch;
  SpmvDesc desc;
  SpmvBuffers buffers;
};

// A square matrix with n nonzeros.
template <class T>
oracle::Csr<T, std::uint32_t> make_matrix(std::uint64_t n, Spread spread) {
  oracle::Csr<T, std::uint32_t> a;
  a.values = host_data<T>(data_for<T>(), n);
  a.offsets = offsets_of<std::uint32_t>(spread, n);
  a.columns.resize(n);
  const std::uint64_t rows = a.rows();
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t random = mix_bits(i + n);
    const std::uint64_t near = i / 16 + random % 1025;
    a.columns[i] = static_cast<std::uint32_t>(
        spread == Spread::band16 ? std::min(std::max(near, std::uint64_t{512}) - 512, rows - 1)
                                 : (random * rows) >> 32);
  }
  return a;
}

template <class T>
Case make_spmv(Session& session, std::uint64_t n, const Shape& shape) {
  Context& context = session.context();
  auto c = std::make_shared<Spmv<T>>();
  const auto a = make_matrix<T>(n, shape.spread);
  const std::uint64_t rows = a.rows();
  c->values = context.upload(a.values);
  c->columns = session.allocate<std::uint32_t>(n + 4);
  context.write(c->columns, a.columns, shape.offset);
  c->offsets = context.upload(a.offsets);
  c->x = session.allocate<T>(rows);
  session.generate(c->x.address(), rows * sizeof(T) / 4, data_for<T>());
  c->y = session.allocate<T>(rows);
  c->desc = {.type = type_of<T>(),
             .out_of_range = shape.out_of_range,
             .count = rows,
             .value_count = n,
             .x_count = rows};
  c->scratch = session.allocate_scratch(spmv_scratch(session.device(), c->desc));
  c->buffers = {.values = c->values.view(),
                .columns = c->columns.slice(shape.offset, n).view(),
                .offsets = c->offsets.view(),
                .x = c->x.view(),
                .y = c->y.view(),
                .scratch = c->scratch.scratch};

  Case result;
  result.items = n;
  result.ideal_bytes = n * (sizeof(T) + 4) + (rows + 1) * 4 + 2 * rows * sizeof(T);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_spmv(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    const auto matrix = make_matrix<T>(n, shape.spread);
    const std::vector<T> x = host_data<T>(data_for<T>(), rows);
    std::uint64_t outside = 0;
    std::vector<T> want;
    for (const oracle::RowSum& sum :
         oracle::spmv<T, std::uint32_t>(matrix, x, shape.out_of_range, T(1), T(0), {}, outside)) {
      want.push_back(static_cast<T>(sum.value));  // integers: exact
    }
    std::vector<T> got = session.context().download(c->y);
    for (T& y : got) y += T(0);  // no -0
    return first_difference(got, want);
  };
  return result;
}

template <class T>
Row spmv_row(const char* name, bool main, Shape shape, bool Features::*needs = nullptr) {
  const std::uint64_t largest = shape.spread == Spread::power_law ? 57'700'000 : 1 << 26;
  return {.name = name,
          .bytes_per_item = static_cast<std::uint32_t>(sizeof(T) + 5 + sizeof(T) / 4),
          .needs = needs,
          .main = main,
          .sizes = {1 << 16, 1 << 20, 1 << 24, largest},
          .make = [shape](Session& s, std::uint64_t n) { return make_spmv<T>(s, n, shape); }};
}

const Register kRows({
    headline("reduce", spmv_row<float>("spmv/f32_band16", true, {})),
    spmv_row<float>("spmv/f32_power_law", true, {.spread = Spread::power_law}),
    spmv_row<double>("spmv/f64_band16", false, {}, &Features::float64),
    spmv_row<double>("spmv/f64_power_law", false, {.spread = Spread::power_law},
                     &Features::float64),
    spmv_row<float>("spmv/f32_band16_skip", false, {.out_of_range = OutOfRange::skip}),
    spmv_row<float>("spmv/f32_band16_columns_unaligned4", false, {.offset = 1}),
});

}  // namespace
}  // namespace vkprims::bench

// Benchmark rows of scatter.
#include "harness.hpp"
#include "oracles/scatter.hpp"
#include "permutation.hpp"
#include "vkprims/scatter.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  ScatterMode mode = ScatterMode::assign;
  std::uint64_t bins = 0;  // 0: as many as elements, and the indices a permutation
  OutOfRange out_of_range = OutOfRange::unchecked;
};

template <class T>
struct Scatter {
  Buffer<std::uint32_t> in, out;  // words
  Buffer<std::uint32_t> indices;
  ScatterDesc desc;
  ScatterBuffers buffers;
};

std::vector<std::uint32_t> order(std::uint64_t n, const Shape& shape) {
  if (shape.bins == 0) return random_permutation(n);
  std::vector<std::uint32_t> indices = host_data<std::uint32_t>(Data::bits, n);
  for (std::uint32_t& i : indices) i = static_cast<std::uint32_t>(i % shape.bins);
  return indices;
}

template <class T>
Case make_scatter(Session& session, std::uint64_t n, const Shape& shape) {
  auto c = std::make_shared<Scatter<T>>();
  const Data data = data_for<T>();
  const std::uint64_t bins = shape.bins ? shape.bins : n;
  const auto words = [](std::uint64_t items) { return (items * sizeof(T) + 3) / 4; };
  c->in = session.allocate<std::uint32_t>(words(n) + 1);
  c->out = session.allocate<std::uint32_t>(words(bins) + 1);
  c->indices = session.allocate<std::uint32_t>(n + 1);
  session.generate(c->in.address(), words(n), data);
  session.context().write(c->indices, order(n, shape));
  c->desc = {.mode = shape.mode,
             .element_bytes = sizeof(T),
             .out_of_range = shape.out_of_range,
             .count = n,
             .out_count = bins};
  if constexpr (sizeof(T) >= 4) c->desc.type = type_of<T>();
  c->buffers = {.in = {c->in.address(), n * sizeof(T)},
                .indices = c->indices.view(),
                .out = {c->out.address(), bins * sizeof(T)}};

  Case result;
  result.items = n;
  result.ideal_bytes = n * (sizeof(T) + 4) + std::min(n, bins) * sizeof(T);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_scatter(cmd, session.device(), c->desc, c->buffers);
  };
  // Modes that combine must start from zeros whenever the result is looked at.
  result.prepare = [&session, c, bins, words] {
    session.context().write(c->out, std::vector<std::uint32_t>(words(bins), 0));
  };
  result.mismatch = [=, &session] {
    const std::vector<T> in = host_data<T>(data, n);
    std::vector<T> want(bins), got(bins);
    oracle::scatter<T, std::uint32_t>(in, order(n, shape), shape.out_of_range, shape.mode,
                                      std::span(want));
    const std::vector<std::uint32_t> out = session.context().download(c->out, 0, words(bins));
    if (bins) std::memcpy(got.data(), out.data(), bins * sizeof(T));
    return first_difference(got, want);
  };
  return result;
}

template <class T>
Row scatter_row(const char* name, bool main, Shape shape, bool Features::*needs = nullptr) {
  return {.name = name,
          .bytes_per_item = 2 * sizeof(T) + 4,
          .needs = needs,
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_scatter<T>(s, n, shape); }};
}

constexpr Shape kAdd{.mode = ScatterMode::add, .bins = 1 << 16};

const Register kRows({
    headline("elementwise", scatter_row<std::uint32_t>("scatter/u32_random", true, {})),
    scatter_row<std::uint32_t>("scatter/u32_random_skip", false,
                               {.out_of_range = OutOfRange::skip}),
    scatter_row<std::uint64_t>("scatter/u64_random", false, {}),
    scatter_row<std::uint8_t>("scatter/u8_random", false, {}),
    scatter_row<std::uint32_t>("scatter/u32_add_65536_bins", true, kAdd),
    scatter_row<float>("scatter/f32_add_65536_bins", true, kAdd),
    scatter_row<float>("scatter/f32_max_65536_bins", false,
                       {.mode = ScatterMode::max, .bins = 1 << 16}),
    scatter_row<std::uint64_t>("scatter/u64_add_65536_bins", false, kAdd),
    scatter_row<double>("scatter/f64_add_65536_bins", false, kAdd, &Features::int64_atomics),
    scatter_row<float>("scatter/f32_add_1_bin", false, {.mode = ScatterMode::add, .bins = 1}),
});

}  // namespace
}  // namespace vkprims::bench

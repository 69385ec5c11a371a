// Benchmark rows of histogram.
#include "harness.hpp"
#include "oracles/histogram.hpp"
#include "vkprims/histogram.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  HistogramBins by = HistogramBins::keys;
  std::uint32_t bins = 256;
  double lower = 0, upper = 0;
  bool constant = false;     // all samples are the same
  std::uint64_t offset = 0;  // of `in`, samples from a multiple of 16 bytes
};

template <class T>
struct Histogram {
  Buffer<T> in;
  Buffer<std::uint32_t> levels, out;
  HistogramDesc desc;
  HistogramBuffers buffers;
};

// Samples are spread over the whole type, samples of f32 over [-1, 1).
template <class T>
constexpr Data kData = std::is_same_v<T, float> ? Data::uniform_f32 : Data::bits;

// Levels whose distances grow.
std::vector<std::uint32_t> levels_of(std::uint32_t bins) {
  std::vector<std::uint32_t> levels(bins + 1);
  for (std::uint64_t i = 0; i <= bins; ++i) {
    levels[i] = static_cast<std::uint32_t>(i * i * 0xffff'ffffu / (std::uint64_t{bins} * bins));
  }
  return levels;
}

template <class T>
Case make_histogram(Session& session, std::uint64_t n, const Shape& shape) {
  Context& context = session.context();
  auto c = std::make_shared<Histogram<T>>();
  c->in = session.allocate<T>(n + 32);
  c->out = session.allocate<std::uint32_t>(shape.bins);
  c->desc = {.sample = sample_type_of<T>(),
             .by = shape.by,
             .bins = shape.bins,
             .lower = shape.lower,
             .upper = shape.upper,
             .count = n};
  c->buffers = {.in = {c->in.address() + shape.offset * sizeof(T), n * sizeof(T)},
                .out = c->out.view()};
  if (shape.by == HistogramBins::levels) {
    c->levels = context.upload(levels_of(shape.bins));
    c->buffers.levels = c->levels.view();
  }
  // Constant samples stay kPoison, which is the same everywhere. Otherwise some words more are
  // generated than there are samples, so that all samples are.
  if (!shape.constant) session.generate(c->in.address(), (n + 16) * sizeof(T) / 4, kData<T>);

  Case result;
  result.items = n;
  result.ideal_bytes = n * sizeof(T) + shape.bins * sizeof(std::uint32_t);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_histogram(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [&session, c, n, shape] {
    std::vector<T> in = host_data<T>(kData<T>, n + shape.offset);
    if (shape.constant) std::memset(in.data(), kPoison & 0xff, in.size() * sizeof(T));
    std::vector<std::uint32_t> want(shape.bins);
    const std::vector<std::uint32_t> levels =
        shape.by == HistogramBins::levels ? levels_of(shape.bins) : std::vector<std::uint32_t>();
    oracle::histogram<T, std::uint32_t, std::uint32_t>(
        c->desc, std::span<const T>(in).subspan(shape.offset), want, levels);
    return first_difference(session.context().download(c->out), want);
  };
  return result;
}

template <class T>
Row histogram_row(const char* name, bool main, Shape shape) {
  return {.name = name,
          .bytes_per_item = sizeof(T),
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_histogram<T>(s, n, shape); }};
}

constexpr HistogramBins even = HistogramBins::even, levels = HistogramBins::levels;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;

const Register kRows({
    histogram_row<u8>("histogram/u8_256", true, {}),
    histogram_row<u8>("histogram/u8_256_constant", false, {.constant = true}),
    histogram_row<u8>("histogram/u8_256_unaligned1", false, {.offset = 1}),
    histogram_row<u8>("histogram/u8_levels_16", false, {.by = levels, .bins = 16}),
    histogram_row<u16>("histogram/u16_even_1024", false,
                       {.by = even, .bins = 1024, .lower = 0, .upper = 65536}),
    histogram_row<u32>("histogram/u32_even_32", false,
                       {.by = even, .bins = 32, .lower = 0, .upper = 0x1p32}),
    headline("reduce", histogram_row<u32>("histogram/u32_even_2048", true,
                                          {.by = even, .bins = 2048, .lower = 0, .upper = 0x1p32})),
    histogram_row<u32>("histogram/u32_even_2048_constant", false,
                       {.by = even, .bins = 2048, .lower = 0, .upper = 0x1p32, .constant = true}),
    histogram_row<u32>("histogram/u32_even_1000", false,
                       {.by = even, .bins = 1000, .lower = 0, .upper = 4e9}),
    histogram_row<float>("histogram/f32_even_256", false,
                         {.by = even, .bins = 256, .lower = -1, .upper = 1}),
    histogram_row<u32>("histogram/u32_levels_256", false, {.by = levels, .bins = 256}),
    histogram_row<u32>("histogram/u32_levels_2048", false, {.by = levels, .bins = 2048}),
    histogram_row<u32>("histogram/u32_even_1m", false,
                       {.by = even, .bins = 1 << 20, .lower = 0, .upper = 0x1p32}),
    histogram_row<u32>(
        "histogram/u32_even_1m_constant", false,
        {.by = even, .bins = 1 << 20, .lower = 0, .upper = 0x1p32, .constant = true}),
});

}  // namespace
}  // namespace vkprims::bench

// Benchmark rows of gather.
#include <numeric>

#include "harness.hpp"
#include "oracles/gather.hpp"
#include "permutation.hpp"
#include "vkprims/gather.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  bool random = true;  // a permutation, or 0, 1, 2 …
  OutOfRange out_of_range = OutOfRange::unchecked;
  std::uint64_t offset = 0;  // of `indices` and `out`, elements from a multiple of 16 bytes
};

template <class T, class Index>
struct Gather {
  Buffer<std::uint32_t> in;
  Buffer<T> out;
  Buffer<Index> indices;
  GatherDesc desc;
  GatherBuffers buffers;
};

template <class Index>
std::vector<Index> order(std::uint64_t n, bool random) {
  if (random) return random_permutation<Index>(n);
  std::vector<Index> indices(n);
  std::iota(indices.begin(), indices.end(), Index{0});
  return indices;
}

template <class T, class Index>
Case make_gather(Session& session, std::uint64_t n, const Shape& shape) {
  auto c = std::make_shared<Gather<T, Index>>();
  const std::uint64_t words = (n * sizeof(T) + 3) / 4;
  c->in = session.allocate<std::uint32_t>(words + 1);
  c->out = session.allocate<T>(n + 16);
  c->indices = session.allocate<Index>(n + 16);
  session.generate(c->in.address(), words, Data::bits);
  session.context().write(c->indices, order<Index>(n, shape.random), shape.offset);
  c->desc = {.element_bytes = sizeof(T),
             .index_width = sizeof(Index) == 8 ? IndexWidth::u64 : IndexWidth::u32,
             .out_of_range = shape.out_of_range,
             .count = n,
             .source_count = n};
  c->buffers = {.in = {c->in.address(), n * sizeof(T)},
                .indices = c->indices.slice(shape.offset, n).view(),
                .out = c->out.slice(shape.offset, n).view()};

  Case result;
  result.items = n;
  result.ideal_bytes = n * (2 * sizeof(T) + sizeof(Index));
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_gather(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    const std::vector<T> in = host_data<T>(Data::bits, n);
    const std::vector<Index> indices = order<Index>(n, shape.random);
    std::vector<T> want(n);
    oracle::gather<T, Index>(in, indices, shape.out_of_range, T{}, want);
    return first_difference(session.context().download(c->out, shape.offset, n), want);
  };
  return result;
}

template <class T, class Index = std::uint32_t>
Row gather_row(const char* name, bool main, Shape shape) {
  return {
      .name = name,
      .bytes_per_item = 2 * sizeof(T) + sizeof(Index),
      .main = main,
      .make = [shape](Session& s, std::uint64_t n) { return make_gather<T, Index>(s, n, shape); }};
}

constexpr Shape kSequential{.random = false};

const Register kRows({
    headline("elementwise", gather_row<std::uint32_t>("gather/u32_random", true, {})),
    gather_row<std::uint32_t>("gather/u32_sequential", true, kSequential),
    gather_row<std::uint32_t>("gather/u32_random_skip", false, {.out_of_range = OutOfRange::skip}),
    gather_row<std::uint32_t>("gather/u32_sequential_clamp", false,
                              {.random = false, .out_of_range = OutOfRange::clamp}),
    gather_row<std::uint32_t>("gather/u32_sequential_unaligned4", false,
                              {.random = false, .offset = 1}),
    gather_row<std::uint32_t, std::uint64_t>("gather/u32_random_u64_indices", false, {}),
    gather_row<std::uint64_t>("gather/u64_random", false, {}),
    gather_row<std::uint64_t>("gather/u64_sequential", false, kSequential),
    gather_row<std::uint16_t>("gather/u16_sequential", false, kSequential),
    gather_row<std::uint8_t>("gather/u8_random", false, {}),
    gather_row<std::uint8_t>("gather/u8_sequential", false, kSequential),
});

}  // namespace
}  // namespace vkprims::bench

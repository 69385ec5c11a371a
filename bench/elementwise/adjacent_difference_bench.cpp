// Benchmark rows of adjacent_difference.
#include "harness.hpp"
#include "oracles/adjacent_difference.hpp"
#include "vkprims/adjacent_difference.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  Neighbour neighbour = Neighbour::left;
  std::uint64_t offset = 0;  // of `in`, elements from a multiple of 16 bytes
};

template <class T>
struct AdjacentDifference {
  Buffer<T> in, out;
  AdjacentDifferenceDesc desc;
  AdjacentDifferenceBuffers buffers;
};

template <class T>
Case make_adjacent_difference(Session& session, std::uint64_t n, const Shape& shape) {
  auto c = std::make_shared<AdjacentDifference<T>>();
  c->in = session.allocate<T>(n + 4);
  c->out = session.allocate<T>(n);
  c->desc = {.type = type_of<T>(), .neighbour = shape.neighbour, .count = n};
  c->buffers = {.in = {c->in.address() + shape.offset * sizeof(T), n * sizeof(T)},
                .out = c->out.view()};
  session.generate(c->buffers.in.address, n * sizeof(T) / 4, data_for<T>());

  Case result;
  result.items = n;
  result.ideal_bytes = 2 * n * sizeof(T);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_adjacent_difference(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [&session, c, n] {
    const std::vector<T> in = host_data<T>(data_for<T>(), n);
    std::vector<T> want(n);
    oracle::adjacent_difference<T>(in, want, c->desc.op, c->desc.neighbour);
    return first_difference(session.context().download(c->out), want);
  };
  return result;
}

template <class T>
Row adjacent_difference_row(const char* name, bool main, Shape shape = {},
                            bool Features::*needs = nullptr) {
  return {.name = name,
          .bytes_per_item = 2 * sizeof(T),
          .needs = needs,
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) {
            return make_adjacent_difference<T>(s, n, shape);
          }};
}

const Register kRows({
    headline("elementwise",
             adjacent_difference_row<std::uint32_t>("adjacent_difference/u32", true)),
    adjacent_difference_row<std::uint32_t>("adjacent_difference/u32_right", false,
                                           {.neighbour = Neighbour::right}),
    adjacent_difference_row<float>("adjacent_difference/f32", false),
    adjacent_difference_row<std::uint64_t>("adjacent_difference/u64", false, {}, &Features::int64),
    adjacent_difference_row<std::uint32_t>("adjacent_difference/u32_unaligned4", false,
                                           {.offset = 1}),
});

}  // namespace
}  // namespace vkprims::bench

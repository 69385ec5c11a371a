// Benchmark rows of map, by functions of the program's own. The first is the same as
// transform/f32_axpy.
#include <bit>

#include "harness.hpp"
#include "oracles/map.hpp"
#include "vkprims-bench/axpy.hpp"
#include "vkprims-bench/turn.hpp"
#include "vkprims/map.hpp"

namespace vkprims::bench {
namespace {

using oracle::Words;

struct Shape {
  const Map& own;
  void (*f)(const std::vector<const std::uint32_t*>& in, std::uint64_t index,
            const std::vector<std::uint32_t*>& out);
  Value arguments = {};
  std::uint64_t offset = 0;  // bytes of the first input from a multiple of 16
};

struct MapCase {
  std::vector<Buffer<std::uint32_t>> in;
  Buffer<std::uint32_t> out;
  MapDesc desc;
  MapBuffers buffers;
};

Case make_map(Session& session, std::uint64_t n, const Shape& shape) {
  const Map& own = shape.own;
  auto c = std::make_shared<MapCase>();
  for (std::uint32_t k = 0; k < own.inputs; ++k) {
    const std::uint64_t words = n * own.in_bytes[k] / 4, offset = k == 0 ? shape.offset : 0;
    c->in.push_back(session.allocate<std::uint32_t>(words + 4));
    session.generate(c->in[k].address() + offset, words,
                     own.argument_bytes ? data_for<float>() : Data::bits);
    c->buffers.in[k] = {c->in[k].address() + offset, 4 * words};
  }
  c->out = session.allocate<std::uint32_t>(n * own.out_bytes[0] / 4);
  c->buffers.out[0] = c->out.view();
  c->desc = {.own = &own, .count = n, .arguments = shape.arguments};

  Case result;
  result.items = n;
  result.ideal_bytes = n * own.out_bytes[0];
  for (std::uint32_t k = 0; k < own.inputs; ++k) result.ideal_bytes += n * own.in_bytes[k];
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_map(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    std::vector<Words> in;
    std::vector<std::uint32_t> in_words;
    for (std::uint32_t k = 0; k < shape.own.inputs; ++k) {
      in_words.push_back(shape.own.in_bytes[k] / 4);
      in.push_back(host_data<std::uint32_t>(
          shape.own.argument_bytes ? data_for<float>() : Data::bits, n * in_words[k]));
    }
    const auto want = oracle::map(shape.f, n, in, in_words, {shape.own.out_bytes[0] / 4});
    return first_difference(session.context().download(c->out), want[0]);
  };
  return result;
}

Row map_row(const char* name, bool main, const Shape& shape) {
  std::uint32_t bytes = shape.own.out_bytes[0];
  for (const std::uint32_t in : shape.own.in_bytes) bytes += in;
  return {.name = name,
          .bytes_per_item = bytes,
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_map(s, n, shape); }};
}

void axpy(const std::vector<const std::uint32_t*>& x, std::uint64_t,
          const std::vector<std::uint32_t*>& y) {
  const float product = 3 * std::bit_cast<float>(*x[0]);
  *y[0] = std::bit_cast<std::uint32_t>(product + std::bit_cast<float>(*x[1]));
}

void turn(const std::vector<const std::uint32_t*>& x, std::uint64_t i,
          const std::vector<std::uint32_t*>& y) {
  for (int k = 0; k < 4; ++k) {
    y[0][k] = x[0][k] + x[0][4 + k];
    y[0][4 + k] = x[0][4 + k] ^ static_cast<std::uint32_t>(i);
  }
}

const Register kRows({
    headline("elementwise",
             map_row("map/f32_axpy", true, {own::axpy::function, axpy, Value::bits(3.0f)})),
    map_row("map/f32_axpy_unaligned4", false, {own::axpy::function, axpy, Value::bits(3.0f), 4}),
    map_row("map/32_bytes", false, {own::turn::function, turn}),
});

}  // namespace
}  // namespace vkprims::bench

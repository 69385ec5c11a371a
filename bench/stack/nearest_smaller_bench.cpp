// Benchmark rows of nearest_smaller.
#include "harness.hpp"
#include "oracles/nearest_smaller.hpp"
#include "vkprims/nearest_smaller.hpp"

namespace vkprims::bench {
namespace {

enum class Heights {
  random,
  ascending,   // every answer is the neighbour
  descending,  // no answers
  walk,        // up or down by 1 to 8
  peak,        // up, then down: in the second half each answer lies in the first
};

struct Shape {
  Heights heights = Heights::random;
  NearestDirection direction = NearestDirection::previous;
  std::uint64_t offset = 0;  // of keys and out, elements from a multiple of 16 bytes
};

template <class T>
std::vector<T> keys_of(Heights heights, std::uint64_t n) {
  std::vector<T> keys(n);
  std::uint32_t level = 1u << 31;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint32_t random = mix_bits(i);
    switch (heights) {
      case Heights::random:
        keys[i] = static_cast<T>(random);
        if (sizeof(T) == 8) keys[i] = static_cast<T>(keys[i] * T(1000) + T(mix_bits(~i)));
        break;
      case Heights::ascending:
        keys[i] = static_cast<T>(i);
        break;
      case Heights::descending:
        keys[i] = static_cast<T>(n - i);
        break;
      case Heights::walk:
        level += (random >> 8) % 8 + 1;
        if (random >> 7 & 1) level -= 2 * ((random >> 8) % 8 + 1);
        keys[i] = static_cast<T>(level);
        break;
      case Heights::peak:
        keys[i] = static_cast<T>(std::min(i, n - 1 - i));
        break;
    }
  }
  return keys;
}

template <class T>
struct NearestSmaller {
  Buffer<T> keys;
  Buffer<std::uint32_t> out;
  Session::ScratchBlock scratch;
  NearestSmallerDesc desc;
  NearestSmallerBuffers buffers;
};

template <class T>
Case make_nearest_smaller(Session& session, std::uint64_t n, const Shape& shape) {
  auto c = std::make_shared<NearestSmaller<T>>();
  c->keys = session.allocate<T>(n + 4);
  c->out = session.allocate<std::uint32_t>(n + 4);
  session.context().write(c->keys, keys_of<T>(shape.heights, n), shape.offset);
  c->desc = {.type = type_of<T>(), .direction = shape.direction, .count = n};
  c->scratch = session.allocate_scratch(nearest_smaller_scratch(session.device(), c->desc));
  c->buffers = {.keys = c->keys.slice(shape.offset, n).view(),
                .out = c->out.slice(shape.offset, n).view(),
                .scratch = c->scratch.scratch};

  Case result;
  result.items = n;
  result.ideal_bytes = n * (sizeof(T) + 4);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_nearest_smaller(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    return first_difference(
        session.context().download(c->out, shape.offset, n),
        oracle::nearest_smaller<std::uint32_t>(keys_of<T>(shape.heights, n), shape.direction,
                                               NearestCompare::less));
  };
  return result;
}

template <class T>
Row nearest_smaller_row(const char* name, bool main, Shape shape) {
  return {.name = name,
          .bytes_per_item = sizeof(T) + 5,
          .main = main,
          .sizes = {1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26},
          .make = [shape](Session& s, std::uint64_t n) {
            return make_nearest_smaller<T>(s, n, shape);
          }};
}

const Register kRows({
    headline("stack", nearest_smaller_row<std::uint32_t>("nearest_smaller/u32_random", true, {})),
    nearest_smaller_row<std::uint32_t>("nearest_smaller/u32_ascending", false,
                                       {Heights::ascending}),
    nearest_smaller_row<std::uint32_t>("nearest_smaller/u32_descending", false,
                                       {Heights::descending}),
    nearest_smaller_row<std::uint32_t>("nearest_smaller/u32_walk", true, {Heights::walk}),
    nearest_smaller_row<std::uint32_t>("nearest_smaller/u32_peak", false, {Heights::peak}),
    nearest_smaller_row<std::uint32_t>("nearest_smaller/u32_random_next", false,
                                       {.direction = NearestDirection::next}),
    nearest_smaller_row<std::uint32_t>("nearest_smaller/u32_random_unaligned4", false,
                                       {.offset = 1}),
    nearest_smaller_row<float>("nearest_smaller/f32_random", false, {}),
    nearest_smaller_row<std::uint64_t>("nearest_smaller/u64_random", false, {}),
});

}  // namespace
}  // namespace vkprims::bench

// Benchmark rows of reverse.
#include "harness.hpp"
#include "oracles/reverse.hpp"
#include "vkprims/reverse.hpp"

namespace vkprims::bench {
namespace {

struct Reverse {
  Buffer<std::uint32_t> in, out;  // words, so that any offset can be made
  Buffer<std::uint32_t> count;
  Session::ScratchBlock scratch;
  ReverseDesc desc;
  ReverseBuffers buffers;
};

struct Shape {
  std::uint64_t offset = 0;   // of in, in bytes from a multiple of 16
  bool in_place = false;      // out is in
  std::uint64_t fewer = 0;    // elements less than n, so that the second half lies elsewhere
  std::uint64_t percent = 0;  // 0: the count is known on the host; else this much of n is counted
                              // on the GPU
};

template <class T>
Case make_reverse(Session& session, std::uint64_t n, const Shape& shape) {
  auto c = std::make_shared<Reverse>();
  if (shape.fewer) n -= std::min(n, shape.fewer);
  const std::uint64_t bytes = n * sizeof(T);
  const std::uint64_t words = (bytes + shape.offset + 3) / 4 + 1;
  const std::uint64_t items = shape.percent ? n * shape.percent / 100 : n;
  c->in = session.allocate<std::uint32_t>(words);
  if (!shape.in_place) c->out = session.allocate<std::uint32_t>(words);
  const auto make_input = [&session, c, words] {
    session.generate(c->in.address(), words, Data::bits);
  };
  make_input();
  c->desc = {.element_bytes = sizeof(T), .count = n};
  if (shape.percent) {
    const std::vector<std::uint32_t> count{static_cast<std::uint32_t>(items)};
    c->count = session.context().upload(count);
    c->desc.count = Count(n, c->count.address());
  }
  c->scratch = session.allocate_scratch(reverse_scratch(session.device(), c->desc));
  c->buffers = {.in = {c->in.address() + shape.offset, bytes}, .scratch = c->scratch.scratch};
  c->buffers.out = shape.in_place ? c->buffers.in : BufferView{c->out.address(), bytes};

  Case result;
  result.items = items;
  result.ideal_bytes = 2 * items * sizeof(T);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_reverse(cmd, session.device(), c->desc, c->buffers);
  };
  if (shape.in_place) result.prepare = make_input;
  result.mismatch = [&session, c, n, items, shape] {
    const auto all = host_data<std::uint8_t>(Data::bits, shape.offset + n * sizeof(T));
    std::vector<T> in(n), want(n);
    if (n) std::memcpy(in.data(), all.data() + shape.offset, n * sizeof(T));
    if (n) std::memset(want.data(), kPoison & 0xff, n * sizeof(T));  // kept beyond the count
    oracle::reverse<T>(std::span<const T>(in).first(items), want);
    const auto got_words = session.context().download(shape.in_place ? c->in : c->out);
    const std::uint64_t at = shape.in_place ? shape.offset : 0;
    std::vector<T> got(n);
    if (n) {
      std::memcpy(got.data(), reinterpret_cast<const char*>(got_words.data()) + at, n * sizeof(T));
    }
    return first_difference(got, want);
  };
  return result;
}

template <class T>
Row reverse_row(const char* name, bool main, Shape shape = {}) {
  constexpr std::uint32_t size = sizeof(T);
  return {.name = name,
          .bytes_per_item = shape.in_place ? size : 2 * size,
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_reverse<T>(s, n, shape); }};
}

using u8 = std::uint8_t;
using u32 = std::uint32_t;

const Register kRows({
    headline("elementwise", reverse_row<u32>("reverse/u32", true)),
    reverse_row<u8>("reverse/u8", false),
    reverse_row<std::uint64_t>("reverse/u64", false),
    reverse_row<u32>("reverse/unaligned4", false, {.offset = 4}),
    reverse_row<u8>("reverse/unaligned1", false, {.offset = 1}),
    reverse_row<u32>("reverse/in_place", false, {.in_place = true}),
    reverse_row<u32>("reverse/in_place_odd", false, {.in_place = true, .fewer = 1}),
    reverse_row<u8>("reverse/in_place_u8", false, {.in_place = true}),
    reverse_row<u8>("reverse/in_place_u8_odd", false, {.in_place = true, .fewer = 1}),
    reverse_row<u32>("reverse/count_1_percent", false, {.percent = 1}),
});

}  // namespace
}  // namespace vkprims::bench

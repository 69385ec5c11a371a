// Benchmark rows of top_k.
#include "harness.hpp"
#include "oracles/top_k.hpp"
#include "vkprims/top_k.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  std::uint64_t k = 1024;
  std::uint64_t parts = 0;  // not 0: k is one of so many of the keys instead
  Data data = Data::bits;
  bool sorted = false;
  bool indices = false;
  std::uint64_t offset = 0;  // of `in`, bytes from a multiple of 16
};

template <class T>
struct TopK {
  Buffer<T> in, out;
  Buffer<std::uint32_t> indices;
  Session::ScratchBlock scratch;
  TopKDesc desc;
  TopKBuffers buffers;
};

template <class T>
Case make_top_k(Session& session, std::uint64_t n, const Shape& shape) {
  const std::uint64_t k = std::min(n, shape.parts ? n / shape.parts : shape.k);
  auto c = std::make_shared<TopK<T>>();
  c->in = session.allocate<T>(n + 4);
  c->out = session.allocate<T>(k);
  session.generate(c->in.address() + shape.offset, n * sizeof(T) / 4, shape.data);
  c->desc = {.type = type_of<T>(), .k = k, .sorted = shape.sorted, .count = n};
  c->scratch = session.allocate_scratch(top_k_scratch(session.device(), c->desc));
  c->buffers = {.in = {c->in.address() + shape.offset, n * sizeof(T)},
                .out = c->out.view(),
                .scratch = c->scratch.scratch};
  if (shape.indices) {
    c->indices = session.allocate<std::uint32_t>(k);
    c->buffers.indices_out = c->indices.view();
  }

  Case result;
  result.items = n;
  result.ideal_bytes = (n + k) * sizeof(T) + (shape.indices ? k * 4 : 0);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_top_k(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    const std::vector<T> in = host_data<T>(shape.data, n);
    const std::vector<std::uint64_t> order = oracle::top_k<T>(in, c->desc);
    std::vector<T> want;
    for (const std::uint64_t i : order) want.push_back(in[i]);
    const std::string keys = first_difference(session.context().download(c->out), want);
    if (!keys.empty() || !shape.indices) return keys;
    const std::string indices =
        first_difference(session.context().download(c->indices),
                         std::vector<std::uint32_t>(order.begin(), order.end()));
    return indices.empty() ? indices : "indices: " + indices;
  };
  return result;
}

// `bytes` are those of an element in all buffers, including results and scratch for k = n / 2.
template <class T>
Row top_k_row(const char* name, bool main, Shape shape, std::uint32_t bytes = 2 * sizeof(T)) {
  return {.name = name,
          .bytes_per_item = bytes,
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_top_k<T>(s, n, shape); }};
}

const Register kRows({
    top_k_row<std::uint32_t>("top_k/u32_k16", false, {.k = 16}),
    headline("sort", top_k_row<std::uint32_t>("top_k/u32_k1024", true, {})),
    top_k_row<std::uint32_t>("top_k/u32_k65536", false, {.k = 65536}),
    top_k_row<std::uint32_t>("top_k/u32_half", true, {.parts = 2}),
    top_k_row<std::uint32_t>("top_k/u32_constant", false, {.data = Data::zeros}),
    top_k_row<std::uint32_t>("top_k/u32_constant_half", false, {.parts = 2, .data = Data::zeros}),
    top_k_row<std::uint32_t>("top_k/u32_k1024_unaligned4", false, {.offset = 4}),
    top_k_row<std::uint32_t>("top_k/u32_k1024_sorted", false, {.sorted = true}),
    top_k_row<std::uint32_t>("top_k/u32_k1024_sorted_indices", true,
                             {.sorted = true, .indices = true}),
    top_k_row<std::uint32_t>("top_k/u32_half_sorted_indices", false,
                             {.parts = 2, .sorted = true, .indices = true}, 32),
    top_k_row<float>("top_k/f32_k1024", false, {.data = Data::uniform_f32}),
    top_k_row<float>("top_k/f32_k1024_indices", false,
                     {.data = Data::uniform_f32, .indices = true}),
    top_k_row<std::uint64_t>("top_k/u64_k1024", false, {}),
});

}  // namespace
}  // namespace vkprims::bench

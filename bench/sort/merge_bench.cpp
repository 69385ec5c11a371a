// Benchmark rows of merge.
#include <algorithm>

#include "harness.hpp"
#include "vkprims/merge.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  std::uint64_t parts = 2;   // one of so many of the elements is in a
  bool values = false;       // of 4 bytes
  std::uint64_t offset = 0;  // of out, elements from a multiple of 16 bytes
};

template <class T>
struct Merge {
  Buffer<T> a, b, out;
  Buffer<std::uint32_t> a_values, b_values, out_values;
  Session::ScratchBlock scratch;
  MergeDesc desc;
  MergeBuffers buffers;
};

std::vector<std::uint32_t> numbers(std::uint64_t first, std::uint64_t n) {
  std::vector<std::uint32_t> values(n);
  for (std::uint64_t i = 0; i < n; ++i) values[i] = static_cast<std::uint32_t>(first + i);
  return values;
}

template <class T>
Case make_merge(Session& session, std::uint64_t n, const Shape& shape) {
  Context& context = session.context();
  auto c = std::make_shared<Merge<T>>();
  const std::uint64_t na = n / shape.parts, nb = n - na;
  c->a = context.upload(ascending<T>(na, 0));
  c->b = context.upload(ascending<T>(nb, 1 << 20));
  c->out = session.allocate<T>(n + 4);
  c->desc = {.type = type_of<T>(), .a_count = na, .b_count = nb};
  c->buffers = {.a = c->a.view(), .b = c->b.view(), .out = c->out.slice(shape.offset, n).view()};
  if (shape.values) {
    c->desc.value_bytes = 4;
    c->a_values = context.upload(numbers(0, na));
    c->b_values = context.upload(numbers(na, nb));
    c->out_values = session.allocate<std::uint32_t>(n);
    c->buffers.a_values = c->a_values.view();
    c->buffers.b_values = c->b_values.view();
    c->buffers.out_values = c->out_values.view();
  }
  c->scratch = session.allocate_scratch(merge_scratch(session.device(), c->desc));
  c->buffers.scratch = c->scratch.scratch;

  Case result;
  result.items = n;
  result.ideal_bytes = 2 * n * (sizeof(T) + c->desc.value_bytes);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_merge(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    const std::vector<T> a = ascending<T>(na, 0), b = ascending<T>(nb, 1 << 20);
    std::vector<T> want(n);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), want.begin());
    std::string difference =
        first_difference(session.context().download(c->out, shape.offset, n), want);
    if (!difference.empty() || !shape.values) return difference;
    // Each key still has its own value.
    const auto values = session.context().download(c->out_values);
    std::vector<T> keys(n);
    for (std::uint64_t i = 0; i < n; ++i)
      keys[i] = values[i] < na ? a[values[i]] : b[values[i] - na];
    return first_difference(keys, want);
  };
  return result;
}

template <class T>
Row merge_row(const char* name, bool main, Shape shape) {
  return {.name = name,
          .bytes_per_item = static_cast<std::uint32_t>(2 * (sizeof(T) + (shape.values ? 4 : 0))),
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_merge<T>(s, n, shape); }};
}

const Register kRows({
    headline("sort", merge_row<std::uint32_t>("merge/u32", true, {})),
    merge_row<std::uint32_t>("merge/u32_1_in_16", false, {.parts = 16}),
    merge_row<std::uint32_t>("merge/u32_unaligned4", false, {.offset = 1}),
    merge_row<std::uint32_t>("merge/u32_values_u32", true, {.values = true}),
    merge_row<std::uint64_t>("merge/u64", false, {}),
});

}  // namespace
}  // namespace vkprims::bench

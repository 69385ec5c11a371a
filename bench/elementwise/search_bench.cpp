// Benchmark rows of search.
#include <algorithm>

#include "harness.hpp"
#include "oracles/search.hpp"
#include "vkprims/search.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  bool sorted = false;         // needles
  std::uint64_t haystack = 0;  // elements; 0: as many as needles
  std::uint64_t offset = 0;    // of needles and out, elements from a multiple of 16 bytes
};

template <class T>
struct Search {
  Buffer<T> haystack, needles;
  Buffer<std::uint32_t> out;
  SearchDesc desc;
  SearchBuffers buffers;
};

template <class T>
std::vector<T> needles_of(std::uint64_t n, bool sorted) {
  if (sorted) return ascending<T>(n, 1 << 20);
  std::vector<T> needles(n);
  for (std::uint64_t i = 0; i < n; ++i) needles[i] = mix_bits(i);
  return needles;
}

template <class T>
Case make_search(Session& session, std::uint64_t n, const Shape& shape) {
  auto c = std::make_shared<Search<T>>();
  const std::uint64_t hay = shape.haystack ? shape.haystack : n;
  c->haystack = session.allocate<T>(hay + 1);
  c->needles = session.allocate<T>(n + 4);
  c->out = session.allocate<std::uint32_t>(n + 4);
  session.context().write(c->haystack, ascending<T>(hay, 0));
  session.context().write(c->needles, needles_of<T>(n, shape.sorted), shape.offset);
  c->desc = {
      .type = type_of<T>(), .needles_sorted = shape.sorted, .count = n, .haystack_count = hay};
  c->buffers = {.haystack = c->haystack.view(),
                .needles = c->needles.slice(shape.offset, n).view(),
                .out = c->out.slice(shape.offset, n).view()};

  Case result;
  result.items = n;
  result.ideal_bytes = (n + hay) * sizeof(T) + n * 4;
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_search(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    return first_difference(
        session.context().download(c->out, shape.offset, n),
        oracle::search<std::uint32_t, T>(ascending<T>(hay, 0), needles_of<T>(n, shape.sorted),
                                         SearchKind::lower_bound));
  };
  return result;
}

template <class T>
Row search_row(const char* name, bool main, Shape shape) {
  return {.name = name,
          .bytes_per_item = 2 * sizeof(T) + 4,
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_search<T>(s, n, shape); }};
}

const Register kRows({
    headline("elementwise", search_row<std::uint32_t>("search/u32_random", true, {})),
    search_row<std::uint32_t>("search/u32_sorted", true, {.sorted = true}),
    search_row<std::uint32_t>("search/u32_sorted_unaligned4", false, {.sorted = true, .offset = 1}),
    search_row<std::uint32_t>("search/u32_random_in_65536", false, {.haystack = 1 << 16}),
    search_row<std::uint64_t>("search/u64_sorted", false, {.sorted = true}),
});

}  // namespace
}  // namespace vkprims::bench

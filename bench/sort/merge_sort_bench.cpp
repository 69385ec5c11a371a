// Benchmark rows of merge_sort.
#include <algorithm>

#include "harness.hpp"
#include "oracles/merge_sort.hpp"
#include "vkprims-bench/ascending.hpp"
#include "vkprims-bench/cell_then_depth.hpp"
#include "vkprims/merge_sort.hpp"

namespace vkprims::bench {
namespace {

using u32 = std::uint32_t;
using own::cell_then_depth::Particle;

struct Ascending {
  using Key = u32;
  static constexpr const Compare& compare = own::ascending::compare;
  static bool less(Key a, Key b) { return a < b; }
};

struct CellThenDepth {
  using Key = Particle;
  static constexpr const Compare& compare = own::cell_then_depth::compare;
  static bool less(const Particle& a, const Particle& b) {
    return a.cell != b.cell ? a.cell < b.cell : a.depth > b.depth;
  }
};

// Their words, which can be compared and printed.
std::vector<u32> words_of(const std::vector<u32>& keys) { return keys; }
std::vector<u32> words_of(const std::vector<Particle>& keys) {
  std::vector<u32> words(keys.size() * 4);
  std::memcpy(words.data(), keys.data(), words.size() * 4);
  return words;
}

template <class Key>
struct MergeSort {
  Buffer<Key> in, out;
  Buffer<u32> values_in, values_out;
  Session::ScratchBlock scratch;
  MergeSortDesc desc;
  MergeSortBuffers buffers;
};

template <class C>
Case make_merge_sort(Session& session, std::uint64_t n, bool values) {
  using Key = typename C::Key;
  constexpr std::uint64_t words = sizeof(Key) / 4;
  auto c = std::make_shared<MergeSort<Key>>();
  c->in = session.allocate<Key>(n);
  session.generate(c->in.address(), n * words, Data::bits);
  c->out = session.allocate<Key>(n);
  c->desc = {.own = &C::compare, .count = n};
  c->buffers = {.in = c->in.view(), .out = c->out.view()};
  if (values) {
    c->desc.value_bytes = 4;
    c->values_in = session.allocate<u32>(n);
    session.generate(c->values_in.address(), n, Data::bits);
    c->values_out = session.allocate<u32>(n);
    c->buffers.values_in = c->values_in.view();
    c->buffers.values_out = c->values_out.view();
  }
  c->scratch = session.allocate_scratch(merge_sort_scratch(session.device(), c->desc));
  c->buffers.scratch = c->scratch.scratch;

  Case result;
  result.items = n;
  result.ideal_bytes = 2 * n * (sizeof(Key) + c->desc.value_bytes);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_merge_sort(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    const std::vector<u32> data = host_data<u32>(Data::bits, n * words);
    std::vector<Key> keys(n);
    std::memcpy(keys.data(), data.data(), n * sizeof(Key));
    const std::vector<std::size_t> from = oracle::merge_sort(keys, C::less);
    std::vector<Key> want(n);
    for (std::uint64_t i = 0; i < n; ++i) want[i] = keys[from[i]];
    std::string difference =
        first_difference(words_of(session.context().download(c->out)), words_of(want));
    if (!difference.empty() || !values) return difference;
    const auto all = host_data<u32>(Data::bits, n);
    std::vector<u32> want_values(n);
    for (std::uint64_t i = 0; i < n; ++i) want_values[i] = all[from[i]];
    return first_difference(session.context().download(c->values_out), want_values);
  };
  return result;
}

template <class C>
Row merge_sort_row(const char* name, bool main, bool values) {
  return {
      .name = name,
      .bytes_per_item = static_cast<u32>(2 * (sizeof(typename C::Key) + (values ? 4 : 0))),
      .main = main,
      .make = [values](Session& s, std::uint64_t n) { return make_merge_sort<C>(s, n, values); }};
}

const Register kRows({
    headline("sort", merge_sort_row<Ascending>("merge_sort/u32", true, false)),
    merge_sort_row<Ascending>("merge_sort/pairs", true, true),
    merge_sort_row<CellThenDepth>("merge_sort/struct16", false, false),
});

}  // namespace
}  // namespace vkprims::bench

// Benchmark rows of segmented_sort.
#include "harness.hpp"
#include "oracles/segmented_sort.hpp"
#include "segmented_data.hpp"
#include "vkprims/segmented_sort.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  std::uint64_t length = 0;  // of each segment; 0: all keys are one, or as many as `spread` says
  bool power_law = false;
  bool values = false;  // of 4 bytes
  bool known = false;   // max_length is given
};

template <class T>
struct SegmentedSort {
  Buffer<T> in, out;
  Buffer<std::uint32_t> values_in, values_out, offsets;
  Session::ScratchBlock scratch;
  SegmentedSortDesc desc;
  SegmentedSortBuffers buffers;
};

std::vector<std::uint32_t> offsets_of(const Shape& shape, std::uint64_t n) {
  if (shape.power_law) return offsets_of<std::uint32_t>(Spread::power_law, n);
  const std::uint64_t length = shape.length ? shape.length : n;
  std::vector<std::uint32_t> offsets;
  for (std::uint64_t at = 0; at < n; at += length) {
    offsets.push_back(static_cast<std::uint32_t>(at));
  }
  offsets.push_back(static_cast<std::uint32_t>(n));
  return offsets;
}

template <class T>
Case make_segmented_sort(Session& session, std::uint64_t n, const Shape& shape) {
  auto c = std::make_shared<SegmentedSort<T>>();
  c->in = session.allocate<T>(n);
  session.generate(c->in.address(), n * sizeof(T) / 4, Data::bits);
  c->out = session.allocate<T>(n);
  const std::vector<std::uint32_t> offsets = offsets_of(shape, n);
  const std::uint64_t segments = offsets.size() - 1;
  c->offsets = session.context().upload(offsets);
  c->desc = {.type = type_of<T>(),
             .count = segments,
             .key_count = n,
             .max_length = shape.known ? shape.length : 0};
  c->buffers = {.in = c->in.view(), .out = c->out.view(), .offsets = c->offsets.view()};
  if (shape.values) {
    c->desc.value_bytes = 4;
    c->values_in = session.allocate<std::uint32_t>(n);
    session.generate(c->values_in.address(), n, Data::bits);
    c->values_out = session.allocate<std::uint32_t>(n);
    c->buffers.values_in = c->values_in.view();
    c->buffers.values_out = c->values_out.view();
  }
  c->scratch = session.allocate_scratch(segmented_sort_scratch(session.device(), c->desc));
  c->buffers.scratch = c->scratch.scratch;

  Case result;
  result.items = n;
  result.ideal_bytes = 2 * n * (sizeof(T) + c->desc.value_bytes) + 4 * (segments + 1);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_segmented_sort(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    const std::vector<T> keys = host_data<T>(Data::bits, n);
    const std::vector<std::uint64_t> from = oracle::segmented_sort<T, std::uint32_t>(
        keys, offsets_of(shape, n), c->desc.order, c->desc.float_order);
    std::vector<T> want(n);
    for (std::uint64_t i = 0; i < n; ++i) want[i] = keys[from[i]];
    std::string difference = first_difference(session.context().download(c->out), want);
    if (!difference.empty() || !shape.values) return difference;
    const auto values = host_data<std::uint32_t>(Data::bits, n);
    std::vector<std::uint32_t> want_values(n);
    for (std::uint64_t i = 0; i < n; ++i) want_values[i] = values[from[i]];
    return first_difference(session.context().download(c->values_out), want_values);
  };
  return result;
}

template <class T>
Row segmented_sort_row(const char* name, bool main, Shape shape) {
  const std::uint32_t offset_bytes = shape.length == 1 ? 4 : 1;
  return {
      .name = name,
      .bytes_per_item =
          static_cast<std::uint32_t>(2 * (sizeof(T) + (shape.values ? 4 : 0))) + offset_bytes,
      .main = main,
      .make = [shape](Session& s, std::uint64_t n) { return make_segmented_sort<T>(s, n, shape); }};
}

using u32 = std::uint32_t;
using u64 = std::uint64_t;

const Register kRows({
    segmented_sort_row<u32>("segmented_sort/u32_1", false, {.length = 1}),
    segmented_sort_row<u32>("segmented_sort/u32_16", true, {.length = 16}),
    segmented_sort_row<u32>("segmented_sort/u32_16_max_length", false,
                            {.length = 16, .known = true}),
    segmented_sort_row<u32>("segmented_sort/u32_64", false, {.length = 64}),
    segmented_sort_row<u32>("segmented_sort/u32_256", false, {.length = 256}),
    headline("sort", segmented_sort_row<u32>("segmented_sort/u32_1024", true, {.length = 1024})),
    segmented_sort_row<u32>("segmented_sort/u32_4096", false, {.length = 4096}),
    segmented_sort_row<u32>("segmented_sort/u32_65536", false, {.length = 65536}),
    segmented_sort_row<u32>("segmented_sort/u32_one", false, {}),
    segmented_sort_row<u32>("segmented_sort/u32_power_law", false, {.power_law = true}),
    segmented_sort_row<u32>("segmented_sort/u32_16_values_u32", false,
                            {.length = 16, .values = true}),
    segmented_sort_row<u32>("segmented_sort/u32_1024_values_u32", false,
                            {.length = 1024, .values = true}),
    segmented_sort_row<u64>("segmented_sort/u64_16", false, {.length = 16}),
    segmented_sort_row<u64>("segmented_sort/u64_1024", false, {.length = 1024}),
});

}  // namespace
}  // namespace vkprims::bench

// Benchmark rows of segmented_reduce.
#include "harness.hpp"
#include "oracles/segmented_reduce.hpp"
#include "segmented_data.hpp"
#include "vkprims/segmented_reduce.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  Spread spread = Spread::mean16;
  Op op = Op::add;
  std::uint64_t offset = 0;  // of `values`, elements from a multiple of 16 bytes
};

template <class T, class Offset>
struct SegmentedReduce {
  Buffer<T> values, out;
  Buffer<Offset> offsets;
  Session::ScratchBlock scratch;
  SegmentedReduceDesc desc;
  SegmentedReduceBuffers buffers;
};

template <class T, class Offset>
Case make_segmented_reduce(Session& session, std::uint64_t n, const Shape& shape) {
  auto c = std::make_shared<SegmentedReduce<T, Offset>>();
  c->values = session.allocate<T>(n + 4);
  const VkDeviceAddress values = c->values.address() + shape.offset * sizeof(T);
  session.generate(values, n * sizeof(T) / 4, data_for<T>());
  const std::vector<Offset> offsets = offsets_of<Offset>(shape.spread, n);
  const std::uint64_t segments = offsets.size() - 1;
  c->offsets = session.context().upload(offsets);
  c->out = session.allocate<T>(segments);
  c->desc = {.type = type_of<T>(),
             .op = shape.op,
             .offset_width = sizeof(Offset) == 8 ? IndexWidth::u64 : IndexWidth::u32,
             .count = segments,
             .value_count = n};
  c->scratch = session.allocate_scratch(segmented_reduce_scratch(session.device(), c->desc));
  c->buffers = {.values = {values, n * sizeof(T)},
                .offsets = c->offsets.view(),
                .out = c->out.view(),
                .scratch = c->scratch.scratch};

  Case result;
  result.items = n;
  result.ideal_bytes = (n + segments) * sizeof(T) + (segments + 1) * sizeof(Offset);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_segmented_reduce(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    const std::vector<T> in = host_data<T>(data_for<T>(), n);
    const std::vector<Offset> bounds = offsets_of<Offset>(shape.spread, n);
    const std::vector<T> want = oracle::segmented_reduce<T, Offset>(in, bounds, shape.op);
    return first_difference(session.context().download(c->out), want);
  };
  return result;
}

template <class T, class Offset = std::uint32_t>
Row segmented_reduce_row(const char* name, bool main, Shape shape,
                         bool Features::*needs = nullptr) {
  const bool many = shape.spread == Spread::mean1;
  return {.name = name,
          .bytes_per_item = static_cast<std::uint32_t>(
              many ? 2 * sizeof(T) + sizeof(Offset) : sizeof(T) + (sizeof(T) + sizeof(Offset)) / 4),
          .needs = needs,
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) {
            return make_segmented_reduce<T, Offset>(s, n, shape);
          }};
}

using u32 = std::uint32_t;
using u64 = std::uint64_t;

const Register kRows({
    headline("reduce", segmented_reduce_row<u32>("segmented_reduce/u32_mean16", true, {})),
    segmented_reduce_row<u32>("segmented_reduce/u32_mean1", false, {Spread::mean1}),
    segmented_reduce_row<u32>("segmented_reduce/u32_mean256", false, {Spread::mean256}),
    segmented_reduce_row<u32>("segmented_reduce/u32_half_empty", false, {Spread::half_empty}),
    segmented_reduce_row<u32>("segmented_reduce/u32_one", false, {Spread::one}),
    segmented_reduce_row<u32>("segmented_reduce/u32_power_law", false, {Spread::power_law}),
    segmented_reduce_row<u32>("segmented_reduce/u32_mean16_max", false, {.op = Op::max}),
    segmented_reduce_row<u32>("segmented_reduce/u32_mean16_unaligned4", false, {.offset = 1}),
    segmented_reduce_row<u32, u64>("segmented_reduce/u32_mean16_u64_offsets", false, {}),
    segmented_reduce_row<float>("segmented_reduce/f32_mean16", false, {}),
    segmented_reduce_row<u64>("segmented_reduce/u64_mean16", false, {}, &Features::int64),
    segmented_reduce_row<double>("segmented_reduce/f64_mean16", false, {}, &Features::float64),
});

}  // namespace
}  // namespace vkprims::bench

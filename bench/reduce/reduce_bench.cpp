// Benchmark rows of reduce.
#include "harness.hpp"
#include "oracles/reduce.hpp"
#include "vkprims/reduce.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  Op op = Op::add;
  std::uint64_t offset = 0;  // of `in`, bytes from a multiple of 16
  std::uint64_t percent =
      0;  // 0: the count is known on the host; else this much of n is counted on the GPU
};

template <class T>
struct Reduce {
  Buffer<T> in, out;
  Buffer<std::uint32_t> count;
  Session::ScratchBlock scratch;
  ReduceDesc desc;
  ReduceBuffers buffers;
};

template <class T>
Case make_reduce(Session& session, std::uint64_t n, const Shape& shape) {
  Context& context = session.context();
  const std::uint64_t items = shape.percent ? n * shape.percent / 100 : n;
  // Sums of these data are exact in every order; extremes need values that differ.
  const Data data =
      type_of<T>() == Type::f32 && shape.op != Op::add ? Data::uniform_f32 : data_for<T>();
  auto c = std::make_shared<Reduce<T>>();
  c->in = session.allocate<T>(n + 4);
  c->out = session.allocate<T>(1);
  session.generate(c->in.address() + shape.offset, n * sizeof(T) / 4, data);
  c->desc = {.type = type_of<T>(), .op = shape.op, .count = n};
  if (shape.percent) {
    c->count = context.upload(std::vector<std::uint32_t>{static_cast<std::uint32_t>(items)});
    c->desc.count = Count(n, c->count.address());
  }
  c->scratch = session.allocate_scratch(reduce_scratch(session.device(), c->desc));
  c->buffers = {.in = {c->in.address() + shape.offset, n * sizeof(T)},
                .out = c->out.view(),
                .scratch = c->scratch.scratch};

  Case result;
  result.items = items;
  result.ideal_bytes = (items + 1) * sizeof(T);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_reduce(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session, op = shape.op] {
    const std::vector<T> in = host_data<T>(data, items);
    const std::vector<T> want{oracle::reduce<T>(in, op)};
    return first_difference(session.context().download(c->out), want);
  };
  return result;
}

template <class T>
Row reduce_row(const char* name, bool main, Shape shape, bool Features::*needs = nullptr) {
  return {.name = name,
          .bytes_per_item = sizeof(T),
          .needs = needs,
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_reduce<T>(s, n, shape); }};
}

const Register kRows({
    headline("reduce", reduce_row<std::uint32_t>("reduce/u32_add", true, {})),
    reduce_row<std::int32_t>("reduce/i32_add", false, {}),
    reduce_row<float>("reduce/f32_add", true, {}),
    reduce_row<std::uint64_t>("reduce/u64_add", true, {}, &Features::int64),
    reduce_row<std::int64_t>("reduce/i64_add", false, {}, &Features::int64),
    reduce_row<double>("reduce/f64_add", false, {}, &Features::float64),
    reduce_row<std::uint32_t>("reduce/u32_min", false, {.op = Op::min}),
    reduce_row<std::uint32_t>("reduce/u32_max", false, {.op = Op::max}),
    reduce_row<float>("reduce/f32_min", false, {.op = Op::min}),
    reduce_row<float>("reduce/f32_max", false, {.op = Op::max}),
    reduce_row<std::uint32_t>("reduce/u32_unaligned4", true, {.offset = 4}),
    reduce_row<std::uint32_t>("reduce/u32_count_1_percent", false, {.percent = 1}),
    reduce_row<std::uint32_t>("reduce/u32_count_100_percent", false, {.percent = 100}),
});

}  // namespace
}  // namespace vkprims::bench

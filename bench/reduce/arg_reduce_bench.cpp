// Benchmark rows of arg_reduce.
#include "harness.hpp"
#include "oracles/arg_reduce.hpp"
#include "vkprims/arg_reduce.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  Op op = Op::min;
  std::uint64_t offset = 0;  // of `in`, bytes from a multiple of 16
};

template <class T>
struct ArgReduce {
  Buffer<T> in, value;
  Buffer<std::uint64_t> index;
  Session::ScratchBlock scratch;
  ArgReduceDesc desc;
  ArgReduceBuffers buffers;
};

template <class T>
Case make_arg_reduce(Session& session, std::uint64_t n, const Shape& shape) {
  const Data data = type_of<T>() == Type::f32 ? Data::uniform_f32 : data_for<T>();
  auto c = std::make_shared<ArgReduce<T>>();
  c->in = session.allocate<T>(n + 4);
  c->value = session.allocate<T>(1);
  c->index = session.allocate<std::uint64_t>(1);
  session.generate(c->in.address() + shape.offset, n * sizeof(T) / 4, data);
  c->desc = {.type = type_of<T>(), .op = shape.op, .count = n};
  c->scratch = session.allocate_scratch(arg_reduce_scratch(session.device(), c->desc));
  c->buffers = {.in = {c->in.address() + shape.offset, n * sizeof(T)},
                .index = c->index.view(),
                .value = c->value.view(),
                .scratch = c->scratch.scratch};

  Case result;
  result.items = n;
  result.ideal_bytes = (n + 1) * sizeof(T) + sizeof(std::uint64_t);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_arg_reduce(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session, op = shape.op] {
    const std::vector<T> in = host_data<T>(data, n);
    const oracle::Extreme<T> want = oracle::arg_reduce<T>(in, op);
    const std::string index = first_difference(session.context().download(c->index), {want.index});
    if (!index.empty()) return "index: " + index;
    const std::string value = first_difference(session.context().download(c->value), {want.value});
    return value.empty() ? value : "value: " + value;
  };
  return result;
}

template <class T>
Row arg_reduce_row(const char* name, bool main, Shape shape) {
  return {.name = name,
          .bytes_per_item = sizeof(T),
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_arg_reduce<T>(s, n, shape); }};
}

const Register kRows({
    headline("reduce", arg_reduce_row<std::uint32_t>("arg_reduce/u32_min", true, {})),
    arg_reduce_row<std::uint32_t>("arg_reduce/u32_max", false, {.op = Op::max}),
    arg_reduce_row<std::int32_t>("arg_reduce/i32_min", false, {}),
    arg_reduce_row<float>("arg_reduce/f32_max", false, {.op = Op::max}),
    arg_reduce_row<std::uint64_t>("arg_reduce/u64_min", false, {}),
    arg_reduce_row<double>("arg_reduce/f64_max", false, {.op = Op::max}),
    arg_reduce_row<std::uint32_t>("arg_reduce/u32_min_unaligned4", false, {.offset = 4}),
});

}  // namespace
}  // namespace vkprims::bench

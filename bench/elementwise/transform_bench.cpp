// Benchmark rows of transform.
#include "harness.hpp"
#include "oracles/transform.hpp"
#include "vkprims/transform.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  MapOp op = MapOp::add;
  bool sequence = false;     // b; else a scalar
  bool in_place = false;     // out is a
  std::uint64_t offset = 0;  // of `a`, elements from a multiple of 16 bytes
  std::uint64_t percent =
      0;  // 0: the count is known on the host; else this much of n is counted on the GPU
};

template <class Out, class T>
struct Transform {
  Buffer<T> a, b;
  Buffer<Out> out;
  Buffer<std::uint32_t> count;
  Session::ScratchBlock scratch;
  TransformDesc desc;
  TransformBuffers buffers;
};

template <class Out, class T>
Case make_transform(Session& session, std::uint64_t n, const Shape& shape) {
  Context& context = session.context();
  const std::uint64_t items = shape.percent ? n * shape.percent / 100 : n;
  const bool unary = shape.op == MapOp::cast;
  auto c = std::make_shared<Transform<Out, T>>();
  c->a = session.allocate<T>(n + 4);
  if (shape.sequence) c->b = session.allocate<T>(n + 4);
  if (!shape.in_place) c->out = session.allocate<Out>(n + 4);
  const auto make_input = [&session, c, n, shape] {
    session.generate(c->a.address() + shape.offset * sizeof(T), n * sizeof(T) / 4, data_for<T>());
  };
  make_input();
  if (shape.sequence) session.generate(c->b.address(), n * sizeof(T) / 4, data_for<T>());
  c->desc = {.type = type_of<T>(), .op = shape.op, .count = n, .to = type_of<Out>()};
  if (!unary && !shape.sequence) c->desc.scalar = T(1);
  if (shape.op == MapOp::scale_add) c->desc.alpha = T(3);
  if (shape.percent) {
    c->count = context.upload(std::vector<std::uint32_t>{static_cast<std::uint32_t>(items)});
    c->desc.count = Count(n, c->count.address());
  }
  c->scratch = session.allocate_scratch(transform_scratch(session.device(), c->desc));
  c->buffers = {.a = {c->a.address() + shape.offset * sizeof(T), n * sizeof(T)},
                .b = shape.sequence ? BufferView{c->b.address(), n * sizeof(T)} : BufferView{},
                .scratch = c->scratch.scratch};
  c->buffers.out = shape.in_place ? c->buffers.a : BufferView{c->out.address(), n * sizeof(Out)};

  Case result;
  result.items = items;
  result.ideal_bytes = items * ((shape.sequence ? 2 : 1) * sizeof(T) + sizeof(Out));
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_transform(cmd, session.device(), c->desc, c->buffers);
  };
  if (shape.in_place) result.prepare = make_input;
  result.mismatch = [=, &session] {
    const std::vector<T> in = host_data<T>(data_for<T>(), items);
    const std::vector<T> b = shape.sequence ? in : std::vector<T>(!unary, T(1));
    std::vector<Out> want(items);
    oracle::transform<Out, T>(c->desc, in, b, want, T(3));
    // Elements past the count keep what was there before.
    std::vector<Out> got;
    if constexpr (std::is_same_v<Out, T>) {
      got = session.context().download(shape.in_place ? c->a : c->out, 0, n);
    } else {
      got = session.context().download(c->out, 0, n);
    }
    Out poison;
    std::memset(&poison, kPoison & 0xff, sizeof poison);
    want.resize(n, poison);
    return first_difference(got, want);
  };
  return result;
}

template <class Out, class T>
Row transform_row(const char* name, bool main, Shape shape) {
  constexpr std::uint32_t in_bytes = sizeof(T), out_bytes = sizeof(Out);
  return {
      .name = name,
      .bytes_per_item = (shape.sequence ? 2 : 1) * in_bytes + (shape.in_place ? 0 : out_bytes),
      .main = main,
      .make = [shape](Session& s, std::uint64_t n) { return make_transform<Out, T>(s, n, shape); }};
}

using u32 = std::uint32_t;
using u64 = std::uint64_t;

const Register kRows({
    headline("elementwise", transform_row<u32, u32>("transform/u32_add_scalar", true, {})),
    transform_row<float, float>("transform/f32_scale_add", false, {.op = MapOp::scale_add}),
    transform_row<u32, u32>("transform/u32_add", true, {.sequence = true}),
    transform_row<float, float>("transform/f32_axpy", false,
                                {.op = MapOp::scale_add, .sequence = true}),
    transform_row<u32, u32>("transform/u32_div", false, {.op = MapOp::div, .sequence = true}),
    transform_row<u32, float>("transform/f32_less", false, {.op = MapOp::less, .sequence = true}),
    transform_row<u32, u64>("transform/u64_less", false, {.op = MapOp::less, .sequence = true}),
    transform_row<double, float>("transform/f32_to_f64", false, {.op = MapOp::cast}),
    transform_row<float, double>("transform/f64_to_f32", false, {.op = MapOp::cast}),
    transform_row<float, u32>("transform/u32_to_f32", false, {.op = MapOp::cast}),
    transform_row<u64, float>("transform/f32_to_u64", false, {.op = MapOp::cast}),
    transform_row<u32, u32>("transform/u32_in_place", false, {.in_place = true}),
    transform_row<u32, u32>("transform/u32_unaligned4", false, {.offset = 1}),
    transform_row<u32, u32>("transform/u32_count_1_percent", false, {.percent = 1}),
});

}  // namespace
}  // namespace vkprims::bench

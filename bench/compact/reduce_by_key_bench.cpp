// Benchmark rows of reduce_by_key.
#include "harness.hpp"
#include "oracles/reduce_by_key.hpp"
#include "vkprims/reduce_by_key.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  Data keys = Data::runs_16;
  double share = 1.0 / 16;  // of the elements that begin a run
  Determinism determinism = Determinism::fastest;
};

template <class T>
struct ReduceByKey {
  Buffer<std::uint32_t> keys, out_keys;
  Buffer<T> in, out;
  Buffer<std::uint64_t> count;
  Session::ScratchBlock scratch;
  ReduceByKeyDesc desc;
  ReduceByKeyBuffers buffers;
};

template <class T>
Case make_reduce_by_key(Session& session, std::uint64_t n, const Shape& shape) {
  auto c = std::make_shared<ReduceByKey<T>>();
  c->keys = session.allocate<std::uint32_t>(n);
  c->in = session.allocate<T>(n);
  c->out_keys = session.allocate<std::uint32_t>(n);
  c->out = session.allocate<T>(n);
  c->count = session.allocate<std::uint64_t>(1);
  session.generate(c->keys.address(), n, shape.keys);
  session.generate(c->in.address(), n * sizeof(T) / 4, data_for<T>());
  c->desc = {.type = type_of<T>(), .count = n, .determinism = shape.determinism};
  c->scratch = session.allocate_scratch(reduce_by_key_scratch(session.device(), c->desc));
  c->buffers = {.keys = c->keys.view(),
                .in = c->in.view(),
                .out_keys = c->out_keys.view(),
                .out = c->out.view(),
                .run_count = c->count.view(),
                .scratch = c->scratch.scratch};

  Case result;
  result.items = n;
  result.ideal_bytes =
      static_cast<std::uint64_t>(static_cast<double>(n) * (1 + shape.share) * (4 + sizeof(T)));
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_reduce_by_key(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    Context& context = session.context();
    const auto want = oracle::reduce_by_key(host_data<std::uint32_t>(shape.keys, n),
                                            host_data<T>(data_for<T>(), n), Op::add);
    const std::uint64_t count = context.download(c->count)[0];
    if (count != want.keys.size()) return "count is " + std::to_string(count);
    const std::string key = first_difference(context.download(c->out_keys, 0, count), want.keys);
    if (!key.empty()) return "key: " + key;
    return first_difference(context.download(c->out, 0, count), want.values);
  };
  return result;
}

template <class T>
Row reduce_by_key_row(const char* name, bool main, Shape shape, bool Features::*needs = nullptr) {
  return {
      .name = name,
      .bytes_per_item = 8 + 2 * sizeof(T),
      .needs = needs,
      .main = main,
      .make = [shape](Session& s, std::uint64_t n) { return make_reduce_by_key<T>(s, n, shape); }};
}

const Register kRows({
    reduce_by_key_row<std::uint32_t>("reduce_by_key/u32_random", true, {Data::bits, 1}),
    headline("compact", reduce_by_key_row<std::uint32_t>("reduce_by_key/u32_runs_of_16", true, {})),
    reduce_by_key_row<std::uint32_t>("reduce_by_key/u32_runs_of_256", false,
                                     {Data::runs_256, 1.0 / 256}),
    reduce_by_key_row<std::uint32_t>("reduce_by_key/u32_one_run", false, {Data::zeros, 0}),
    reduce_by_key_row<std::uint64_t>("reduce_by_key/u64_runs_of_16", false, {}, &Features::int64),
    reduce_by_key_row<float>("reduce_by_key/f32_runs_of_16_run_to_run", false,
                             {.determinism = Determinism::run_to_run}),
});

}  // namespace
}  // namespace vkprims::bench

// Benchmark rows of unique.
#include "harness.hpp"
#include "oracles/unique.hpp"
#include "vkprims/unique.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  Data data;
  double share;  // of the elements that begin a run
  std::uint32_t value_bytes = 0;
};

struct Unique {
  Buffer<std::uint32_t> in, out, values_in, values_out;
  Buffer<std::uint64_t> count;
  Session::ScratchBlock scratch;
  UniqueDesc desc;
  UniqueBuffers buffers;
};

Case make_unique(Session& session, std::uint64_t n, const Shape& shape) {
  const std::uint64_t value_words = n * shape.value_bytes / 4;
  auto c = std::make_shared<Unique>();
  c->in = session.allocate<std::uint32_t>(n);
  c->out = session.allocate<std::uint32_t>(n);
  c->values_in = session.allocate<std::uint32_t>(value_words);
  c->values_out = session.allocate<std::uint32_t>(value_words);
  c->count = session.allocate<std::uint64_t>(1);
  session.generate(c->in.address(), n, shape.data);
  session.generate(c->values_in.address(), value_words, Data::bits);
  c->desc = {.value_bytes = shape.value_bytes, .count = n};
  c->scratch = session.allocate_scratch(unique_scratch(session.device(), c->desc));
  c->buffers = {.in = c->in.view(),
                .out = c->out.view(),
                .unique_count = c->count.view(),
                .scratch = c->scratch.scratch};
  if (shape.value_bytes) {
    c->buffers.values_in = c->values_in.view();
    c->buffers.values_out = c->values_out.view();
  }

  Case result;
  result.items = n;
  result.ideal_bytes = static_cast<std::uint64_t>(static_cast<double>(n) * (1 + shape.share) *
                                                  (4 + shape.value_bytes));
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_unique(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    Context& context = session.context();
    const auto in = host_data<std::uint32_t>(shape.data, n);
    const auto want = oracle::select(in, oracle::run_heads(in));
    const std::uint64_t count = context.download(c->count)[0];
    if (count != want.elements.size()) return "count is " + std::to_string(count);
    const std::string wrong = first_difference(context.download(c->out, 0, count), want.elements);
    if (!wrong.empty() || !shape.value_bytes) return wrong;
    std::vector<std::uint32_t> values;
    const auto all = host_data<std::uint32_t>(Data::bits, value_words);
    for (const std::uint64_t i : want.indices) values.push_back(all[i]);
    const std::string value = first_difference(context.download(c->values_out, 0, count), values);
    return value.empty() ? value : "value: " + value;
  };
  return result;
}

Row unique_row(const char* name, bool main, Shape shape) {
  return {.name = name,
          .bytes_per_item = 8 + 2 * shape.value_bytes,
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_unique(s, n, shape); }};
}

const Register kRows({
    unique_row("unique/u32_random", true, {Data::bits, 1}),
    headline("compact", unique_row("unique/u32_runs_of_16", true, {Data::runs_16, 1.0 / 16})),
    unique_row("unique/u32_runs_of_256", false, {Data::runs_256, 1.0 / 256}),
    unique_row("unique/u32_one_run", false, {Data::zeros, 0}),
    unique_row("unique/u32_runs_of_16_values", false, {Data::runs_16, 1.0 / 16, 4}),
});

}  // namespace
}  // namespace vkprims::bench

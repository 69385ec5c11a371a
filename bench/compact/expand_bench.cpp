// Benchmark rows of expand; n is the number of places.
#include "harness.hpp"
#include "oracles/expand.hpp"
#include "segmented_data.hpp"
#include "vkprims/expand.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  Spread spread = Spread::mean4;
  bool from_counts = false, with_ranks = false;
};

struct Expand {
  Buffer<std::uint32_t> in, indices, ranks;
  Session::ScratchBlock scratch;
  ExpandDesc desc;
  ExpandBuffers buffers;
};

// The counts or offsets of a row.
std::vector<std::uint32_t> input_of(const Shape& shape, std::uint64_t n) {
  std::vector<std::uint32_t> x = offsets_of<std::uint32_t>(shape.spread, n);
  if (!shape.from_counts) return x;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) x[i] = x[i + 1] - x[i];
  x.pop_back();
  return x;
}

Case make_expand(Session& session, std::uint64_t n, const Shape& shape) {
  auto c = std::make_shared<Expand>();
  const std::vector<std::uint32_t> in = input_of(shape, n);
  c->in = session.context().upload(in);
  c->indices = session.allocate<std::uint32_t>(n);
  if (shape.with_ranks) c->ranks = session.allocate<std::uint32_t>(n);
  c->desc = {.input = shape.from_counts ? ExpandInput::counts : ExpandInput::offsets,
             .count = in.size() - (shape.from_counts ? 0 : 1),
             .capacity = n};
  c->scratch = session.allocate_scratch(expand_scratch(session.device(), c->desc));
  c->buffers = {.in = c->in.view(), .indices = c->indices.view(), .scratch = c->scratch.scratch};
  if (shape.with_ranks) c->buffers.ranks = c->ranks.view();

  Case result;
  result.items = n;
  result.ideal_bytes = 4 * (in.size() + (shape.with_ranks ? 2 : 1) * n);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_expand(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    const std::vector<std::uint32_t> x = input_of(shape, n);
    const oracle::Expansion want = shape.from_counts ? oracle::expand_counts<std::uint32_t>(x, n)
                                                     : oracle::expand_offsets<std::uint32_t>(x, n);
    const auto check = [&](const auto& expected, const Buffer<std::uint32_t>& buffer) {
      std::vector<std::uint32_t> values;
      for (const auto& value : expected) values.push_back(static_cast<std::uint32_t>(*value));
      return first_difference(session.context().download(buffer), values);
    };
    const std::string found = check(want.indices, c->indices);
    return !found.empty() || !shape.with_ranks ? found : check(want.ranks, c->ranks);
  };
  return result;
}

Row expand_row(const char* name, Shape shape, bool main = false) {
  return {.name = name,
          .bytes_per_item = 16,
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_expand(s, n, shape); }};
}

const Register kRows({
    headline("compact", expand_row("expand/u32_mean_4", {}, true)),
    expand_row("expand/u32_mean_4_ranks", {.with_ranks = true}),
    expand_row("expand/u32_mean_4_counts", {.from_counts = true}),
    expand_row("expand/u32_mean_1", {Spread::mean1}),
    expand_row("expand/u32_mean_256", {Spread::mean256}),
    expand_row("expand/u32_half_empty", {Spread::half_empty}),
    expand_row("expand/u32_power_law", {Spread::power_law}),
    expand_row("expand/u32_one", {Spread::one}),
});

}  // namespace
}  // namespace vkprims::bench

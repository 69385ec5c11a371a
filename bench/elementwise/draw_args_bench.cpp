// Benchmark rows of draw_args.
#include "harness.hpp"
#include "oracles/draw_args.hpp"

namespace vkprims::bench {
namespace {

struct DrawArgs {
  Buffer<std::uint32_t> counts, args;
  DrawArgsDesc desc;
};

// Counts, one for each of n draws.
std::vector<std::uint32_t> counts_of(std::uint64_t n) {
  std::vector<std::uint32_t> counts(n);
  for (std::uint64_t i = 0; i < n; ++i) counts[i] = mix_bits(i) % 1000;
  return counts;
}

Case make_draw_args(Session& session, std::uint64_t n) {
  auto c = std::make_shared<DrawArgs>();
  c->counts = session.context().upload(counts_of(n));
  c->args = session.allocate<std::uint32_t>(4 * n);
  c->desc = {.count = Count(1000, c->counts.address()),
             .other_number = 6,
             .commands = static_cast<std::uint32_t>(n)};

  Case result;
  result.items = n;
  result.ideal_bytes = 20 * n;
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_draw_args(cmd, session.device(), c->desc, {.args = c->args.view()});
  };
  result.mismatch = [&session, c, n] {
    std::vector<std::uint32_t> want;
    for (const std::uint32_t count : counts_of(n)) {
      const auto args = oracle::draw_args(c->desc, count);
      want.insert(want.end(), args.begin(), args.end());
    }
    return first_difference(session.context().download(c->args), want);
  };
  return result;
}

const Register kRows({
    headline("elementwise", {.name = "draw_args/instances",
                             .bytes_per_item = 20,
                             .sizes = {1 << 10, 1 << 16},
                             .make = make_draw_args}),
});

}  // namespace
}  // namespace vkprims::bench

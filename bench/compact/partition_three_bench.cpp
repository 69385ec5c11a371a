// Benchmark rows of partition_three.
#include "harness.hpp"
#include "oracles/partition_three.hpp"
#include "vkprims-bench/thirds.hpp"

namespace vkprims::bench {
namespace {

struct Thirds {
  Buffer<std::uint32_t> in, first, second, third;
  Buffer<std::uint64_t> counts;
  Session::ScratchBlock scratch;
  PartitionThreeDesc desc;
  PartitionThreeBuffers buffers;
};

Case make_thirds(Session& session, std::uint64_t n) {
  auto c = std::make_shared<Thirds>();
  for (auto* x : {&c->in, &c->first, &c->second, &c->third}) {
    *x = session.allocate<std::uint32_t>(n);
  }
  c->counts = session.allocate<std::uint64_t>(2);
  session.generate(c->in.address(), n, Data::bits);
  c->desc = {.own = &own::thirds::predicate, .count = n};
  c->scratch = session.allocate_scratch(partition_three_scratch(session.device(), c->desc));
  c->buffers = {c->in.view(),    c->first.view(),  c->second.view(),
                c->third.view(), c->counts.view(), c->scratch.scratch};

  Case result;
  result.items = n;
  result.ideal_bytes = 8 * n;
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_partition_three(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    Context& context = session.context();
    const auto parts = oracle::partition_three<std::uint32_t>(
        host_data<std::uint32_t>(Data::bits, n),
        [](std::uint32_t x, std::uint64_t) { return x / 0x55555556u; });
    const std::vector<std::uint64_t> counts = context.download(c->counts);
    if (counts[0] != parts[0].size() || counts[1] != parts[1].size()) {
      return "counts are " + std::to_string(counts[0]) + " and " + std::to_string(counts[1]);
    }
    const Buffer<std::uint32_t>* const results[] = {&c->first, &c->second, &c->third};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string wrong =
          first_difference(context.download(*results[k], 0, parts[k].size()), parts[k]);
      if (!wrong.empty()) return "part " + std::to_string(k) + ": " + wrong;
    }
    return std::string();
  };
  return result;
}

const Register kRows({
    headline("compact", {.name = "partition_three/u32_thirds",
                         .bytes_per_item = 16,
                         .make = make_thirds}),
});

}  // namespace
}  // namespace vkprims::bench

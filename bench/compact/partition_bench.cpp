// Benchmark rows of partition.
#include "harness.hpp"
#include "oracles/partition.hpp"
#include "vkprims/partition.hpp"

namespace vkprims::bench {
namespace {

struct Partition {
  Buffer<std::uint32_t> in, out, rejected;
  Buffer<std::uint64_t> selected;
  Session::ScratchBlock scratch;
  PartitionDesc desc;
  PartitionBuffers buffers;
};

Case make_partition(Session& session, std::uint64_t n, bool one_output) {
  constexpr std::uint32_t kHalf = 1u << 31;
  auto c = std::make_shared<Partition>();
  c->in = session.allocate<std::uint32_t>(n);
  c->out = session.allocate<std::uint32_t>(n);
  c->rejected = session.allocate<std::uint32_t>(one_output ? 0 : n);
  c->selected = session.allocate<std::uint64_t>(1);
  session.generate(c->in.address(), n, Data::bits);
  c->desc = {.by = SelectBy::predicate,
             .predicate = Predicate::less,
             .operand = kHalf,
             .one_output = one_output,
             .count = n};
  c->scratch = session.allocate_scratch(partition_scratch(session.device(), c->desc));
  c->buffers = {.in = c->in.view(),
                .out = c->out.view(),
                .rejected = one_output ? BufferView{} : c->rejected.view(),
                .selected_count = c->selected.view(),
                .scratch = c->scratch.scratch};

  Case result;
  result.items = n;
  result.ideal_bytes = 8 * n;
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_partition(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    Context& context = session.context();
    const auto in = host_data<std::uint32_t>(Data::bits, n);
    std::vector<bool> chosen(n);
    for (std::size_t i = 0; i < n; ++i) chosen[i] = in[i] < kHalf;
    const auto want = oracle::partition(in, chosen);
    const std::uint64_t selected = context.download(c->selected)[0];
    if (selected != want.selected.size()) return "count is " + std::to_string(selected);
    const std::string wrong =
        first_difference(context.download(c->out, 0, selected), want.selected);
    if (!wrong.empty()) return wrong;
    const std::string rejected =
        first_difference(one_output ? context.download(c->out, selected, n - selected)
                                    : context.download(c->rejected, 0, n - selected),
                         want.rejected);
    return rejected.empty() ? rejected : "rejected: " + rejected;
  };
  return result;
}

Row partition_row(const char* name, bool one_output) {
  return {.name = name,
          .bytes_per_item = one_output ? 8u : 12u,
          .main = !one_output,
          .make = [one_output](Session& s, std::uint64_t n) {
            return make_partition(s, n, one_output);
          }};
}

const Register kRows({
    headline("compact", partition_row("partition/u32_50_percent", false)),
    partition_row("partition/u32_one_output", true),
});

}  // namespace
}  // namespace vkprims::bench

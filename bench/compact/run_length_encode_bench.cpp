// Benchmark rows of run_length_encode.
#include "harness.hpp"
#include "oracles/run_length_encode.hpp"
#include "vkprims/run_length_encode.hpp"

namespace vkprims::bench {
namespace {

struct RunLengthEncode {
  Buffer<std::uint32_t> in, out, lengths;
  Buffer<std::uint64_t> count;
  Session::ScratchBlock scratch;
  RunLengthEncodeDesc desc;
  RunLengthEncodeBuffers buffers;
};

// `share` is the share of the elements that begin a run.
Case make_run_length_encode(Session& session, std::uint64_t n, Data data, double share) {
  auto c = std::make_shared<RunLengthEncode>();
  c->in = session.allocate<std::uint32_t>(n);
  c->out = session.allocate<std::uint32_t>(n);
  c->lengths = session.allocate<std::uint32_t>(n);
  c->count = session.allocate<std::uint64_t>(1);
  session.generate(c->in.address(), n, data);
  c->desc = {.count = n};
  c->scratch = session.allocate_scratch(run_length_encode_scratch(session.device(), c->desc));
  c->buffers = {.in = c->in.view(),
                .out = c->out.view(),
                .lengths = c->lengths.view(),
                .run_count = c->count.view(),
                .scratch = c->scratch.scratch};

  Case result;
  result.items = n;
  result.ideal_bytes = static_cast<std::uint64_t>(static_cast<double>(n) * (1 + 2 * share) * 4);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_run_length_encode(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    Context& context = session.context();
    const auto want = oracle::run_length_encode(host_data<std::uint32_t>(data, n));
    const std::uint64_t count = context.download(c->count)[0];
    if (count != want.keys.size()) return "count is " + std::to_string(count);
    const std::string element = first_difference(context.download(c->out, 0, count), want.keys);
    if (!element.empty()) return element;
    const std::string length =
        first_difference(context.download(c->lengths, 0, count),
                         std::vector<std::uint32_t>(want.values.begin(), want.values.end()));
    return length.empty() ? length : "lengths: " + length;
  };
  return result;
}

Row run_length_encode_row(const char* name, bool main, Data data, double share) {
  return {.name = name,
          .bytes_per_item = 12,
          .main = main,
          .make = [data, share](Session& s, std::uint64_t n) {
            return make_run_length_encode(s, n, data, share);
          }};
}

const Register kRows({
    run_length_encode_row("run_length_encode/u32_random", true, Data::bits, 1),
    headline("compact", run_length_encode_row("run_length_encode/u32_runs_of_16", true,
                                              Data::runs_16, 1.0 / 16)),
    run_length_encode_row("run_length_encode/u32_runs_of_256", false, Data::runs_256, 1.0 / 256),
    run_length_encode_row("run_length_encode/u32_one_run", false, Data::zeros, 0),
});

}  // namespace
}  // namespace vkprims::bench

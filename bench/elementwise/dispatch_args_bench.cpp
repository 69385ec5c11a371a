// Benchmark rows of dispatch_args.
#include "harness.hpp"
#include "oracles/dispatch_args.hpp"
#include "vkprims/dispatch_args.hpp"

namespace vkprims::bench {
namespace {

struct DispatchArgs {
  Buffer<std::uint32_t> count, args;
  DispatchArgsDesc desc;
};

Case make_dispatch_args(Session& session, std::uint64_t n) {
  constexpr std::uint64_t kItems = 256;
  auto c = std::make_shared<DispatchArgs>();
  c->count = session.context().upload(std::vector<std::uint32_t>{static_cast<std::uint32_t>(n)});
  c->args = session.allocate<std::uint32_t>(3);
  c->desc = {.count = Count(kMaxCount / kItems, c->count.address()), .items_per_group = kItems};

  Case result;
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_dispatch_args(cmd, session.device(), c->desc, {.args = c->args.view()});
  };
  result.mismatch = [&session, c, n] {
    const auto want = oracle::dispatch_args(n, kItems);
    return first_difference(session.context().download(c->args),
                            std::vector<std::uint32_t>(want.begin(), want.end()));
  };
  return result;
}

// Only one invocation works, whatever the count is.
const Register kRows({
    headline("elementwise",
             {.name = "dispatch_args/u32", .sizes = {1 << 20}, .make = make_dispatch_args}),
});

}  // namespace
}  // namespace vkprims::bench

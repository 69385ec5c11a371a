// Benchmark rows of key_ranges.
#include <algorithm>

#include "harness.hpp"
#include "oracles/key_ranges.hpp"
#include "vkprims/key_ranges.hpp"

namespace vkprims::bench {
namespace {

struct KeyRanges {
  Buffer<std::uint32_t> in, out;
  KeyRangesDesc desc;
  KeyRangesBuffers buffers;
};

// Each key occurs `mean` times on average.
std::vector<std::uint32_t> keys_of(std::uint64_t n, std::uint64_t mean) {
  std::vector<std::uint32_t> keys(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    keys[i] = static_cast<std::uint32_t>(mix_bits(i) % (n / mean + 1));
  }
  std::ranges::sort(keys);
  return keys;
}

Case make_key_ranges(Session& session, std::uint64_t n, std::uint64_t mean) {
  auto c = std::make_shared<KeyRanges>();
  const std::uint64_t ranges = n / mean + 1;
  c->in = session.allocate<std::uint32_t>(n);
  c->out = session.allocate<std::uint32_t>(ranges + 1);
  session.context().write(c->in, keys_of(n, mean));
  c->desc = {.ranges = ranges, .count = n};
  c->buffers = {c->in.view(), c->out.view()};

  Case result;
  result.items = n;
  result.ideal_bytes = 4 * (n + ranges);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_key_ranges(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    const auto keys = keys_of(n, mean);
    return first_difference(session.context().download(c->out),
                            oracle::key_ranges<std::uint32_t, std::uint32_t>(keys, 0, ranges));
  };
  return result;
}

Row key_ranges_row(const char* name, std::uint64_t mean) {
  return {.name = name, .bytes_per_item = 8, .make = [mean](Session& s, std::uint64_t n) {
            return make_key_ranges(s, n, mean);
          }};
}

const Register kRows({
    headline("elementwise", key_ranges_row("key_ranges/u32_mean_16", 16)),
    key_ranges_row("key_ranges/u32_mean_1", 1),
    key_ranges_row("key_ranges/u32_mean_1000", 1000),
});

}  // namespace
}  // namespace vkprims::bench

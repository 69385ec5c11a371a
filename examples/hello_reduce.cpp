// Sums a million numbers on the best Vulkan device present.
#include <cstdio>
#include <numeric>
#include <vector>

#include "vkprims/context.hpp"
#include "vkprims/reduce.hpp"

int main() try {
  std::vector<std::uint32_t> values(1000000);
  std::iota(values.begin(), values.end(), 1u);

  vkprims::Context context;
  auto in = context.upload(values);
  auto out = context.allocate<std::uint32_t>(1);
  context.run([&](vkprims::Recorder& r) { vkprims::reduce(r, {.op = vkprims::Op::add}, in, out); });
  const std::uint32_t sum = context.download(out)[0];

  const std::uint32_t expected = std::accumulate(values.begin(), values.end(), 0u);
  std::printf("%s: sum %u, expected %u (both modulo 2^32)\n", context.properties().deviceName, sum,
              expected);
  return sum == expected ? 0 : 1;
} catch (const vkprims::Error& error) {
  std::fprintf(stderr, "hello_reduce: %s\n", error.what());
  return 1;
}

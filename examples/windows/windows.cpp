// Doubles numbers and computes their moving averages in three ways, by kernels that are compiled at
// run time, and prints how long each takes with compilation and without.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "averages.hpp"
#include "vkprims/context.hpp"
#include "vkprims/jit.hpp"
#include "vkprims/rolling.hpp"

namespace {

using Clock = std::chrono::steady_clock;

// Runs `steps` twice: the second time all that has been compiled is there.
template <class Steps>
void measure(vkprims::Context& context, const char* name, const Steps& steps) {
  double ms[2], gpu_ms = 0;
  for (double& time : ms) {
    const auto start = Clock::now();
    vkprims::Job job = context.submit(steps);
    job.wait();
    time = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    gpu_ms = job.gpu_ms();
  }
  std::printf("%-8s first %8.3f ms, then %8.3f ms, of these the GPU %8.3f ms\n", name, ms[0], ms[1],
              gpu_ms);
}

}  // namespace

int main() try {
  constexpr std::uint32_t n = 1 << 20, window = 100, results = n - window + 1;
  std::vector<float> values(n);
  for (std::uint32_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 10 + i / 1000 % 7);
  vkprims::Context context;
  const vkprims::jit::Compiler jit(context.device());
  const auto numbers = context.upload(values), doubled = context.allocate<float>(n);
  const auto averages = context.allocate<float>(n);

  bool right = true;
  const auto check = [&] {
    const std::vector<float> got = context.download(averages);
    double sum = 0;  // of integers, so it is exact
    for (std::uint32_t i = 0; i < n; ++i) {
      sum += 2 * values[i];
      if (i + 1 < window) continue;
      right &= std::abs(got[i + 1 - window] - sum / window) < 1e-4;
      sum -= 2 * values[i + 1 - window];
    }
  };

  measure(context, "doubling",
          [&](vkprims::Recorder& r) { jit.map<float, float>("2 * x")(r, numbers, doubled); });
  for (const Average& average : kAverages) {
    measure(context, average.name, [&](vkprims::Recorder& r) {
      const auto kernel = jit.kernel(average.source, average.desc(window));
      kernel(r, {.items = average.invocations(results)}, doubled, averages, window, n);
    });
    check();
  }
  // The library's own never subtracts, so that no rounding error and no infinity outlives a window.
  measure(context, "rolling", [&](vkprims::Recorder& r) {
    rolling(r, {.op = vkprims::RollingOp::mean, .preceding = 1, .following = window - 1}, doubled,
            averages);
  });
  check();
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
} catch (const vkprims::Error& error) {
  std::fprintf(stderr, "windows: %s\n", error.what());
  return 1;
}

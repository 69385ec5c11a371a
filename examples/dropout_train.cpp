// Training with dropout: y = dropout(x + bias) + residual and loss = |y - target|^2 / 2; the bias
// goes down its gradient. A step is recorded once and submitted three times. The state of the
// random numbers lies on the GPU, which advances it, so each step drops other elements.
#include <bit>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "vkprims/context.hpp"
#include "vkprims/vkprims.hpp"

namespace {

constexpr std::uint32_t kRows = 300, kColumns = 40, kCount = kRows * kColumns;
constexpr double kP = 0.25;
constexpr float kRate = -0.001f;

std::vector<float> random_numbers(std::uint32_t n, std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> numbers(n);
  for (float& x : numbers) x = uniform(engine);
  return numbers;
}

struct Layer {
  std::vector<float> x, residual, target;

  // The loss for the elements that `mask` keeps, after one number of the bias has been moved.
  double loss(const std::vector<float>& bias, const std::vector<std::uint32_t>& mask,
              std::uint32_t moved, double by) const {
    double sum = 0;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const double b = bias[i % kColumns] + (i % kColumns == moved ? by : 0);
      const double kept = mask[i / 32] >> i % 32 & 1 ? (x[i] + b) / (1 - kP) : 0;
      const double error = kept + residual[i] - target[i];
      sum += error * error / 2;
    }
    return sum;
  }
};

}  // namespace

int main() try {
  const Layer layer{random_numbers(kCount, 1), random_numbers(kCount, 2),
                    random_numbers(kCount, 3)};
  vkprims::Context context;
  const auto x = context.upload(layer.x);
  const auto residual = context.upload(layer.residual);
  const auto target = context.upload(layer.target);
  const auto bias = context.upload(random_numbers(kColumns, 4));
  const auto y = context.allocate<float>(kCount);
  const auto error = context.allocate<float>(kCount);
  const auto x_gradient = context.allocate<float>(kCount);
  const auto bias_gradient = context.allocate<float>(kColumns);
  const auto mask = context.allocate<std::uint32_t>(kCount / 32);
  const auto state = context.upload(std::vector<std::uint64_t>{2026, 0});  // seed and offset

  const vkprims::DropoutDesc desc{.p = kP,
                                  .rng = {.state = state.address()},
                                  .bias = vkprims::DropoutBias::row,
                                  .columns = kColumns};
  const vkprims::Plan step = context.record([&](vkprims::Recorder& r) {
    vkprims::dropout(r, desc, x, y, {.bias = bias, .residual = residual, .mask = mask});
    vkprims::transform(r, {.op = vkprims::MapOp::sub}, y, target, error);
    vkprims::dropout_backward(r, desc, error, x_gradient,
                              {.mask = mask, .bias_gradient = bias_gradient});
    vkprims::transform(r, {.op = vkprims::MapOp::scale_add, .alpha = kRate}, bias_gradient, bias,
                       bias);
  });

  std::printf("%s\n", context.properties().deviceName);
  std::vector<std::uint32_t> last(kCount / 32);  // nothing kept
  bool right = true;
  for (int i = 0; i < 3; ++i) {
    const std::vector<float> before = context.download(bias);
    context.submit(step).wait();
    const std::vector<std::uint32_t> words = context.download(mask);
    const std::vector<float> gradient = context.download(bias_gradient);
    // The loss is quadratic, so central differences of any width give its gradient.
    double worst = 0;
    for (std::uint32_t c = 0; c < kColumns; ++c) {
      const double slope = layer.loss(before, words, c, 0.5) - layer.loss(before, words, c, -0.5);
      worst = std::max(worst, std::abs(slope - gradient[c]) / (1 + std::abs(slope)));
    }
    int kept = 0, agree = 0;
    for (std::size_t w = 0; w < words.size(); ++w) {
      kept += std::popcount(words[w]);
      agree += std::popcount(~(words[w] ^ last[w]));
    }
    std::printf(
        "step %d: loss %.1f, kept %.1f %%, %.1f %% as before, gradients differ by %.1e at most\n",
        i, layer.loss(before, words, 0, 0), 100.0 * kept / kCount, 100.0 * agree / kCount, worst);
    right =
        right && worst < 1e-4 && agree < 0.7 * kCount && kept > 0.7 * kCount && kept < 0.8 * kCount;
    last = words;
  }
  return right ? 0 : 1;
} catch (const vkprims::Error& error) {
  std::fprintf(stderr, "dropout_train: %s\n", error.what());
  return 1;
}

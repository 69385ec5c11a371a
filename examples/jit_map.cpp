// A map, a monoid and a kernel that are compiled at run time, from text in the program. Link
// vkprims::jit.
#include <cmath>
#include <cstdio>
#include <vector>

#include "vkprims/context.hpp"
#include "vkprims/jit.hpp"
#include "vkprims/scan.hpp"

// The function x -> slope * x + offset. Of two, the left one is applied first.
struct Line {
  float slope, offset;
};
constexpr const char* kLine = R"(
struct Line { float slope, offset; };
#define VKP_T Line
Line vkp_identity() { return Line(1.0, 0.0); }
Line vkp_combine(Line left, Line right) {
  return Line(left.slope * right.slope, right.slope * left.offset + right.offset);
}
)";

// The sum of neighbours, which a workgroup loads into shared memory.
constexpr const char* kSums = R"(
layout(push_constant) uniform Push { VkpFloats from, to; uint window, n; };
shared float loaded[VKP_SHARED_BYTES / 4];

void main() {
  const uint me = gl_LocalInvocationIndex, first = vkp_item() - me;
  const uint items = gl_WorkGroupSize.x + window;
  for (uint k = me; k - me < items; k += gl_WorkGroupSize.x) {
    if (k < items) loaded[k] = first + k < n ? from.v[first + k] : 0.0;
  }
  barrier();
  float sum = 0.0;
  for (uint k = 0u; k < window; ++k) sum += loaded[me + k];
  if (vkp_item() < n) to.v[vkp_item()] = sum;
}
)";

int main() try {
  constexpr std::uint32_t n = 100000, window = 8;
  vkprims::Context context;
  const vkprims::jit::Compiler jit(context.device());

  // The template arguments are the types of the result and of the inputs.
  const auto squares = jit.map<float, float>("x * x + 1");
  // The monoid goes wherever a built-in operator does.
  const auto lines = jit.monoid<Line>(kLine, {.name = "lines"});
  // The arguments of the kernel are the members of its push constants.
  const auto sums = jit.kernel(kSums, {.name = "sums", .shared_bytes = 4 * (128 + window)});

  std::vector<float> values(n);
  for (std::uint32_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 10);
  const auto x = context.upload(values), y = context.allocate<float>(n);
  const auto z = context.allocate<float>(n);
  const auto steps = context.upload(std::vector<Line>(n, Line{0.5f, 1.0f}));
  const auto states = context.allocate<Line>(n);
  context.run([&](vkprims::Recorder& r) {
    squares(r, x, y);
    sums(r, {.items = n}, y, z, window, n);
    scan(r, lines, {.kind = vkprims::ScanKind::inclusive}, steps, states);
  });

  float expected = 0;
  for (std::uint32_t i = 0; i < window; ++i) expected += values[i] * values[i] + 1;
  const float sum = context.download(z)[0], limit = context.download(states)[n - 1].offset;
  std::printf("the sum of %u squares is %g, expected %g; 0.5 x + 1 tends to %g, expected 2\n",
              window, sum, expected, limit);

  // A mistake is a message with the line of the source.
  const auto wrong = jit.map<float, float>("x * z + 1", {.name = "wrong"});
  std::printf("%s\n", wrong.status().message());
  return sum == expected && std::abs(limit - 2) < 1e-5f && !wrong.status() ? 0 : 1;
} catch (const vkprims::Error& error) {
  std::fprintf(stderr, "jit_map: %s\n", error.what());
  return 1;
}

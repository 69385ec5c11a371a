// A map, a monoid and a kernel that are compiled at run time, and a mistake.
#include <cstdio>
#include <cstring>

#include "vkprims/context.hpp"
#include "vkprims/jit.hpp"
#include "vkprims/scan.hpp"

int main() try {
  constexpr std::uint32_t kCount = 1000;
  vkprims::Context context;
  const vkprims::jit::Compiler jit(context.device());
  const auto squares = jit.map<std::uint32_t, std::uint32_t>("x * x");
  const auto sum = jit.monoid<std::uint32_t>(
      "#define VKP_T uint\n"
      "uint vkp_identity() { return 0u; }\n"
      "uint vkp_combine(uint left, uint right) { return left + right; }\n");
  const auto halves = jit.kernel(
      "layout(push_constant) uniform Push { VkpUints x; uint n; };\n"
      "void main() { if (vkp_item() < n) x.v[vkp_item()] /= 2u; }\n");
  std::vector<std::uint32_t> numbers(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) numbers[i] = i;
  const auto x = context.upload(numbers);
  const auto y = context.allocate<std::uint32_t>(kCount);
  context.run([&](vkprims::Recorder& r) {
    squares(r, x, y);
    halves(r, {.items = kCount}, y, kCount);
    vkprims::scan(r, sum, {.kind = vkprims::ScanKind::inclusive}, y, y);
  });
  std::uint32_t expected = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) expected += i * i / 2;
  const bool right = context.download(y).back() == expected;
  const auto wrong = jit.map<float, float>("\nx + nothing");
  const bool named = std::strstr(wrong.status().message(), "map:2: 'nothing'") != nullptr;
  std::printf("%s, %s\n", right ? "right" : "wrong", wrong.status().message());
  return right && named ? 0 : 1;
} catch (const vkprims::Error& error) {
  std::fprintf(stderr, "FAILED: %s\n", error.what());
  return 1;
}

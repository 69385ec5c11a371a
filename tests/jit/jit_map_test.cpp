// Maps from text.
#include <array>
#include <cmath>

#include "jit/jit_support.hpp"

namespace vkprims::test {
namespace {

template <class Out, class... In>
std::string message(const std::string& source) {
  return compiler().map<Out, In...>(source, {.name = "own"}).status().message();
}

}  // namespace

TEST_CASE("jit map: one input, at every place of a cell, and in place") {
  const auto square = compiler().map<float, float>("x * x + 1");
  throw_if_error(square.status());
  for (const Tuning& tuning : either_tuning({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : {0, 1, 3, 127, 513, 5000}) {
      const std::vector<float> values = random_values<float>(n, 3);
      std::vector<float> expected(n);
      for (std::size_t i = 0; i < n; ++i) expected[i] = values[i] * values[i] + 1.0f;
      for (const std::uint64_t offset : {0, 4, 8}) {
        const Guarded in(values, offset), out(4 * n, 4), same(values, offset);
        const vkprims::MapDesc desc{.own = &square, .count = n};
        run([&](VkCommandBuffer cmd) {
          throw_if_error(record_map(cmd, d, desc, {.in = {in.view()}, .out = {out.view()}}));
          throw_if_error(record_barrier(cmd, d));
          throw_if_error(record_map(cmd, d, desc, {.in = {same.view()}, .out = {same.view()}}));
        });
        // The device may fuse the product and the sum.
        const std::vector<float> result = out.read<float>();
        bool close = true;
        for (std::size_t i = 0; i < n; ++i)
          close = close && std::abs(result[i] - expected[i]) < 1e-6f;
        CHECK(close);
        CHECK(same_bits(same.read<float>(), result));
      }
    }
  }
}

TEST_CASE("jit map: no input, several, vectors, statements, and a count on the GPU") {
  constexpr std::uint32_t n = 1000;
  const auto numbers = compiler().map<std::uint32_t>("3u * i");
  const auto below = compiler().map<std::uint32_t, float, float>("a < b");
  const auto dot = compiler().map<float, std::array<float, 3>, std::array<float, 3>, float>(
      "dot(a, b) + c  // a comment");
  const auto collatz = compiler().map<std::uint32_t, std::uint32_t>(
      "uint steps = 0u;\nwhile (x > 1u && steps < 1000u) {\n"
      "  x = (x & 1u) != 0u ? 3u * x + 1u : x / 2u;\n  ++steps;\n}\nreturn steps;");
  for (const Status& status : {numbers.status(), below.status(), dot.status(), collatz.status()}) {
    throw_if_error(status);
  }
  const std::vector<float> values = random_values<float>(3 * n, 1);
  std::vector<std::array<float, 3>> vectors(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < 3; ++k) vectors[i][k] = std::floor(values[3 * i + k] * 8);
  }
  const auto a = context().upload(vectors);
  const auto c = context().upload(std::vector<float>(n, 0.5f));
  const auto number = context().allocate<std::uint32_t>(n),
             less = context().allocate<std::uint32_t>(n);
  const auto steps = context().upload(std::vector<std::uint32_t>(n, 77));
  const auto product = context().allocate<float>(n);
  const auto count = context().upload(std::vector<std::uint32_t>{10});
  context().run([&](Recorder& r) {
    numbers(r, number);
    dot(r, a, a, c, product);
    below(r, product, c, less);
    collatz(r, count_in(count), number, steps);
  });
  const std::vector<std::uint32_t> is_less = context().download(less),
                                   made = context().download(steps);
  const std::vector<float> products = context().download(product);
  const std::uint32_t expected_steps[] = {0, 7, 8, 19, 9, 17, 20, 7, 10, 111};
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto& v = vectors[i];
    const float expected = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + 0.5f;
    CHECK(products[i] == expected);
    CHECK(is_less[i] == (expected < 0.5f ? 1u : 0u));
    CHECK(made[i] == (i < 10 ? expected_steps[i] : 77u));
  }
  const std::vector<std::uint32_t> all = context().download(number);
  for (std::uint32_t i = 0; i < n; ++i) CHECK(all[i] == 3 * i);
}

TEST_CASE("jit map: 64 bits") {
  if (!context().device().features().int64 || !context().device().features().float64) return;
  const auto half = compiler().map<double, std::int64_t>("double(x) * 0.5lf");
  throw_if_error(half.status());
  CHECK(half.has_int64);
  CHECK(half.has_float64);
  const auto in = context().upload(std::vector<std::int64_t>{-3, std::int64_t{1} << 40});
  const auto out = context().allocate<double>(2);
  context().run([&](Recorder& r) { half(r, in, out); });
  CHECK(context().download(out) == std::vector<double>{-1.5, 0x1p39});
}

TEST_CASE("jit map: the same source is compiled once") {
  const jit::Compiler jit(context().device());
  for (int i = 0; i < 3; ++i) throw_if_error(jit.map<float, float>("x + 1").status());
  CHECK(jit.statistics().compiled == 1);
  throw_if_error(jit.map<float, float>("x + 2").status());
  throw_if_error(jit.map<int, int>("x + 1").status());
  CHECK(jit.statistics().compiled == 3);
}

TEST_CASE("jit map: what is wrong has the source's lines, and comes with the call, too") {
  CHECK(message<float, float>("x * y") ==
        "jit: map own does not compile:\nown:1: 'y' : undeclared identifier\n    x * y");
  const std::string broken = message<float, float>("x * (x + 1");
  CHECK(broken.find("own:1: syntax error") != std::string::npos);
  CHECK(broken.find("\n    x * (x + 1") != std::string::npos);
  CHECK(message<float, float>("float y = x;\nreturn y +;\n").find("own:2: ") != std::string::npos);
  CHECK(message<float, float>("").find("own:1: ") != std::string::npos);
  CHECK(message<float, float, float>("x").find("'x' : undeclared identifier") != std::string::npos);
  const auto wrong = compiler().map<float, float>("x * y", {.name = "own"});
  const auto x = context().allocate<float>(1);
  CHECK_THROWS_WITH(
      context().run([&](Recorder& r) { wrong(r, x, x); }),
      "jit: map own does not compile:\nown:1: 'y' : undeclared identifier\n    x * y");
  CHECK(std::string(jit::Compiler().map<float, float>("x").status().message()) ==
        "jit: device is empty; make it with Device::create");
}

}  // namespace vkprims::test

// Kernels that are compiled at run time: how long the first uses of a map and of a string kernel
// take, all pipelines of a string kernel, and a use of a map that has been compiled before; a map
// that is the same as transform/f32_axpy and map/f32_axpy; and the moving averages of
// examples/windows.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "harness.hpp"
#include "vkprims/jit.hpp"
#include "vkprims/strings.hpp"
#include "windows/averages.hpp"

namespace vkprims::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// ---- The host's time from the text to a command buffer that has the map.

struct Pair {
  explicit Pair(Session& session) : x(session.allocate<float>(1)), y(session.allocate<float>(1)) {}
  Buffer<float> x, y;
};

double use(Session& session, const jit::Compiler& compiler, const std::string& source,
           const Pair& pair) {
  const auto start = Clock::now();
  const auto map = compiler.map<float, float>(source);
  const Plan plan = session.context().record([&](Recorder& r) { map(r, pair.x, pair.y); });
  return seconds_since(start);
}

// A source that no driver has seen before, not even in an earlier run.
std::string new_source() {
  return "x + " + std::to_string(Clock::now().time_since_epoch().count()) + ".0";
}

HostTimes time_first_use(Session& session, std::uint64_t) {
  const Pair pair(session);
  HostTimes times;
  for (int i = 0; i < 11; ++i) {
    times.samples.push_back(use(session, jit::Compiler(session.device()), new_source(), pair));
  }
  return times;
}

HostTimes time_cached_use(Session& session, std::uint64_t) {
  const Pair pair(session);
  const jit::Compiler compiler(session.device());
  const std::string source = new_source();
  use(session, compiler, source, pair);
  HostTimes times;
  for (int i = 0; i < 101; ++i) times.samples.push_back(use(session, compiler, source, pair));
  return times;
}

// Texts in brackets, by a kernel that no driver has seen before.
jit::StringKernel new_string_kernel(const jit::Compiler& compiler) {
  const auto now = Clock::now().time_since_epoch().count();
  const std::string source =
      "struct Row { VkpText text; };\n"
      "bool vkp_evaluate(uint row, out Row x) {\n"
      "  x.text = vkp_row_text(vkp_push.a, row);\n"
      "  return row != " +
      std::to_string(0x7fffffff - now % 0x1000000) +
      "u && vkp_valid(vkp_push.a, row);\n"
      "}\n"
      "VkpText vkp_piece(Row x, uint row, uint k) {\n"
      "  return k == 0u ? vkp_scalar_text() : k == 1u ? x.text : vkp_second_text();\n"
      "}\n";
  return compiler.string_kernel(source, {.pieces = 3});
}

const strings::RopeDesc kBrackets{.text = "[", .more_text = "]"};

HostTimes time_string_kernel_first_use(Session& session, std::uint64_t) {
  const StringColumn text = upload_strings(session.context(), std::vector<std::string>{"text"});
  HostTimes times;
  for (int i = 0; i < 5; ++i) {
    const auto start = Clock::now();
    const jit::StringKernel kernel = new_string_kernel(jit::Compiler(session.device()));
    const Plan plan = session.context().record(
        [&](Recorder& r) { kernel.make(r, kBrackets, {.a = &text}, 6, false); });
    times.samples.push_back(seconds_since(start));
  }
  return times;
}

HostTimes time_string_kernel_warm_up(Session& session, std::uint64_t) {
  HostTimes times;
  for (int i = 0; i < 5; ++i) {
    const auto start = Clock::now();
    const jit::StringKernel kernel = new_string_kernel(jit::Compiler(session.device()));
    throw_if_error(kernel.warm_up(session.device(), kBrackets));
    times.samples.push_back(seconds_since(start));
  }
  return times;
}

// ---- The device's time.

Case make_axpy(Session& session, std::uint64_t n) {
  struct Axpy {
    jit::Map<float, float, float> map;
    Buffer<float> a, b, out;
  };
  const jit::Compiler compiler(session.device());
  auto c = std::make_shared<Axpy>(
      Axpy{compiler.map<float, float, float>("precise const float product = 3 * a;\n"
                                             "precise const float sum = product + b;\n"
                                             "return sum;"),
           session.allocate<float>(n), session.allocate<float>(n), session.allocate<float>(n)});
  throw_if_error(c->map.status());
  for (auto* in : {&c->a, &c->b}) session.generate(in->address(), n, data_for<float>());
  Case result;
  result.items = n;
  result.ideal_bytes = 12 * n;
  result.record = [&session, c, n](VkCommandBuffer cmd) {
    return record_map(cmd, session.device(), {.own = &c->map, .count = n},
                      {.in = {c->a.view(), c->b.view()}, .out = {c->out.view()}});
  };
  result.mismatch = [&session, c, n] {
    std::vector<float> want = host_data<float>(data_for<float>(), n);
    for (float& x : want) x = 3 * x + x;  // exact
    return first_difference(session.context().download(c->out), want);
  };
  return result;
}

constexpr std::uint32_t kWindow = 100;

Case make_average(Session& session, const Average& average, std::uint64_t n) {
  if (!session.is_gpu() && n > 1 << 20) {
    throw Error(Status::error(Status::unsupported, "its loops take too long on a CPU"));
  }
  n = std::max<std::uint64_t>(n, kWindow);  // the self-test asks for less
  struct Averages {
    jit::Kernel kernel;
    Buffer<float> from, to;
  };
  auto c = std::make_shared<Averages>(
      Averages{jit::Compiler(session.device()).kernel(average.source, average.desc(kWindow)),
               session.allocate<float>(n), session.allocate<float>(n)});
  session.generate(c->from.address(), n, data_for<float>());
  const std::uint64_t results = n - kWindow + 1;
  Case result;
  result.items = results;
  result.ideal_bytes = 4 * (n + results);
  result.record = [=, &session, &average](VkCommandBuffer cmd) {
    const auto words = static_cast<std::uint32_t>(n);
    const jit::Argument arguments[] = {c->from, c->to, kWindow, words};
    const auto items = average.invocations(static_cast<std::uint32_t>(results));
    return c->kernel.record(cmd, session.device(), {.items = items}, arguments);
  };
  result.mismatch = [=, &session] {
    const std::vector<float> in = host_data<float>(data_for<float>(), n);
    const std::vector<float> got = session.context().download(c->to, 0, results);
    double sum = 0;  // of integers, so it is exact
    for (std::uint64_t i = 0; i < n; ++i) {
      sum += in[i];
      if (i + 1 < kWindow) continue;
      const std::uint64_t first = i + 1 - kWindow;
      if (!(std::abs(got[first] - sum / kWindow) < 1e-5)) {
        return "result " + std::to_string(first) + " is " + std::to_string(got[first]) +
               ", should be " + std::to_string(sum / kWindow);
      }
      sum -= in[first];
    }
    return std::string();
  };
  return result;
}

std::vector<Row> rows() {
  std::vector<Row> all{
      {.name = "jit/map_first_use", .sizes = {1}, .host = time_first_use},
      {.name = "jit/map_cached", .sizes = {1}, .host = time_cached_use},
      {.name = "jit/string_kernel_first_use", .sizes = {1}, .host = time_string_kernel_first_use},
      {.name = "jit/string_kernel_warm_up", .sizes = {1}, .host = time_string_kernel_warm_up},
      {.name = "jit/f32_axpy", .bytes_per_item = 12, .make = make_axpy},
  };
  for (const Average& average : kAverages) {
    all.push_back({.name = std::string("jit/average_") + average.name + "_w100",
                   .bytes_per_item = 8,
                   .sizes = {1 << 20, 1 << 24, 1 << 28},
                   .make = [&average](Session& session, std::uint64_t n) {
                     return make_average(session, average, n);
                   }});
  }
  return all;
}

const RegisterOther kRows(rows());

}  // namespace
}  // namespace vkprims::bench

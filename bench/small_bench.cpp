// Many small steps, as in a frame of a renderer, where latency counts and bandwidth does not.
#include <chrono>

#include "harness.hpp"
#include "oracles/copy.hpp"
#include "oracles/fill.hpp"
#include "oracles/iota.hpp"
#include "oracles/reduce.hpp"
#include "vkprims/vkprims.hpp"

namespace vkprims::bench {
namespace {

// Each step reads what the one before wrote.
struct FiveSteps {
  Buffer<std::uint32_t> a, b, filled, sequence, sum, out;
  Session::ScratchBlock scratch;
  CopyDesc first, last;
  FillDesc fill;
  IotaDesc iota;
  ReduceDesc reduce;
};

Status record_five(VkCommandBuffer cmd, const Device& device, const FiveSteps& s) {
  const auto between = [&](Status step) { return step ? record_barrier(cmd, device) : step; };
  if (Status t = between(record_copy(cmd, device, s.first, {.in = s.a.view(), .out = s.b.view()}));
      !t)
    return t;
  if (Status t = between(record_fill(cmd, device, s.fill, {.out = s.filled.view()})); !t) return t;
  if (Status t = between(record_iota(cmd, device, s.iota, {.out = s.sequence.view()})); !t)
    return t;
  if (Status t = between(record_reduce(
          cmd, device, s.reduce,
          {.in = s.sequence.view(), .out = s.sum.view(), .scratch = s.scratch.scratch}));
      !t) {
    return t;
  }
  return record_copy(cmd, device, s.last, {.in = s.sum.view(), .out = s.out.view()});
}

Case make_five_steps(Session& session, std::uint64_t n) {
  const Device& device = session.device();
  auto s = std::make_shared<FiveSteps>();
  for (auto* buffer : {&s->a, &s->b, &s->filled, &s->sequence})
    *buffer = session.allocate<std::uint32_t>(n + 1);
  s->sum = session.allocate<std::uint32_t>(1);
  s->out = session.allocate<std::uint32_t>(1);
  session.generate(s->a.address(), n + 1, Data::bits);
  s->first = {.element_bytes = 4, .count = n + 1};
  s->fill = {.element_bytes = 4, .count = n + 1, .value = Value::at(s->b.address() + 4 * n)};
  s->iota = {.type = Type::u32, .count = n, .start = Value::at(s->filled.address())};
  s->reduce = {.type = Type::u32, .op = Op::add, .count = n};
  s->last = {.element_bytes = 4, .count = 1};
  s->scratch = session.allocate_scratch(reduce_scratch(device, s->reduce));

  Case result;
  result.record = [&device, s](VkCommandBuffer cmd) { return record_five(cmd, device, *s); };
  result.mismatch = [&session, s, n] {
    const auto a = host_data<std::uint32_t>(Data::bits, n + 1);
    std::vector<std::uint32_t> b(n + 1), filled(n + 1), sequence(n), out(1);
    oracle::copy<std::uint32_t>(a, b);
    oracle::fill<std::uint32_t>(filled, b[n]);
    oracle::iota<std::uint32_t>(sequence, filled[0]);
    out[0] = oracle::reduce<std::uint32_t>(sequence, Op::add);
    return first_difference(session.context().download(s->out), out);
  };
  result.extra = [&session, &device, s] {
    using Clock = std::chrono::steady_clock;
    const auto microseconds = [](Clock::time_point since) {
      return std::chrono::duration<double, std::micro>(Clock::now() - since).count();
    };
    const auto steps = [&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) { throw_if_error(record_five(cmd, device, *s)); });
    };
    const Plan plan = session.context().record(steps);
    std::vector<double> replayed, recorded;
    for (int i = 0; i < 41; ++i) {
      auto start = Clock::now();
      session.context().submit(plan).wait();
      replayed.push_back(microseconds(start));
      start = Clock::now();
      session.context().run(steps);
      recorded.push_back(microseconds(start));
    }
    return std::map<std::string, double>{{"submit_wait_us", median_of(replayed)},
                                         {"record_submit_wait_us", median_of(recorded)}};
  };
  return result;
}

const RegisterOther kRows({
    {.name = "small/five_steps", .bytes_per_item = 20, .sizes = {4096}, .make = make_five_steps},
});

}  // namespace
}  // namespace vkprims::bench

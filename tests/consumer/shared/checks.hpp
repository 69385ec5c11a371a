// What a consumer does with the library through the core.
#pragma once

#include "app.hpp"
#include "vkprims/copy.hpp"
#include "vkprims/iota.hpp"
#include "vkprims/reduce.hpp"

/// Computes a = 0, 1, 2, …, then b = a, then out = sum of b, in one command buffer of the
/// application. `a` and `b` hold the same number of words; the caller reads out[0].
inline void record_sum(App& app, const vkprims::BufferView& a, const vkprims::BufferView& b,
                       const vkprims::BufferView& out) {
  const std::uint64_t n = a.bytes / 4;
  const vkprims::ReduceDesc sum{.op = vkprims::Op::add, .count = n};
  const vkprims::Scratch scratch = app.scratch(vkprims::reduce_scratch(app.prims, sum));
  app.run([&](VkCommandBuffer cmd) {
    check(vkprims::record_iota(cmd, app.prims, {.count = n}, {.out = a}));
    check(vkprims::record_barrier(cmd, app.prims));
    check(vkprims::record_copy(cmd, app.prims, {.count = n}, {.in = a, .out = b}));
    check(vkprims::record_barrier(cmd, app.prims));
    check(vkprims::record_reduce(cmd, app.prims, sum, {.in = b, .out = out, .scratch = scratch}));
  });
}

/// Returns the sum modulo 2^32 of 0 … n - 1.
inline std::uint32_t sum_below(std::uint64_t n) {
  return static_cast<std::uint32_t>(n * (n - 1) / 2);
}

inline void check_core(App& app) {
  constexpr std::uint32_t kCount = 100003;
  const Memory a = app.allocate(4 * kCount);
  const Memory b = app.allocate(4 * kCount);
  const Memory out = app.allocate(4);
  record_sum(app, app.view(a), app.view(b), app.view(out));
  check(b.words[kCount - 1] == kCount - 1, "wrong copy");
  check(out.words[0] == sum_below(kCount), "wrong sum");
}

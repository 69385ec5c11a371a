// What a consumer does with the library through a Context.
#pragma once

#include "vkprims/context.hpp"
#include "vkprims/copy.hpp"
#include "vkprims/iota.hpp"
#include "vkprims/reduce.hpp"

/// Sums 0 … n - 1 on the GPU of a Context.
inline void check_context(vkprims::Context& context, std::uint32_t n = 100003) {
  auto a = context.allocate<std::uint32_t>(n);
  auto b = context.allocate<std::uint32_t>(n);
  auto out = context.allocate<std::uint32_t>(1);
  context.run([&](vkprims::Recorder& r) {
    vkprims::iota(r, {}, a);
    vkprims::copy(r, {}, a, b);
    vkprims::reduce(r, {.op = vkprims::Op::add}, b, out);
  });
  const std::uint32_t sum = context.download(out)[0];
  const std::uint64_t expected = std::uint64_t{n} * (n - 1) / 2;
  if (sum != static_cast<std::uint32_t>(expected)) {
    throw vkprims::Error(vkprims::Status::error(vkprims::Status::vulkan_error,
                                                "wrong sum: %u, expected %u", sum,
                                                static_cast<std::uint32_t>(expected)));
  }
}

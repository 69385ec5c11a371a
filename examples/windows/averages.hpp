// Kernels of moving averages, for vkprims::jit: to[i] is the mean of from[i] … from[i + window - 1]
// where all of these exist. Tutorials improve such a kernel in these three steps.
#pragma once

#include <cstdint>
#include <string>

#include "vkprims/jit.hpp"

struct Average {
  const char* name;
  std::uint32_t local_size;
  std::uint32_t strip;  // results of an invocation
  const char* source;

  vkprims::jit::KernelDesc desc(std::uint32_t window) const {
    return {.name = name,
            .local_size = local_size,
            .shared_bytes = 4 * (local_size * strip + window),  // used where there is a tile
            .definitions = {"STRIP=" + std::to_string(strip)}};
  }
  std::uint32_t invocations(std::uint32_t results) const { return (results + strip - 1) / strip; }
};

constexpr Average kAverages[] = {
    {"naive", 128, 1, R"(
// An invocation reads its window from memory.
layout(push_constant) uniform Push { VkpFloats from, to; uint window, n; };

void main() {
  const uint i = vkp_item();
  if (i + window > n) return;
  float sum = 0.0;
  for (uint k = 0u; k < window; ++k) sum += from.v[i + k];
  to.v[i] = sum / float(window);
}
)"},
    {"shared", 128, 1, R"(
// A workgroup loads what its windows cover once, into shared memory.
layout(push_constant) uniform Push { VkpFloats from, to; uint window, n; };
shared float tile[VKP_SHARED_BYTES / 4];

void main() {
  const uint me = gl_LocalInvocationIndex, size = gl_WorkGroupSize.x, first = vkp_item() - me;
  for (uint k = me; k - me < size + window; k += size) {
    if (k < size + window && first + k < n) tile[k] = from.v[first + k];
  }
  barrier();
  float sum = 0.0;
  for (uint k = 0u; k < window; ++k) sum += tile[me + k];
  if (first + me + window <= n) to.v[first + me] = sum / float(window);
}
)"},
    {"running", 128, 15, R"(
// An invocation has STRIP results, and comes from each to the next by a number that joins the sum
// and one that leaves it. An odd STRIP keeps lanes out of each other's banks of shared memory.
layout(push_constant) uniform Push { VkpFloats from, to; uint window, n; };
shared float tile[VKP_SHARED_BYTES / 4];

void main() {
  const uint me = gl_LocalInvocationIndex, size = gl_WorkGroupSize.x;
  const uint first = (vkp_item() - me) * STRIP, items = size * STRIP + window;
  for (uint k = me; k - me < items; k += size) {
    if (k < items && first + k < n) tile[k] = from.v[first + k];
  }
  barrier();
  float sum = 0.0;
  for (uint k = 0u; k < window; ++k) sum += tile[me * STRIP + k];
  for (uint i = me * STRIP; i < (me + 1u) * STRIP; ++i) {
    if (first + i + window <= n) to.v[first + i] = sum / float(window);
    sum += tile[i + window] - tile[i];
  }
}
)"},
};

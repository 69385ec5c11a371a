/* Arguments and results of the kernels with an invocation for each row. Read by GLSL and C++. */
#ifndef REDACT_ABI_H
#define REDACT_ABI_H

#include "vkprims/strings/strings.abi.h"

#ifdef __cplusplus
namespace redact {
using vkprims::abi::uint;
using vkprims::abi::VkpStrings;
using vkprims::abi::VkpU64;
#endif

/* A row in memory of its own. */
struct Piece {
  VkpU64 at; /* 0: the row is null */
  uint bytes;
};

struct RedactPush {
  VkpStrings names, visibilities;
  VkpU64 pieces; /* a Piece for each row */
  VkpU64 memory; /* slots, or a Heap */
  uint rows;
};

#ifdef __cplusplus
static_assert(sizeof(Piece) == 12 && sizeof(RedactPush) == 100);
}
#endif
#endif

/* Push constants, specialization and scratch of radix_sort/. */
#ifndef VKPRIMS_RADIX_SORT_ABI_H
#define VKPRIMS_RADIX_SORT_ABI_H

#include "vkprims/device/lookback.h"
#include "vkprims/push.h"
#include "vkprims/spec.h"

#define VKP_RADIX_SPEC_TYPE VKP_SPEC_FIRST_OWN              /* type of the keys: vkprims/keys.h */
#define VKP_RADIX_SPEC_FLAGS (VKP_SPEC_FIRST_OWN + 1)       /* bits below */
#define VKP_RADIX_SPEC_VALUE_WORDS (VKP_SPEC_FIRST_OWN + 2) /* 0, 1 or 2 */
/* A workgroup has at least 2^DIGIT_BITS invocations. */
#define VKP_RADIX_SPEC_DIGIT_BITS (VKP_SPEC_FIRST_OWN + 3)
#define VKP_RADIX_SPEC_SUBGROUPS (VKP_SPEC_FIRST_OWN + 4)   /* subgroups of a workgroup */

/* Bits of VKP_RADIX_SPEC_FLAGS. */
#define VKP_RADIX_DESCENDING 1
#define VKP_RADIX_WIDE 2     /* places are numbers of 64 bits */
#define VKP_RADIX_MULTI_PASS 4 /* the states hold prefixes, so nobody waits */
/* Lanes find each other by masks: subgroups have at most 32, and there is room for masks. */
#define VKP_RADIX_MASKED 8
/* The numbers that keys are ordered by do not stay in registers, so more workgroups fit. */
#define VKP_RADIX_SPARES_REGISTERS 16

#define VKP_RADIX_MAX_PASSES 16

/* Bits of RadixSortPush::flags. */
/* The values are the numbers of the elements, so the first pass reads none. */
#define VKP_RADIX_MAKE_INDICES 1
#define VKP_RADIX_DROP_KEYS 2    /* the last pass writes no keys */
#define VKP_RADIX_ROTATE 4       /* a pass leaves the states as the next one needs them */
/* keys_in is keys_out, or values_in is values_out, so an even number of passes must run. */
#define VKP_RADIX_IN_PLACE 8
#define VKP_RADIX_MOVES 16       /* keys or values are not in place, so a pass must run */

/* Scratch: what must be 0 at first lies between VKP_RADIX_ZERO_OFFSET and the end of the states. */
#define VKP_RADIX_ZERO_OFFSET 16 /* an indirect grid lies before it */
#define VKP_RADIX_DONE_OFFSET 16 /* counts workgroups that have finished */
#define VKP_RADIX_PLAN_OFFSET 64 /* a word for each pass, bits below */
#define VKP_RADIX_BINS_OFFSET 128
/* Then, for each pass, there are two halves of 64 bits for each digit: they hold at first how many
   keys have the digit, and in the end where these keys go. The halves take turns from portion to
   portion.
   Then headers as in vkprims/device/lookback.h, for each portion of each pass.
   Then the states: a word for each digit, for each tile of a portion.
   Then, in multi_pass, a word for each digit, for each block of tiles. */
#define VKP_RADIX_BINS_BYTES(digit_bits) (16 << (digit_bits)) /* bytes of a pass */
#define VKP_RADIX_BLOCK_TILES 64

/* Words of the plan say which place is read and which is written. */
#define VKP_RADIX_PLAN_FROM 3  /* mask */
#define VKP_RADIX_PLAN_TO 12   /* mask */
#define VKP_RADIX_PLAN_RUNS 16 /* the pass runs; otherwise all keys have the same digit */
#define VKP_RADIX_PLAN_LAST 32 /* the last pass that runs */
#define VKP_RADIX_PLAN_ODD 64  /* an odd number of passes ran before */

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct RadixSortPush {
  VkpU64 scratch;
  VkpU64 states;
  VkpU64 keys_in, keys_out, keys_third; /* places 0, 1 and 2 */
  VkpU64 values_in, values_out, values_third;
  VkpCount count;
  uint flags;
  uint pass, passes;
  uint begin_bit, end_bit;
  uint portion, portions;
  uint portion_tiles; /* tiles of a portion, at most */
  uint groups;        /* workgroups of the dispatch that counts digits */
  uint group_rows;    /* rows of 16 bytes that each of them has */
};

#ifdef __cplusplus
static_assert(sizeof(RadixSortPush) == 124);
}
#endif
#endif

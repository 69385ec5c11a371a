/* Push constants, specialization and scratch of stack_match/seed_window.comp. */
#ifndef VKPRIMS_STACK_MATCH_SEED_WINDOW_ABI_H
#define VKPRIMS_STACK_MATCH_SEED_WINDOW_ABI_H

#include "vkprims/device/lookback.h"
#include "vkprims/push.h"
#include "vkprims/spec.h"

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct SeedWindowPush {
  VkpU64 symbols; /* tags, or the plane of opens */
  VkpU64 closes;  /* the plane of closes */
  VkpU64 match;
  VkpU64 scratch; /* scratch, which begins with the header */
  VkpCount count; /* less than 2^32 */
  uint max_tiles; /* lays out scratch */
};

/* The workgroup size is that of a tile. VKP_LOOKBACK_SPEC_… are as in lookback.h: spins,
   statistics, faults, period. */
#define VKP_SEED_SPEC_INPUT VKP_SPEC_FIRST_OWN             /* vkprims::StackInput */
#define VKP_SEED_SPEC_INDEX_WORDS (VKP_SPEC_FIRST_OWN + 1) /* 1 or 2 */

/* This is a fault besides those of lookback.h: every tile whose number is a multiple of the period
   stays LOCAL. */
#define VKP_SEED_NEVER_DONE 16
/* This serves to measure what tiles cost by themselves: each takes its symbols for the whole
   string. There are no tickets, nothing is published, nobody looks back, and the states in scratch
   are neither cleared nor read. */
#define VKP_SEED_ALONE 32

/* Scratch: the header of lookback.h and the records of the tiles, all 0 before the dispatch; then
   the cells of the tiles, a word for each symbol. The header has these counters besides those of
   lookback.h. */
#define VKP_SEED_LINKS 11         /* back-links followed */
#define VKP_SEED_LINKS_REFUSED 12 /* back-links to a tile that was not DONE */
#define VKP_SEED_RECORD_BYTES 32
/* These are the words of a record. */
#define VKP_SEED_STATE 0
#define VKP_SEED_POPS 1
#define VKP_SEED_PUSHES 2
#define VKP_SEED_DEPTH 3

#ifdef __cplusplus
static_assert(sizeof(SeedWindowPush) == 56);
}
#endif
#endif

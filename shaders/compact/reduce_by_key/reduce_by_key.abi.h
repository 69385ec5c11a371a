/* Push constants and scratch of the kernels in reduce_by_key/. Their specialization is in
   vkprims/device/segmented_scan.h. */
#ifndef VKPRIMS_REDUCE_BY_KEY_ABI_H
#define VKPRIMS_REDUCE_BY_KEY_ABI_H

#include "vkprims/push.h"
#include "vkprims/device/segmented_scan.h"

/* The words of what a tile leaves (VkpRuns), for elements of `words` words. */
#define VKP_REDUCE_BY_KEY_STATE_WORDS(words) ((words) + 2)

/* Scratch without look-back: a word that counts finished workgroups, which is 0 before; then, from
   here on, what all tiles before leave to each tile, and to those behind the last one. */
#define VKP_REDUCE_BY_KEY_TILES_OFFSET 16

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct ReduceByKeyPush {
  VkpU64 keys, out_keys; /* out_keys 0: not wanted */
  VkpU64 in_base;        /* values; 0 if elements are only counted */
  VkpU64 out_base;       /* results */
  VkpU64 count_base; /* where the number of runs goes */
  VkpU64 scratch;    /* 0: one tile holds everything */
  VkpCount count;
};

#ifdef __cplusplus
static_assert(sizeof(ReduceByKeyPush) == 68);
}
#endif
#endif

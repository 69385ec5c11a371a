/* What callers of segmented_scan_look_back.glsl and segmented_scan_multi_pass.glsl need to know;
   read by GLSL and C++. */
#ifndef VKPRIMS_SEGMENTED_SCAN_H
#define VKPRIMS_SEGMENTED_SCAN_H

#include "vkprims/device/scan.h"

/* This says where heads.glsl takes heads from; it is one of: */
#define VKP_SEGMENTS_SPEC_HEADS (VKP_SPEC_FIRST_OWN + 4)

#define VKP_HEADS_KEYS_4 0 /* where keys of 4 bytes change */
#define VKP_HEADS_KEYS_8 1 /* where keys of 8 bytes change */
#define VKP_HEADS_FLOATS_4 2 /* where f32 change: -0 equals +0, and all NaN are equal */
#define VKP_HEADS_FLOATS_8 3 /* where f64 change */
#define VKP_HEADS_BYTES 4  /* bytes that are not 0 */
#define VKP_HEADS_BITS 5   /* bits that are 1, the lowest of a 32-bit word first */

#define VKP_RUNS_SPEC (VKP_SPEC_FIRST_OWN + 5) /* for reduce_runs.glsl and runs.glsl; the sum of: */
#define VKP_RUNS_ONES 1   /* elements are counted only */
#define VKP_RUNS_NARROW 2 /* there are fewer than 2^32 elements */

/* VKP_SPEC_ROWS may be at most this, as the heads of a batch are the bits of a word. */
#define VKP_SEGMENTS_MAX_ROWS(words) ((words) == 1 ? 8 : 16)

/* The scratch of the multi-pass scan is as in scan.h, but elements have one word more. */

/* If VKP_SCAN_SPEC_TOTAL is 1, what is wanted is the number of heads. It is counted in three words
   of scratch (head_count.glsl), which are 0 before the first dispatch and lie at these offsets. */
#define VKP_SEGMENTS_LOOK_BACK_COUNTERS (4 * VKP_LOOKBACK_OWN)
#define VKP_SEGMENTS_MULTI_PASS_COUNTERS 4

#endif

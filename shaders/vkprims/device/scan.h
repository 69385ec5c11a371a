/* What callers of scan_look_back.glsl and scan_multi_pass.glsl need to know; read by GLSL and
   C++. */
#ifndef VKPRIMS_SCAN_H
#define VKPRIMS_SCAN_H

#include "vkprims/device/lookback.h"

#define VKP_SCAN_SPEC_INCLUSIVE (VKP_SPEC_FIRST_OWN + 0)
#define VKP_SCAN_SPEC_COMMUTES (VKP_SPEC_FIRST_OWN + 1)   /* 1: combine(a, b) == combine(b, a) */
#define VKP_SCAN_SPEC_ITEM_BYTES (VKP_SPEC_FIRST_OWN + 2) /* of input elements, if smaller; or 0 */
#define VKP_SCAN_SPEC_BATCHES (VKP_SPEC_FIRST_OWN + 3)    /* batches of a tile of the look-back */
#define VKP_SCAN_SPEC_TOTAL (VKP_SPEC_FIRST_OWN + 5)      /* 1: VkpScan::total is wanted */
/* 1: the second dispatch of the multi-pass scan is the only one, without scratch. */
#define VKP_SCAN_SPEC_ALONE (VKP_SPEC_FIRST_OWN + 6)

/* Scratch of the multi-pass scan: one word that counts finished workgroups, 0 before the dispatch,
   then from this offset on one element per workgroup and one per strip, that is, per subgroup. */
#define VKP_SCAN_FOLDS_OFFSET 16

#endif

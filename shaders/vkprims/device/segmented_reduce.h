/* What callers of segmented_reduce.glsl need to know; read by GLSL and C++. */
#ifndef VKPRIMS_SEGMENTED_REDUCE_H
#define VKPRIMS_SEGMENTED_REDUCE_H

#include "vkprims/spec.h"

#define VKP_SEGMENTED_SPEC_OFFSET_WORDS VKP_SPEC_FIRST_OWN /* 1 or 2 */
#define VKP_SEGMENTED_SPEC_TILES (VKP_SPEC_FIRST_OWN + 1)
#define VKP_SEGMENTED_SPEC_FIRST_OWN (VKP_SPEC_FIRST_OWN + 2)

/* How tiles know where they begin (merge_tiles.glsl). */
#define VKP_SEGMENTED_MANY_TILES 0 /* by a dispatch before */
#define VKP_SEGMENTED_FEW_TILES 1  /* each searches */
#define VKP_SEGMENTED_ONE_TILE 2   /* it has everything, and nothing is in scratch */

/* Scratch: a header, then a record of a u64 and two elements for each tile, one behind the last
   tile, and one for each workgroup of the fix-up. Nothing needs to be set before. */
#define VKP_SEGMENTED_FINISHED_OFFSET 0 /* a word: workgroups of the fix-up that have finished */
#define VKP_SEGMENTED_TILES_OFFSET 8    /* u64: number of tiles */
#define VKP_SEGMENTED_FIRST_OFFSET 16   /* u64: first value */
#define VKP_SEGMENTED_ITEMS_OFFSET 24   /* u64: items of the merged sequence */
#define VKP_SEGMENTED_VALUES_OFFSET 32  /* u64: number of values */
#define VKP_SEGMENTED_GRID_OFFSET 48    /* two sizes of grids, for the host */
#define VKP_SEGMENTED_RECORDS_OFFSET 80
#define VKP_SEGMENTED_RECORD_BYTES(element_bytes) (8 + 2 * (element_bytes))

#endif

/* What callers of scan_look_back.glsl and scan_chunks.glsl need to know; read by GLSL and C++. */
#ifndef VKPRIMS_SCAN_H
#define VKPRIMS_SCAN_H

#include "lookback.h"

#define VKP_SCAN_SPEC_INCLUSIVE (VKP_SPEC_FIRST_OWN + 0)
#define VKP_SCAN_SPEC_ITEM_BYTES (VKP_SPEC_FIRST_OWN + 1) /* of input elements, if smaller; or 0 */

/* Scratch of the schedule in chunks: one word that counts finished workgroups, 0 before, then one element
   per chunk from here. */
#define VKP_SCAN_CHUNKS_OFFSET 16

#endif

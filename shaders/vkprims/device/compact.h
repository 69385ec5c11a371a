/* What callers of compact.glsl need to know; read by GLSL and C++. */
#ifndef VKPRIMS_COMPACT_H
#define VKPRIMS_COMPACT_H

#include "vkprims/spec.h"

#define VKP_COMPACT_SPEC_OUTPUTS (VKP_SPEC_FIRST_OWN + 0) /* the sum of: */
#define VKP_COMPACT_REJECTED 1     /* elements that are not selected are wanted, too */
#define VKP_COMPACT_WIDE_INDICES 2 /* numbers of elements are u64 */
/* This times the words of an element of the second sequence is added; 0: there is none. */
#define VKP_COMPACT_VALUE_WORDS 4

#define VKP_COMPACT_SPEC_BATCHES (VKP_SPEC_FIRST_OWN + 1) /* batches of a tile */

#endif

/* Specialization constants of indexed.glsl; read by GLSL and C++. */
#ifndef VKPRIMS_INDEXED_H
#define VKPRIMS_INDEXED_H

#include "vkprims/spec.h"

#define VKP_INDEXED_SPEC_ELEMENT_BYTES VKP_SPEC_FIRST_OWN      /* 1, 2, 4, 8 or 16 */
#define VKP_INDEXED_SPEC_INDEX_WORDS (VKP_SPEC_FIRST_OWN + 1)  /* 1 or 2 */
#define VKP_INDEXED_SPEC_OUT_OF_RANGE (VKP_SPEC_FIRST_OWN + 2) /* vkprims::OutOfRange */
#define VKP_INDEXED_SPEC_FIRST_OWN (VKP_SPEC_FIRST_OWN + 3)

#define VKP_INDEXED_ITEMS 4 /* elements that an invocation has in flight */

#endif

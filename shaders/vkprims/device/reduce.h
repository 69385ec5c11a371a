/* What callers of reduce.glsl need to know; read by GLSL and C++. */
#ifndef VKPRIMS_REDUCE_H
#define VKPRIMS_REDUCE_H

#include "vkprims/spec.h"

#define VKP_REDUCE_SPEC_COMMUTES VKP_SPEC_FIRST_OWN /* 1: combine(a, b) == combine(b, a) */

/* Scratch: one word that counts finished workgroups, 0 before the dispatch, then one element per
   workgroup from this offset on. */
#define VKP_REDUCE_RESULTS_OFFSET 16

#endif

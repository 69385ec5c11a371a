/* The specialization constant of subgroup_barrier.glsl, for GLSL and C++. Its number lies beyond
   those of spec.h and of all primitives. */
#ifndef VKPRIMS_SUBGROUP_BARRIER_H
#define VKPRIMS_SUBGROUP_BARRIER_H

#define VKP_SPEC_LANES_IN_STEP 31 /* 1: the lanes of a subgroup are the elements of one vector */

#endif

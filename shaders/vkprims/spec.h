/* Specialization constants that all kernels share; read by GLSL and C++ (struct Specialization). */
#ifndef VKPRIMS_SPEC_H
#define VKPRIMS_SPEC_H

#define VKP_SPEC_WORKGROUP_SIZE 0 /* invocations, a power of two */
#define VKP_SPEC_ROWS 1           /* 16-byte rows that an invocation has in flight */
#define VKP_SPEC_ROW_WORDS 2      /* 32-bit words that one load or store moves: 4, 2 or 1 */
#define VKP_SPEC_OP 3             /* a vkprims::Op, perhaps plus VKP_OP_SIGNED */
#define VKP_SPEC_LOOKBACK 4       /* 7 constants of lookback.h */
#define VKP_SPEC_FIRST_OWN 11     /* from here on each primitive's own, in its .abi.h */

#define VKP_OP_SIGNED 256u /* minima and maxima of signed integers, by a kernel of unsigned ones */

#endif

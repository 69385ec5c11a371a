// Words in shared memory that are read or written in loops in which subgroups may make different
// numbers of turns. They are atomics, as lavapipe drops what follows plain accesses there
// (README.md). They order nothing.
#ifndef VKPRIMS_SHARED_WORDS_GLSL
#define VKPRIMS_SHARED_WORDS_GLSL

#include "vkprims/core.glsl"

#define vkp_load_shared_word(x) \
  atomicLoad(x, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed)
#define vkp_store_shared_word(x, value) \
  atomicStore(x, value, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed)

#endif

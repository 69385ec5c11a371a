// The specialization of scans (scan.h).
#ifndef VKPRIMS_SCAN_CONSTANTS_GLSL
#define VKPRIMS_SCAN_CONSTANTS_GLSL

#include "vkprims/core.glsl"
#include "vkprims/device/scan.h"

layout(constant_id = VKP_SPEC_ROWS) const uint vkp_rows = 1;
layout(constant_id = VKP_SPEC_ROW_WORDS) const uint vkp_row_words = 4;
layout(constant_id = VKP_SCAN_SPEC_INCLUSIVE) const uint vkp_inclusive = 0;
#ifndef VKP_OWN_MONOID
layout(constant_id = VKP_SCAN_SPEC_COMMUTES) const uint vkp_commutes = 0;
#elif defined(VKP_COMMUTES)
// The source of a user's monoid says it, so its kernels have no code for the other case.
const uint vkp_commutes = 1;
#else
const uint vkp_commutes = 0;
#endif

#endif

/* What callers of map.glsl need to know; read by GLSL and C++. */
#ifndef VKPRIMS_MAP_H
#define VKPRIMS_MAP_H

#include "vkprims/spec.h"

#define VKP_MAP_SPEC_INPUTS VKP_SPEC_FIRST_OWN /* 2: operand b is a sequence; else it is a scalar */

#endif

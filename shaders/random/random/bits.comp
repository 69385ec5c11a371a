// Random words as they come, for elements of 4 and of 8 bytes alike. The algorithm is in
// cells.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "cells.glsl"

uvec4 random_cell(VkpRng rng, uvec2 cell) { return vkp_rng_block(rng, cell, rounds); }

void main() { random_cells(); }

// Tiles of a kernel that streams over words: each workgroup owns one tile, and each invocation
// VKP_SPEC_ROWS 16-byte rows of it, which it moves by vkp_row_words words at a time in a
// workgroup-strided order.
#ifndef VKPRIMS_TILE_GLSL
#define VKPRIMS_TILE_GLSL

#include "vkprims/core.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint vkp_rows = 4;
layout(constant_id = VKP_SPEC_ROW_WORDS) const uint vkp_row_words = 4;

// Returns the number of words of a tile.
uint vkp_tile_words() { return gl_WorkGroupSize.x * vkp_rows * 4u; }

// Returns the position in the tile, in units of vkp_row_words words, of this invocation's move `i`.
uint vkp_move(uint i) { return i * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

// Returns the byte offset of tile `tile`.
uvec2 vkp_tile_offset(uint tile) { return vkp_mul64(tile, 4u * vkp_tile_words()); }

#endif

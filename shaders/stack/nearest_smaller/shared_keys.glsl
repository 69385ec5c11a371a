// The keys of a tile in shared memory, and the table of least keys of its blocks.
#ifndef VKPRIMS_NEAREST_SMALLER_SHARED_KEYS_GLSL
#define VKPRIMS_NEAREST_SMALLER_SHARED_KEYS_GLSL

#include "stack/nearest_smaller/nearest_smaller.glsl"

const uint KEY_PITCH = BLOCK + 1u;  // odd, so that invocations side by side meet no bank conflicts
const uint KEYS = tile_blocks * KEY_PITCH;
const uint TABLE = 7u;  // 2^TABLE is at least the number of blocks
shared uint key_words[VKP_KEY_WORDS * KEYS];  // low words, then high words
// The least keys of the last 2^k blocks up to each block, or of as many as there are: see
// build_table().
shared uint table_words[VKP_KEY_WORDS * TABLE * tile_blocks];

#if VKP_KEY_WORDS == 1
void put_key(uint block, uint e, VKP_KEY key) { key_words[block * KEY_PITCH + e] = key; }
VKP_KEY key_at(uint block, uint e) {
  return vkp_load_shared_word(key_words[block * KEY_PITCH + e]);
}
void put_least(uint k, uint block, VKP_KEY key) { table_words[k * tile_blocks + block] = key; }
VKP_KEY least_at(uint k, uint block) {
  return vkp_load_shared_word(table_words[k * tile_blocks + block]);
}
#else
void put_key(uint block, uint e, VKP_KEY key) {
  key_words[block * KEY_PITCH + e] = key.x;
  key_words[KEYS + block * KEY_PITCH + e] = key.y;
}
VKP_KEY key_at(uint block, uint e) {
  return uvec2(vkp_load_shared_word(key_words[block * KEY_PITCH + e]),
               vkp_load_shared_word(key_words[KEYS + block * KEY_PITCH + e]));
}
void put_least(uint k, uint block, VKP_KEY key) {
  table_words[k * tile_blocks + block] = key.x;
  table_words[(TABLE + k) * tile_blocks + block] = key.y;
}
VKP_KEY least_at(uint k, uint block) {
  return uvec2(vkp_load_shared_word(table_words[k * tile_blocks + block]),
               vkp_load_shared_word(table_words[(TABLE + k) * tile_blocks + block]));
}
#endif

// Loads the keys of a tile; neighbouring invocations load neighbouring keys.
void load_keys(Sequence s, uint tile, Range range) {
  const uvec2 first = key_address(element_of(s, vkp_mul64(tile, tile_items())));
  const uint turns = BLOCK / CELL;  // there may be more invocations than blocks
  VKP_KEY keys[turns][CELL];
  [[unroll]] for (uint i = 0u; i < turns; ++i) {
    const uint cell = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (CELL * cell < tile_items()) load_cell(first, cell, range, keys[i]);
  }
  [[unroll]] for (uint i = 0u; i < turns; ++i) {
    const uint item = CELL * (i * gl_WorkGroupSize.x + gl_LocalInvocationIndex);
    if (item >= tile_items()) continue;
    [[unroll]] for (uint k = 0u; k < CELL; ++k) put_key(item / BLOCK, item % BLOCK + k, keys[i][k]);
  }
}

#endif

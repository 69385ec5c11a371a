// Fills by 16-byte rows, whatever the alignment. Edge words that hold bytes of others are merged
// atomically.
//
// The output is seen as rows from its address rounded down to 16. Elements are aligned to their
// size, so every row is the element repeated to 16 bytes.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/memory/bytes.glsl"
#include "vkprims/memory/tile.glsl"
#include "elementwise/fill/fill.abi.h"

layout(push_constant) uniform Push { FillPush push; };

// Returns the value repeated to 16 bytes.
uvec4 pattern() {
  const uvec2 address = vkp_u64(push.value_address);
  if (address == uvec2(0u)) {
    return uvec4(push.value[0], push.value[1], push.value[2], push.value[3]);
  }
  VkpWords value = VkpWords(address);
  const uint first = value.v[0];
  switch (push.element_bytes) {
    case 1: return uvec4((first & 0xffu) * 0x01010101u);
    case 2: return uvec4((first & 0xffffu) * 0x00010001u);
    case 4: return uvec4(first);
    case 8: return uvec4(first, value.v[1], first, value.v[1]);
    default: return uvec4(first, value.v[1], value.v[2], value.v[3]);
  }
}

void main() {
  const uvec2 count = vkp_read_count(push.count);
  const uint head = push.out_base.lo & 15u;
  // Positions are in bytes from the first row that holds output.
  const uvec2 end = vkp_add64(vkp_mul64(count, push.element_bytes), head);
  const uint tile = vkp_group_index();
  const uvec2 offset = vkp_tile_offset(tile);
  const uint tile_bytes = 4u * vkp_tile_words();
  const uint valid = vkp_clamped_difference(end, offset, tile_bytes);
  if (valid == 0u || count == uvec2(0u)) return;

  const uvec4 value = pattern();
  const uvec2 base = vkp_add64(vkp_sub64(vkp_u64(push.out_base), uvec2(head, 0u)), offset);
  const bool interior = valid == tile_bytes && (tile != 0u || head == 0u);

  if (interior) {
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) VkpWords4(base).v[vkp_move(i)] = value;
  } else {
    const uint begin = tile == 0u ? head : 0u;
    // The size of a workgroup is a multiple of 4, so all words of an invocation have the same place
    // in a row.
    const uint word = value[gl_LocalInvocationIndex & 3u];
    for (uint i = 0u; i < 4u * vkp_rows; ++i) {
      const uint w = vkp_move(i);
      vkp_store_bytes(vkp_add64(base, 4u * w), word, vkp_byte_mask(w, begin, valid));
    }
  }
}

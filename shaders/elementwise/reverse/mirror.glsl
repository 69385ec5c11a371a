// What both kernels of reverse share: where a byte comes from, and elements that change their order
// within what is moved at once.
//
// Positions are in bytes from the first element of a sequence. Elements have 2^k bytes, and so lie
// wholly in a row of 16 bytes that begins at a multiple of their size.
#ifndef VKPRIMS_REVERSE_MIRROR_GLSL
#define VKPRIMS_REVERSE_MIRROR_GLSL

#include "elementwise/reverse/reverse.abi.h"
#include "vkprims/memory/bytes.glsl"
#include "vkprims/memory/tile.glsl"

layout(push_constant) uniform Push { ReversePush push; };

// Returns the position of the byte that becomes the one at `position`, in a sequence of `bytes`
// bytes. The order of bytes within an element stays.
uvec2 mirror(uvec2 position, uvec2 bytes) {
  const uint in_element = position.x & (push.element_bytes - 1u);
  const uvec2 behind = vkp_add64(position, push.element_bytes - in_element);
  return vkp_add64(vkp_sub64(bytes, behind), in_element);
}

// Reverses the order of the elements of a row.
uvec4 reversed_row(uvec4 x) {
  if (push.element_bytes <= 8u) x = x.zwxy;
  if (push.element_bytes <= 4u) x = x.yxwz;
  if (push.element_bytes <= 2u) x = x << 16u | x >> 16u;
  if (push.element_bytes == 1u) x = (x & 0x00ff00ffu) << 8u | (x >> 8u & 0x00ff00ffu);
  return x;
}

// Reverses the order of the elements of a word, or keeps a word that is a part of one element.
uint reversed_word(uint x) { return reversed_row(uvec4(x)).x; }

#endif

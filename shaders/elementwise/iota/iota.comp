// Iota: out[i] = start + i * step. Each element is computed from its index alone.
// %VARIANT% T u32|f32|u64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/types.glsl"
#include "vkprims/memory/elements.glsl"
#include "vkprims/memory/tile.glsl"
#include "elementwise/iota/iota.abi.h"

layout(push_constant) uniform Push { IotaPush push; };

// Returns an index as an element, rounded once.
VKP_T to_element(uvec2 i) {
#if defined(VKP_T_f32)
  if (i.y == 0u) return float(i.x);
  // Keep the 32 highest bits. Bits that fall off only matter as "not exactly half" (sticky bit).
  const uint shift = uint(findMSB(i.y)) + 1u;
  uint high = vkp_shr64(i, shift).x;
  if (vkp_shl64(uvec2(high, 0u), shift) != i) high |= 1u;
  return ldexp(float(high), int(shift));
#elif defined(VKP_T_f64)
  return double(i.y) * 4294967296.0lf + double(i.x);
#elif VKP_WORDS == 1
  return VKP_T(i.x);
#else
  return VKP_T(packUint2x32(i));
#endif
}

// Returns x, rounded. Some compilers contract a product and a sum although both are `precise`,
// unless the product passes through an operation that they cannot see through.
VKP_T rounded(VKP_T x) {
#if VKP_INTEGER
  return x;
#else
  uint w[VKP_WORDS];
  vkp_pack(x, w);
  w[VKP_WORDS - 1] ^= push.zero;
  return vkp_unpack(w);
#endif
}

VKP_T element(uvec2 i, VKP_T start, VKP_T step) {
  precise const VKP_T scaled = rounded(to_element(i) * step);
  precise const VKP_T shifted = start + scaled;
  return shifted;
}

void main() {
  const uvec2 count = vkp_read_count(push.count);
  // The output is seen as 16-byte rows from its address rounded down to 16. Positions count from
  // there; the first `head` elements do not belong to the output.
  const uint head = (push.out_base.lo & 15u) / VKP_BYTES;
  const uvec2 end = vkp_add64(count, head);
  const uint tile = vkp_group_index();
  const uint tile_items = vkp_tile_words() / VKP_WORDS;
  const uvec2 first = vkp_mul64(tile, tile_items);
  const uint valid = vkp_clamped_difference(end, first, tile_items);
  if (valid == 0u || count == uvec2(0u)) return;

  const VKP_T start = vkp_read_value(push.start);
  const VKP_T step = vkp_read_value(push.step);
  const uvec2 base =
      vkp_add64(uvec2(push.out_base.lo & ~15u, push.out_base.hi), vkp_tile_offset(tile));
  // This wraps below 0 before the first element.
  const uvec2 first_index = vkp_sub64(first, uvec2(head, 0u));
  if (valid == tile_items && (tile != 0u || head == 0u)) {
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      uint words[4];
      [[unroll]] for (uint k = 0u; k < 4u / VKP_WORDS; ++k) {
        const uint item = vkp_move(i) * (4u / VKP_WORDS) + k;
        uint w[VKP_WORDS];
        vkp_pack(element(vkp_add64(first_index, item), start, step), w);
        [[unroll]] for (uint j = 0u; j < VKP_WORDS; ++j) words[k * VKP_WORDS + j] = w[j];
      }
      VkpWords4(base).v[vkp_move(i)] = uvec4(words[0], words[1], words[2], words[3]);
    }
  } else {
    const uint begin = tile == 0u ? head : 0u;
    for (uint i = 0u; i < vkp_rows * 4u / VKP_WORDS; ++i) {
      const uint item = vkp_move(i);
      if (item >= begin && item < valid) {
        vkp_store_element(base, item, element(vkp_add64(first_index, item), start, step));
      }
    }
  }
}

// Units: 16 bytes of a result as they lie in memory. A unit that two tiles share is stored word by
// word, and in a word that they share each replaces only its own bytes.
//
// Memory latency is long, so many loads must be under way at a time: an invocation makes
// VKP_COPY_UNITS units at once.
//
// VKP_CHANGED(x, first), if defined, converts 16 bytes that are copied, which begin at byte `first`
// of a text; `first` may be negative.
#ifndef VKPRIMS_STRINGS_UNITS_GLSL
#define VKPRIMS_STRINGS_UNITS_GLSL

#include "vkprims/strings/strings.glsl"
#include "vkprims/memory/bytes.glsl"

#define VKP_COPY_UNITS 2

#ifndef VKP_CHANGED
#define VKP_CHANGED(x, first) (x)
#endif

#ifndef VKP_BACKWARD
#define VKP_BACKWARD false
#endif

// Returns the first address of a column; if VKP_BACKWARD, the complement of its last address, which
// lies as many bytes before the complement of the first one.
uvec2 vkp_first_address(const VkpStrings column) {
  const uvec2 first = vkp_u64(column.chars);
  return VKP_BACKWARD ? ~vkp_sub64(vkp_add64(first, vkp_u64(column.bytes)), uvec2(1u, 0u)) : first;
}

// Whether some bytes belong to the first or the last unit of a column, which may also have bytes
// that are not the column's. (Only the lower halves of addresses are compared: a unit that is
// mistaken for one of these merely takes longer.)
bool vkp_has_edge(VkpStrings column, uint low, uint bytes) {
  const uint first = vkp_first_address(column).x;
  const uint last = first + vkp_u64(column.bytes).x - 1u;
  return ((low ^ first) & ~15u) == 0u || ((low + bytes - 1u ^ last) & ~15u) == 0u;
}
bool vkp_has_edge(uint low, uint bytes) {
#ifdef VKP_PIECES_OF_A
  return vkp_has_edge(vkp_push.a, low, bytes);
#else
  return vkp_has_edge(vkp_push.a, low, bytes) || vkp_has_edge(vkp_push.b, low, bytes);
#endif
}

// Returns the first 16 bytes of a text; what is behind its end is undefined.
uvec4 vkp_load_head(const VkpText t) {
  const uint ahead = t.at.x & 3u;
  const uvec2 base = uvec2(t.at.x & ~3u, t.at.y);
  const uint end = t.bytes == 0u ? 0u : ahead + min(t.bytes, 16u);
  uint w[5];
  [[unroll]] for (uint i = 0u; i < 5u; ++i) {
    w[i] = 0u;
    if (4u * i < end) w[i] = VkpWords(base).v[i];
  }
  uvec4 x;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) x[i] = vkp_word_down(w[i], w[i + 1u], 8u * ahead);
  return x;
}

// Returns up to 16 bytes at `at`; the others are 0.
uvec4 vkp_load_bytes(uvec2 at, uint bytes) {
  uvec4 x = vkp_load_head(VkpText(at, bytes));
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    const uint left = bytes - min(bytes, 4u * i);
    if (left < 4u) x[i] &= ~(~0u << (8u * left));
  }
  return x;
}

// Where bytes go: `room` of them, to `position` of the result and on, which is `ahead` bytes behind
// the beginning of a unit.
struct VkpTarget {
  uvec2 base;  // address of the first unit
  uint ahead, room;
};

VkpTarget vkp_target_of(uvec2 position, uint bytes) {
  const uvec2 at = vkp_add64(vkp_u64(vkp_push.out_chars), position);
  const uint room = vkp_clamped_difference(vkp_u64(vkp_push.capacity), position, bytes);
  return VkpTarget(uvec2(at.x & ~15u, at.y), at.x & 15u, room);
}

// Returns the number of turns that take `each` units each.
uint vkp_rounds_of_target(VkpTarget target, uint each) {
  const uint units = target.room == 0u ? 0u : (target.ahead + target.room + 15u) / 16u;
  return (units + each - 1u) / each;
}

// Stores unit `u`; a unit behind the last one has no bytes.
void vkp_store_copied_unit(VkpTarget target, uint u, uvec4 unit) {
  const uvec2 address = vkp_add64(target.base, vkp_mul64(u, 16u));
  const uint end = target.ahead + target.room;
  if (16u * u >= target.ahead && 16u * u + 16u <= end) {
    VkpWords4(address).v[0] = unit;
  } else {
    [[unroll]] for (uint w = 0u; w < 4u; ++w) {
      vkp_store_bytes(vkp_add64(address, 4u * w), unit[w],
                      vkp_byte_mask(4u * u + w, target.ahead, end));
    }
  }
}

// Copies bytes at `at` to `position` of the result by a team of `members` invocations, of which
// this is number `member`.
void vkp_store_copy(const uvec2 position, const uvec2 at, const uint bytes, const uint member,
                    const uint members) {
  const VkpTarget target = vkp_target_of(position, bytes);
  const uint rounds = vkp_rounds_of_target(target, VKP_COPY_UNITS * members);
  for (uint round = 0u; round < rounds; ++round) {
    uvec4 unit[VKP_COPY_UNITS];
    [[unroll]] for (uint j = 0u; j < VKP_COPY_UNITS; ++j) {
      const uint u = (round * VKP_COPY_UNITS + j) * members + member;
      const int first = int(16u * u) - int(target.ahead);
      const uint begin = uint(max(first, 0));
      const uint end = min(uint(max(first + 16, 0)), target.room);
      unit[j] = uvec4(0u);
      if (begin < end) {
        unit[j] = vkp_move_up(vkp_load_bytes(vkp_add64(at, begin), end - begin),
                              uint(int(begin) - first));
      }
    }
    [[unroll]] for (uint j = 0u; j < VKP_COPY_UNITS; ++j) {
      const uint u = (round * VKP_COPY_UNITS + j) * members + member;
      vkp_store_copied_unit(target, u, VKP_CHANGED(unit[j], int(16u * u) - int(target.ahead)));
    }
  }
}

// Does the same by the whole workgroup.
void vkp_store_copy(const uvec2 position, const uvec2 at, const uint bytes) {
  vkp_store_copy(position, at, bytes, gl_LocalInvocationIndex, gl_WorkGroupSize.x);
}

#endif

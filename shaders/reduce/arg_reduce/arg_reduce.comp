// Arg reduce: finds the lowest index of the smallest or largest element, as a reduction by
// vkprims/device/reduce.glsl.
//
// Elements are compared by keys: unsigned numbers of the same size, of which a smaller one is
// better; NaN has the worst key. So one comparison of words serves all types and both operators,
// 64-bit types need no device feature, and nothing depends on what a device does with NaN, -0 and
// denormals.
//
// The inner loop neither combines indices nor looks for an element within a row. A lane takes the
// smallest key of its part of each row and keeps the number of the row where this fell below all
// keys before. Across lanes, subgroups and workgroups, the smaller pair (key, index of the part's
// first element) wins. Parts are disjoint runs of elements, so the first part that holds the
// smallest key holds the element sought. The invocation that has the final pair reads that part
// once more to find the element.
// %VARIANT% T u32|f32|u64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "reduce/arg_reduce/arg_reduce.abi.h"
#include "vkprims/core.glsl"

layout(constant_id = VKP_SPEC_OP) const uint op = 2;  // vkprims::Op, and perhaps VKP_OP_SIGNED
const bool largest = (op & ~VKP_OP_SIGNED) == 3u;

// These bits are flipped in the high (or only) word and in the low word of an element, so that the
// worst comes out highest.
#if defined(VKP_T_u32) || defined(VKP_T_u64)
const uint flip_low = largest ? 0xffffffffu : 0u;
const uint flip_high = flip_low ^ (op & VKP_OP_SIGNED) / VKP_OP_SIGNED << 31u;
#else
const uint flip_high = largest ? 0x80000000u : 0u;
const uint flip_low = 0u;
#endif

// The bits of a float order like a signed integer once those of negative numbers are flipped, as in
// radix sorts (M. Herf, 2001). A number is then added that takes -infinity to 0, so that NaNs of
// both signs are above +infinity.
#if defined(VKP_T_u32) || defined(VKP_T_f32)
#define VKP_IN_WORDS 1
#define KEY uint
uint flip(uint bits) { return bits ^ flip_high; }
bool less(uint a, uint b) { return a < b; }
uint load(const uvec2 base, const uint i) { return VkpWords(base).v[i]; }
void store(uvec2 base, uint bits) { VkpWords(base).v[0] = bits; }
#if defined(VKP_T_f32)
// Flipped, this is the worst element, which is the identity of the operator.
const uint worst = 0x7f800000u;
uint key_of(uint bits) {
  const uint x = flip(bits);
  return (x ^ (uint(int(x) >> 31) & 0x7fffffffu)) + 0x7f800001u;
}
#else
const uint worst = 0xffffffffu;
uint key_of(uint bits) { return flip(bits); }
#endif
#else
#define VKP_IN_WORDS 2
#define KEY uvec2
uvec2 flip(uvec2 bits) { return bits ^ uvec2(flip_low, flip_high); }
bool less(uvec2 a, uvec2 b) { return vkp_less64(a, b); }
uvec2 load(const uvec2 base, const uint i) { return VkpWords2(base).v[i]; }
void store(uvec2 base, uvec2 bits) { VkpWords2(base).v[0] = bits; }
#if defined(VKP_T_f64)
const uvec2 worst = uvec2(0u, 0x7ff00000u);
uvec2 key_of(uvec2 bits) {
  const uvec2 x = flip(bits);
  const uint negative = uint(int(x.y) >> 31);
  return vkp_add64(x ^ uvec2(negative, negative & 0x7fffffffu), uvec2(1u, 0x7ff00000u));
}
#else
const uvec2 worst = uvec2(0xffffffffu);
uvec2 key_of(uvec2 bits) { return flip(bits); }
#endif
#endif

// The monoid is the minimum of pairs. It commutes.
struct Best {
  KEY key;
  uvec2 index;  // all ones: there is no element
};
#define VKP_T Best
#define VKP_WORDS (VKP_IN_WORDS + 2)
void vkp_pack(Best x, out uint w[VKP_WORDS]) {
#if VKP_IN_WORDS == 1
  w = uint[](x.key, x.index.x, x.index.y);
#else
  w = uint[](x.key.x, x.key.y, x.index.x, x.index.y);
#endif
}
Best vkp_unpack(uint w[VKP_WORDS]) {
#if VKP_IN_WORDS == 1
  return Best(w[0], uvec2(w[1], w[2]));
#else
  return Best(uvec2(w[0], w[1]), uvec2(w[2], w[3]));
#endif
}
Best vkp_identity() { return Best(KEY(0xffffffffu), uvec2(0xffffffffu)); }
Best vkp_combine(const Best a, const Best b) {
  const bool b_first = less(b.key, a.key) || (b.key == a.key && vkp_less64(b.index, a.index));
  if (b_first) return b;
  return a;
}
#include "vkprims/device/reduce.glsl"

KEY smaller(KEY a, KEY b) { return less(b, a) ? b : a; }

KEY row_key(VKP_ROW row) {
#if VKP_IN_WORDS == 1
  KEY key = key_of(row.x);
  if (vkp_row_words == 4u) {
    key = smaller(smaller(key, key_of(row.y)), smaller(key_of(row.z), key_of(row.w)));
  }
#else
  KEY key = key_of(row.xy);
  if (vkp_row_words == 4u) key = smaller(key, key_of(row.zw));
#endif
  return key;
}

// A lane's smallest key so far, and the number of the row that has it.
struct LaneBest {
  KEY key;
  uint row;
};

void take_row(inout LaneBest best, VKP_ROW row, uint number) {
  const KEY key = row_key(row);
  if (less(key, best.key)) best = LaneBest(key, number);
}

// Where all keys are the largest that exists, none falls below the initial key, so the first row is
// taken.
Best vkp_fold_rows(VkpRows r) {
  const uint lane = gl_SubgroupInvocationID;
  LaneBest lane_best = LaneBest(KEY(0xffffffffu), 0u);
  uint row = 0u;
  for (; row + vkp_batch <= r.whole; row += vkp_batch) {
    VKP_ROW ahead[vkp_batch];
    [[unroll]] for (uint i = 0u; i < vkp_batch; ++i) {
      ahead[i] = vkp_load_row(vkp_add64(r.base, i * r.stride), lane);
    }
    [[unroll]] for (uint i = 0u; i < vkp_batch; ++i) take_row(lane_best, ahead[i], row + i);
    r.base = vkp_add64(r.base, vkp_batch * r.stride);
  }
  for (; row < r.whole; ++row) {
    take_row(lane_best, vkp_load_row(r.base, lane), row);
    r.base = vkp_add64(r.base, r.stride);
  }

  Best best = vkp_identity();
  if (r.whole != 0u) {
    const uvec2 start = vkp_add64(r.first, vkp_shl64(uvec2(lane_best.row, 0u), r.step_shift));
    best = Best(lane_best.key, vkp_add64(start, lane * vkp_row_elements));
  }
  if (r.tail != 0u) {
    const uvec2 start = vkp_add64(r.first, vkp_shl64(uvec2(r.whole, 0u), r.step_shift));
    for (uint i = 0u; i < vkp_row_elements; ++i) {
      const uint item = i * gl_SubgroupSize + lane;
      if (item >= r.tail) continue;
      best = vkp_combine(best, Best(key_of(load(r.base, item)), vkp_add64(start, item)));
    }
  }
  return vkp_subgroup_fold(best);
}

layout(push_constant) uniform Push { ArgReducePush push; };

void main() {
  VkpReduce work;
  work.in_base = vkp_u64(push.in_base);
  work.count = vkp_read_count(push.count);
  work.max_groups = push.max_groups;
  work.scratch = vkp_u64(push.scratch);

  Best best;
  if (!vkp_reduce(work, best)) return;
  KEY bits = flip(worst);
  // Only NaN is worse than the worst number.
  if (best.index != uvec2(0xffffffffu) && !less(key_of(bits), best.key)) {
    const uvec2 part = vkp_add64(work.in_base, vkp_mul64(best.index, 4u * VKP_IN_WORDS));
    uint i = 0u;
    bits = load(part, 0u);
    while (key_of(bits) != best.key && i + 1u < vkp_row_elements) bits = load(part, ++i);
    best.index = vkp_add64(best.index, i);
  } else {
    best.index = uvec2(0xffffffffu);
  }
  VkpWords2(vkp_u64(push.index_base)).v[0] = best.index;
  const uvec2 value_base = vkp_u64(push.value_base);
  if (value_base != uvec2(0u)) store(value_base, bits);
}

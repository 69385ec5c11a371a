// Merge, second dispatch: every workgroup merges one tile of the output.
//
// Merge path: the first dispatch has found how many elements of a and of b come before each tile,
// so a workgroup knows its part of both and needs no other workgroup. It stages the keys of both
// parts in shared memory, those of a first. Each invocation finds its own share of them in the same
// way and merges it one element after the other. It notes only where in shared memory the elements
// of the output lie. The keys then go from there, and the values from memory, to where they belong;
// neighbouring invocations store neighbours.
//
// Trip counts do not depend on the data. Where an invocation has reached the end of its part, it
// reads some other key of the tile and does not use it. Sequences that are not sorted give a
// useless order, but parts never leave the sequences: whatever the two splits are, the parts
// between them are cut to what is there.
//
// Source: O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012).
// %VARIANT% KEY word|pair
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/merge/merge.glsl"
#include "vkprims/memory/units.glsl"

layout(constant_id = VKP_SPEC_ROW_WORDS) const uint row_words = 4;
layout(constant_id = VKP_MERGE_SPEC_VALUE_WORDS) const uint value_words = 0;
layout(constant_id = VKP_MERGE_SPEC_ALONE) const uint alone = 0;

const uint items = VKP_MERGE_ITEMS(VKP_KEY_WORDS);
const uint unit_items = row_words == 4u ? 4u / VKP_KEY_WORDS : 1u;  // elements that one store moves

shared uint staged[VKP_KEY_WORDS][gl_WorkGroupSize.x * VKP_MERGE_ITEMS(VKP_KEY_WORDS)];
shared uint sources[gl_WorkGroupSize.x * VKP_MERGE_ITEMS(VKP_KEY_WORDS) / 2];  // two in a word

VKP_KEY staged_words(uint i) {
#if VKP_KEY_WORDS == 1
  return staged[0][i];
#else
  return uvec2(staged[0][i], staged[1][i]);
#endif
}

// Keys are staged as the numbers that they are ordered by, from which their bits can be restored.
// The bits of floats that are ordered by value cannot, so these keys are staged as their bits.
VKP_KEY staged_key(uint i) {
  VKP_KEY key = staged_words(i);
  if (vkp_key_by_value) key = vkp_order_of(key);
  return key;
}

VKP_KEY staged_bits(uint i) {
  VKP_KEY bits = staged_words(i);
  if (!vkp_key_by_value) bits = vkp_key_bits(bits);
  return bits;
}

// The elements of a tile: `a` of them come from sequence a, the first one there being a_first.
struct Part {
  uvec2 a_first, b_first;
  uint a, count;
};

// Where element 0 of the tile would lie if all were elements of a, or of b.
struct Bases {
  uvec2 a, b;
};

Bases bases(Part part, VkpU64 a, VkpU64 b, uint bytes) {
  const uvec2 b_start = vkp_sub64(part.b_first, uvec2(part.a, 0u));  // may wrap, and wraps back
  return Bases(vkp_add64(vkp_u64(a), vkp_mul64(part.a_first, bytes)),
               vkp_add64(vkp_u64(b), vkp_mul64(b_start, bytes)));
}

Part find_part(Counts counts, uint tile) {
  const uvec2 first = vkp_mul64(tile, push.tile_items);
  Part part;
  part.count = vkp_clamped_difference(counts.total, first, push.tile_items);
  part.a_first = uvec2(0u);
  uvec2 a_end = counts.a;
  if (alone == 0u) {
    part.a_first = VkpWords2(split_address(tile)).v[0];
    a_end = VkpWords2(split_address(tile + 1u)).v[0];
  }
  part.b_first = vkp_sub64(first, part.a_first);
  part.a = vkp_clamped_difference(a_end, part.a_first, part.count);
  return part;
}

void stage_keys(Part part) {
  const Bases base = bases(part, push.a_base, push.b_base, VKP_KEY_BYTES);
  VKP_KEY key[items];
  [[unroll]] for (uint i = 0u; i < items; ++i) {
    const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    uvec2 address = k < part.a ? base.a : base.b;
    address = vkp_add64(address, k * VKP_KEY_BYTES);
    if (k < part.count) key[i] = vkp_load_bits(address);
  }
  [[unroll]] for (uint i = 0u; i < items; ++i) {
    const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (!vkp_key_by_value) key[i] = vkp_key_of(key[i]);
#if VKP_KEY_WORDS == 1
    staged[0][k] = key[i];
#else
    staged[0][k] = key[i].x;
    staged[1][k] = key[i].y;
#endif
  }
}

// Returns how many of the first `diagonal` elements of the tile come from a.
uint split(Part part, uint diagonal) {
  const uint b = part.count - part.a;
  uint first = diagonal - min(diagonal, b);
  const uint end = min(diagonal, part.a);
  for (uint left = min(part.a, b); left != 0u;) {
    const uint half_left = (left + 1u) / 2u;
    const uint next = first + half_left;
    const bool inside = next <= end;
    const VKP_KEY a_key = staged_key(inside ? next - 1u : 0u);
    const VKP_KEY b_key = staged_key(inside ? part.a + diagonal - next : 0u);
    if (inside && !vkp_key_less(b_key, a_key)) first = next;
    left -= half_left;
  }
  return first;
}

// Notes the sources of this invocation's elements.
void merge(Part part) {
  const uint diagonal = min(gl_LocalInvocationIndex * items, part.count);
  uint a = split(part, diagonal);
  uint b = part.a + diagonal - a;
  const uint last = max(part.count, 1u) - 1u;
  VKP_KEY a_key = staged_key(min(a, last));
  VKP_KEY b_key = staged_key(min(b, last));
  uint pair = 0u;
  [[unroll]] for (uint i = 0u; i < items; ++i) {
    const bool take_a = a < part.a && (b >= part.count || !vkp_key_less(b_key, a_key));
    const uint source = min(take_a ? a : b, last);
    pair = i % 2u == 0u ? source : pair | source << 16;
    if (i % 2u == 1u) sources[(gl_LocalInvocationIndex * items + i) / 2u] = pair;
    const VKP_KEY next = staged_key(min(source + 1u, last));
    if (take_a) {
      ++a;
      a_key = next;
    } else {
      ++b;
      b_key = next;
    }
  }
}

void store(Part part, uint tile) {
  const uvec2 first = vkp_mul64(tile, push.tile_items);
  const uvec2 out_base = vkp_add64(vkp_u64(push.out_base), vkp_mul64(first, VKP_KEY_BYTES));
  const uvec2 out_values = vkp_add64(vkp_u64(push.out_values), vkp_mul64(first, 4u * value_words));
  const Bases values = bases(part, push.a_values, push.b_values, 4u * value_words);
  [[unroll]] for (uint u = 0u; u < items / unit_items; ++u) {
    const uint k = (u * gl_WorkGroupSize.x + gl_LocalInvocationIndex) * unit_items;
    const uint valid = min(part.count - min(k, part.count), unit_items);
    uvec2 key[4];
    uvec2 value[4];
    [[unroll]] for (uint i = 0u; i < unit_items; ++i) {
      const uint source = sources[(k + i) / 2u] >> (16u * ((k + i) % 2u)) & 0xffffu;
#if VKP_KEY_WORDS == 1
      key[i] = uvec2(staged_bits(source), 0u);
#else
      key[i] = staged_bits(source);
#endif
      const uvec2 base = source < part.a ? values.a : values.b;
      if (i < valid && value_words == 1u) value[i].x = VkpWords(base).v[source];
      if (i < valid && value_words == 2u) value[i] = VkpWords2(base).v[source];
    }
    vkp_store_unit(out_base, k, unit_items, VKP_KEY_WORDS, key, valid);
    if (value_words != 0u) vkp_store_unit(out_values, k, unit_items, value_words, value, valid);
  }
}

void main() {
  const Counts counts = read_counts();
  const uint tile = vkp_group_index();
  if (alone != 0u && tile == 0u && gl_LocalInvocationIndex == 0u) store_count_out(counts);
  // The workgroup returns as a whole, also where a count on the GPU leaves nothing for it.
  if (!vkp_less64(vkp_mul64(tile, push.tile_items), counts.total)) return;
  const Part part = find_part(counts, tile);
  stage_keys(part);
  barrier();
  merge(part);
  barrier();
  store(part, tile);
}

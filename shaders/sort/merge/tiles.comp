// Merge, second dispatch: every workgroup merges one tile of the output.
//
// Merge path: the first dispatch has found how many elements of a and of b come before each tile,
// so a workgroup knows its part of both and needs no other workgroup. It stages the keys of both
// parts in shared memory, those of a first. Each invocation finds its own share of them in the same
// way and merges it one element after the other, into registers. Through shared memory, keys and
// then the places of values go to where neighbouring invocations store neighbours.
//
// Trip counts do not depend on the data. Where an invocation has reached the end of its part, it
// reads some other key of the tile and does not use it. Sequences that are not sorted give a
// useless order, but parts never leave the sequences: whatever the two splits are, the parts
// between them are cut to what is there.
//
// Source: O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012).
// %UNROLL% driver
// %VARIANT% KEY word|pair
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/merge/merge.glsl"
#include "vkprims/memory/units.glsl"

layout(constant_id = VKP_SPEC_ROW_WORDS) const uint row_words = 4;
layout(constant_id = VKP_MERGE_SPEC_VALUE_WORDS) const uint value_words = 0;
layout(constant_id = VKP_MERGE_SPEC_ALONE) const uint alone = 0;

layout(constant_id = VKP_MERGE_SPEC_ITEMS) const uint items = 1;
const uint unit_items = row_words == 4u ? 4u / VKP_KEY_WORDS : 1u;  // elements that one store moves

shared uint staged[VKP_KEY_WORDS][gl_WorkGroupSize.x * items];

const uint last_place = gl_WorkGroupSize.x * items - 1u;
const uint units = (items + unit_items - 1u) / unit_items;  // that an invocation stores
const uint stored = units * unit_items;
uint first_of_unit(const uint u) {
  return (u * gl_WorkGroupSize.x + gl_LocalInvocationIndex) * unit_items;
}

VKP_KEY staged_words(uint i) {
#if VKP_KEY_WORDS == 1
  return staged[0][i];
#else
  return uvec2(staged[0][i], staged[1][i]);
#endif
}

void stage_words(uint i, VKP_KEY words) {
#if VKP_KEY_WORDS == 1
  staged[0][i] = words;
#else
  staged[0][i] = words.x;
  staged[1][i] = words.y;
#endif
}

// Keys are staged as the numbers that they are ordered by, from which their bits can be restored.
// The bits of floats that are ordered by value cannot, so these keys are staged as their bits.
VKP_KEY key_of_words(VKP_KEY words) {
  VKP_KEY key = words;
  if (vkp_key_by_value) key = vkp_order_of(words);
  return key;
}
VKP_KEY staged_key(uint i) { return key_of_words(staged_words(i)); }

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
    stage_words(k, key[i]);
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

uint first_own() { return gl_LocalInvocationIndex * items; }

// Gives this invocation's elements of the output: the words that are staged of them, and where.
void merge(Part part, out VKP_KEY own_words[items], out uint own_places[items]) {
  const uint diagonal = min(first_own(), part.count);
  const uint last = max(part.count, 1u) - 1u;
  uint a = split(part, diagonal);
  uint b = part.a + diagonal - a;
  VKP_KEY a_words = staged_words(min(a, last));
  VKP_KEY b_words = staged_words(min(b, last));
  [[unroll]] for (uint i = 0u; i < items; ++i) {
    const bool less = vkp_key_less(key_of_words(b_words), key_of_words(a_words));
    const bool take_a = a < part.a && (b >= part.count || !less);
    const uint place = min(take_a ? a : b, last);
    own_places[i] = place;
    const VKP_KEY next = staged_words(min(place + 1u, last));
    if (take_a) {
      own_words[i] = a_words;
      ++a;
      a_words = next;
    } else {
      own_words[i] = b_words;
      ++b;
      b_words = next;
    }
  }
}

// Loads the values of the elements that this invocation stores, unit by unit, before keys are
// exchanged, so that the wait for memory passes meanwhile.
void load_values(Part part, uint own_places[items], out uvec2 value[stored]) {
  barrier();
  [[unroll]] for (uint i = 0u; i < items; ++i) staged[0][first_own() + i] = own_places[i];
  barrier();
  const Bases base = bases(part, push.a_values, push.b_values, 4u * value_words);
  [[unroll]] for (uint u = 0u; u < units; ++u) {
    [[unroll]] for (uint i = 0u; i < unit_items; ++i) {
      const uint k = first_of_unit(u) + i;
      const uint source = staged[0][min(k, last_place)];
      const uvec2 from = source < part.a ? base.a : base.b;
      const uint at = u * unit_items + i;
      if (k < part.count && value_words == 1u) value[at].x = VkpWords(from).v[source];
      if (k < part.count && value_words == 2u) value[at] = VkpWords2(from).v[source];
    }
  }
}

void store(Part part, uint tile, VKP_KEY own_words[items], uint own_places[items]) {
  const uvec2 first = vkp_mul64(tile, push.tile_items);
  const uvec2 out_base = vkp_add64(vkp_u64(push.out_base), vkp_mul64(first, VKP_KEY_BYTES));
  const uvec2 out_values = vkp_add64(vkp_u64(push.out_values), vkp_mul64(first, 4u * value_words));
  uvec2 values[stored];
  if (value_words != 0u) load_values(part, own_places, values);
  barrier();
  [[unroll]] for (uint i = 0u; i < items; ++i) stage_words(first_own() + i, own_words[i]);
  barrier();
  [[unroll]] for (uint u = 0u; u < units; ++u) {
    const uint k = first_of_unit(u);
    const uint valid = min(part.count - min(k, part.count), unit_items);
    uvec2 key[4];
    uvec2 value[4];
    [[unroll]] for (uint i = 0u; i < unit_items; ++i) {
#if VKP_KEY_WORDS == 1
      key[i] = uvec2(staged_bits(min(k + i, last_place)), 0u);
#else
      key[i] = staged_bits(min(k + i, last_place));
#endif
      value[i] = values[u * unit_items + i];
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
  VKP_KEY own_words[items];
  uint own_places[items];
  merge(part, own_words, own_places);
  store(part, tile, own_words, own_places);
}

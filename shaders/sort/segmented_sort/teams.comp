// Segmented sort, second dispatch: sorts the segments on the lists, and the tiles of those that are
// longer than a tile.
//
// A segment of class c is sorted by 2^c invocations, a tile by a whole workgroup. A workgroup takes
// neighbours on the list of one class, so that all its teams have the same size. Long segments come
// first. Keys are loaded in rows of neighbours; which of them an invocation has at first does not
// matter.
// %VARIANT% ITEM word|word_index|pair|pair_index
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/segmented_sort/network.glsl"
#include "sort/segmented_sort/lists.glsl"

// What a team sorts, and where the result goes.
struct Job {
  uvec2 first;  // number of the first key
  uint keys;
  bool to_spare;  // the result goes to the room in scratch
};

const uint TILE = gl_WorkGroupSize.x * ITEMS;
uint last_class() { return uint(findMSB(gl_WorkGroupSize.x)); }

uint entries_of(uint c) {
  return min(VkpWords(vkp_u64(push.scratch)).v[c], capacity_of(c));
}

uint groups_of(uint c) {
  return (entries_of(c) + (gl_WorkGroupSize.x >> c) - 1u) / (gl_WorkGroupSize.x >> c);
}

uint all_groups() {
  uint groups = tiles_in_list();
  for (uint c = 1u; c <= last_class(); ++c) groups += groups_of(c);
  return groups;
}

// The class of the work with some number, and its number within the class.
struct Place {
  uint c, number;
};

Place find_place(uint number) {
  const uint tiles = tiles_in_list();
  Place place = Place(0u, number);
  if (number < tiles) return place;
  place.number -= tiles;
  bool found = false;
  for (uint c = last_class(); c != 0u; --c) {
    const uint groups = groups_of(c);
    if (!found && place.number < groups) {
      found = true;
      place.c = c;
    }
    if (!found) place.number -= groups;
  }
  return place;
}

Job find_job(Place place) {
  if (place.c == 0u) {
    const Tiled tiled = load_tile(place.number);
    const uvec2 begin = vkp_mul64(tiled.tile, TILE);
    const uint passes = passes_of(tiles_of(tiled.keys, TILE));
    return Job(vkp_add64(tiled.first, begin), vkp_clamped_difference(tiled.keys, begin, TILE),
               !is_in_out(0u, passes));
  }
  const uint i = place.number * (gl_WorkGroupSize.x >> place.c) + (invocation() >> place.c);
  if (i >= entries_of(place.c)) return Job(uvec2(0u), 0u, false);
  const Entry entry = load_entry(place.c, i);
  return Job(entry.first, entry.keys, false);
}

void sort(Job job, uint team) {
  const uint lane = invocation() & (team - 1u);
  const Stripe stripe = Stripe(lane, team, job.keys, (invocation() - lane) * ITEMS);
  const uvec2 in_base = element(push.in_base, job.first, KEY_WORDS);
  uvec2 out_base = element(push.out_base, job.first, KEY_WORDS);
  uvec2 values_out = element(push.values_out, job.first, value_words());
  if (job.to_spare) {
    out_base = element(push.spare_keys, job.first, KEY_WORDS);
    values_out = element(push.spare_values, job.first, value_words());
  }
  ITEM x[ITEMS];
  [[unroll]] for (uint row = 0u; row < ITEMS; ++row) {
    x[row] = make_item(KEY(~0u), row * team + lane);
  }
  EACH_ROW(stripe, x[row] = make_item(number_of(load_bits(in_base, p)), p);)
  sort_team(x, team);
  barrier();  // the pool may have been used
  const uint own = invocation() * ITEMS;
#if INDEXED
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) put(own + i, x[i].x);
  barrier();
  uint places[ITEMS];
  EACH_ROW(stripe, places[row] = stripe.base + get(stripe.base + p);)
  carry(Column(in_base, out_base),
        Column(element(push.values_in, job.first, value_words()), values_out), places, stripe);
#else
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) put_key(own + i, bits_of(x[i]));
  barrier();
  EACH_ROW(stripe, store_bits(out_base, p, get_key(stripe.base + p));)
#endif
}

void main() {
  const uint groups = all_groups();
  const uint step = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
  for (uint group = vkp_group_index(); group < groups; group += step) {
    const Place place = find_place(group);
    barrier();  // the pool is used again
    sort(find_job(place), place.c == 0u ? gl_WorkGroupSize.x : 1u << place.c);
  }
}

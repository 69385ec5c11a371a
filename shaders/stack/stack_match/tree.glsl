// A tree over the lowest levels of tiles, and the header; there is a workgroup for each group of
// 512 tiles.
//
// A tile's key is the lowest level that it goes down to, or a key below all levels if it resets;
// each node of the tree has the least of 8 keys below. A group has nodes of three heights above its
// tiles; the workgroup that is last makes the others, and the header.
//
// The includer defines:
// - Totals take_group(uint group, uint tiles, out Position behind): returns what the tiles of a
//   group say for the header, and puts their keys in group_keys.
// - uvec2 end_level(uint tiles, Position behind): returns the level behind all tiles; the workgroup
//   that is last calls it.
#ifndef VKPRIMS_STACK_MATCH_TREE_GLSL
#define VKPRIMS_STACK_MATCH_TREE_GLSL

#include "stack/stack_match/totals.glsl"
#include "vkprims/device/last_group.glsl"

shared uvec2 group_keys[VKP_STACK_GROUP];

uvec2 load_key(uint i) {
  return uvec2(load_across(key_at(i), 0u),
               level_words == 1u ? 0u : load_across(key_at(i), level_words - 1u));
}

// The level, and the lowest level since the last reset.
struct Position {
  uvec2 level, floor;
};

Totals take_group(uint group, uint tiles, out Position behind);
uvec2 end_level(uint tiles, Position behind);

// Makes the nodes above the tiles of a group. Invocation 0 stores the last one.
void build_group(uint tiles, uint group) {
  uint nodes = VKP_STACK_GROUP;
  [[dont_unroll]] for (uint height = 1u; height <= 3u; ++height) {
    nodes /= VKP_STACK_FAN_OUT;
    const uint node = gl_LocalInvocationIndex;
    uvec2 least = NO_LEVEL;
    barrier();
    if (node < nodes) {
      [[unroll]] for (uint k = 0u; k < VKP_STACK_FAN_OUT; ++k) {
        least = lower_level(least, group_keys[VKP_STACK_FAN_OUT * node + k]);
      }
    }
    barrier();
    const Nodes all = nodes_at(tiles, height);
    if (node < nodes) {
      group_keys[node] = least;
      if (group * nodes + node < all.count) store_key(all.begin + group * nodes + node, least);
    }
  }
}

// Makes the nodes above the groups.
void build_top(uint tiles) {
  // All invocations make as many turns.
  for (uint height = 4u; nodes_at(tiles, height - 1u).count > 1u; ++height) {
    const Nodes below = nodes_at(tiles, height - 1u);
    const Nodes nodes = nodes_at(tiles, height);
    for (uint node = gl_LocalInvocationIndex; node < nodes.count; node += gl_WorkGroupSize.x) {
      uvec2 least = NO_LEVEL;
      for (uint i = node * VKP_STACK_FAN_OUT; i < min((node + 1u) * VKP_STACK_FAN_OUT, below.count);
           ++i) {
        least = lower_level(least, load_key(below.begin + i));
      }
      store_key(nodes.begin + node, least);
    }
    vkp_buffer_barrier();
  }
}

void store_header(uvec2 items, Totals sum, uvec2 end) {
  // Closes are opens minus the change of level.
  const uvec2 matched = vkp_sub64(vkp_sub64(sum.opens, vkp_sub64(end, ORIGIN)), sum.unmatched);
  const uvec2 header = vkp_u64(push.header);
  const uint without_symbol = push.head + one_more;
  VkpWords2(header).v[0] = items == uvec2(0u) ? items : vkp_sub64(items, uvec2(without_symbol, 0u));
  VkpWords2(header).v[1] = sum.unmatched;
  VkpWords2(header).v[2] = vkp_sub64(sum.opens, matched);
  VkpWords2(header).v[3] = sum.deepest;
  VkpWords2(header).v[4] = uvec2(NONE);  // mismatch.comp may find one
}

void main() {
  const uvec2 items = item_count();
  const uint tiles = tiles_of(items);
  const uint all = groups_of(tiles);
  const uint group = vkp_group_index();
  if (group >= all) return;
  Position position;
  Totals sum = take_group(group, tiles, position);
  build_group(tiles, group);
  const bool header = (wants & VKP_STACK_WANTS_HEADER) != 0u;
  if (header) sum = add_all(sum);
  if (all != 1u) {
    if (header && gl_LocalInvocationIndex == 0u) store_totals(group, sum);
    if (!vkp_last_group(vkp_add64(vkp_u64(push.scratch), VKP_STACK_COUNTER_OFFSET), all)) return;
    build_top(tiles);
    if (!header) return;
    sum = NOTHING;
    for (uint i = gl_LocalInvocationIndex; i < all; i += gl_WorkGroupSize.x) {
      sum = add(sum, load_totals(i));
    }
    sum = add_all(sum);
  }
  if (!header) return;
  const uvec2 end = end_level(tiles, position);
  if (gl_LocalInvocationIndex == 0u) store_header(items, sum, end);
}

#endif

// Where tiles lie, a tree over their lowest levels, and the header (tree.glsl). This dispatch of
// stack_match comes behind tiles.comp.
//
// A scan over what the groups before do, then over the tiles, gives the level that each tile begins
// at and the lowest level before it.
//
// Work: groups * groups / workgroup size, as each group finds out by itself what lies before. This
// is small up to 2^32 items.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_match/tree.glsl"

Position behind(Position before, Run run) {
  const uvec2 floor = level_plus(before.level, run.floor);
  return Position(level_plus(before.level, run.change),
                  run.resets ? floor : lower_level(before.floor, floor));
}

Position before_group(uint group) {
  Position before = Position(ORIGIN, ORIGIN);
  for (uint from = 0u; from < group; from += gl_WorkGroupSize.x) {
    Run run = vkp_identity();
    if (from + invocation() < group) {
      const uvec4 x = VkpWords4(group_at(from + invocation())).v[0];
      run = Run(int(x.x), int(x.y), x.z != 0u);
    }
    before = behind(before, vkp_fold_subgroups(vkp_subgroup_fold(run)));
  }
  return before;
}

// Places the tiles from `first` on, one for each invocation; `before` moves on behind them.
Totals place_tiles(uint first, uint tiles, inout Position before) {
  const uint tile = first + invocation();
  if (first >= tiles) {
    group_keys[tile % VKP_STACK_GROUP] = NO_LEVEL;
    return NOTHING;
  }
  Effect e = Effect(0, 0, 0, false, 0u, 0, 0, 0u, 0u);
  if (tile < tiles) e = load_effect(tile);
  const Run run = tile < tiles ? Run(e.change, e.floor, e.resets) : vkp_identity();
  const VkpGroupScan runs = vkp_scan_workgroup(run);
  const Position begin = behind(before, runs.before);
  before = behind(before, runs.total);
  const uvec2 low = level_plus(begin.level, e.lowest);
  const uvec2 key = tile >= tiles ? NO_LEVEL : e.resets ? NO_BOTTOM : low;
  group_keys[tile % VKP_STACK_GROUP] = key;
  if (tile >= tiles) return NOTHING;
  const Place p = Place(begin.level, level_plus(begin.level, e.floor), begin.floor);
  store_place(tile, p);
  store_key(tile, key);
  return totals_of(e, p, low);
}

Totals take_group(uint group, uint tiles, out Position behind) {
  behind = before_group(group);
  Totals sum = NOTHING;
  for (uint i = 0u; i < VKP_STACK_GROUP; i += gl_WorkGroupSize.x) {
    sum = add(sum, place_tiles(group * VKP_STACK_GROUP + i, tiles, behind));
  }
  return sum;
}

uvec2 end_level(uint tiles, Position behind) {
  const uint all = groups_of(tiles);
  if (all != 1u) behind = before_group(all);
  return behind.level;
}

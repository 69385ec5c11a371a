// A tree over the lowest levels of tiles that know where they lie, and the header (tree.glsl). This
// dispatch of stack_match comes behind tiles_look_back.comp.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_match/tree.glsl"

Totals totals_of(uint tile) {
  const Effect e = load_effect(tile);
  const Place p = load_place(tile);
  return totals_of(e, p, level_plus(p.begin, e.lowest));
}

Totals take_group(uint group, uint tiles, out Position behind) {
  behind = Position(ORIGIN, ORIGIN);  // nobody needs it
  Totals sum = NOTHING;
  // All invocations make as many turns.
  for (uint i = invocation(); i < VKP_STACK_GROUP; i += gl_WorkGroupSize.x) {
    const uint tile = group * VKP_STACK_GROUP + i;
    uvec2 key = NO_LEVEL;
    if (tile < tiles) {
      key = load_key(tile);
      if ((wants & VKP_STACK_WANTS_HEADER) != 0u) sum = add(sum, totals_of(tile));
    }
    group_keys[i] = key;
  }
  return sum;
}

uvec2 end_level(uint tiles, Position behind) {
  if (tiles == 0u) return ORIGIN;
  return level_plus(load_place(tiles - 1u).begin, load_effect(tiles - 1u).change);
}

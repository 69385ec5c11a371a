// Stores strips of rows (strips.glsl) in memory: from the region of their subgroup, or, where the
// rows are too long for it or too many, piece by piece from where the pieces lie.
#ifndef STRINGS_LONG_STRIPS_GLSL
#define STRINGS_LONG_STRIPS_GLSL

#include "vkprims/strings/spans.glsl"

// `position` is where the strip begins in the result.
void store_strip(uint tile, uvec2 position) {
  const uint rounds = rounds_of_strip();
  for (uint round = 0u; round < rounds; ++round) {
    const uint places = places_in_region(round);
    [[unroll]] for (uint r = 0u; r < ROWS_AT_ONCE; ++r) {
      const uint i = row_in_tile(round * ROWS_AT_ONCE + r);
      if (i < rows_of(tile)) store_offset(tile * tile_rows() + i, vkp_add64(position, place_in_region(places, r)));
    }
  }
  const uint room = vkp_clamped_difference(vkp_u64(push.capacity), position, strip.bytes);
  store_region(vkp_add64(vkp_u64(push.out_chars), position), room);
}

// Copies the text of each lane to its own place in the result. The lane copies a short text itself;
// all lanes copy a long one together, or leave it to the many workgroups of a later dispatch.
void store_texts(uvec2 position, VkpText t) {
  bool waits = t.bytes > MOST_STAGED;
  if (!waits) store_copy(position, t.at, t.bytes, 0u, 1u);
  for (uvec4 lanes = subgroupBallot(waits); lanes != uvec4(0u); lanes = subgroupBallot(waits)) {
    const uint lane = subgroupBallotFindLSB(lanes);
    const uvec2 to = subgroupShuffle(position, lane);
    const uvec2 from = subgroupShuffle(t.at, lane);
    const uint bytes = subgroupShuffle(t.bytes, lane);
    const uint left = leave_spans(to, from, bytes, gl_SubgroupInvocationID == 0u);
    store_copy(vkp_add64(to, left), vkp_add64(from, left), bytes - left, gl_SubgroupInvocationID, lane_count());
    waits = waits && lane != gl_SubgroupInvocationID;
  }
}

void store_long_strip(uint tile, uvec2 position) {
  const uint rows = rounds_of_strip() * ROWS_AT_ONCE;
  for (uint i = 0u; i < rows; ++i) {
    const bool exists = row_in_tile(i) < rows_of(tile);
    const uint row = existing_row(tile, i);
    const Pieces x = pieces_of(row);
    const uint bytes = exists ? x.bytes : 0u;
    const uvec2 upto = vkp_subgroup_inclusive_scan(uvec2(bytes, 0u));
    uvec2 at = vkp_sub64(vkp_add64(position, upto), uvec2(bytes, 0u));
    if (exists) store_offset(row, at);
    [[dont_unroll]] for (uint k = 0u; k < MOST_PIECES; ++k) {
      VkpText t = vkp_no_text();
      if (exists && x.valid) t = piece(x.row, row, k);
      store_texts(at, t);
      at = vkp_add64(at, t.bytes);
    }
    position = vkp_add64(position, vkp_shuffle(upto, lane_count() - 1u));
  }
}

#endif

// Stores strips of rows (row_strips.glsl) in memory: from the region of their subgroup, or, where
// the rows are too long for it or too many, piece by piece from where the pieces lie.
#ifndef VKPRIMS_STRINGS_LONG_ROW_STRIPS_GLSL
#define VKPRIMS_STRINGS_LONG_ROW_STRIPS_GLSL

#include "vkprims/strings/spans.glsl"

// `position` is where the strip begins in the result.
void vkp_store_strip(uint tile, uvec2 position) {
  const uint rounds = vkp_rounds_of_strip();
  for (uint round = 0u; round < rounds; ++round) {
    const uint places = vkp_places_in_region(round);
    [[unroll]] for (uint r = 0u; r < VKP_ROWS_AT_ONCE; ++r) {
      const uint i = vkp_row_in_tile(round * VKP_ROWS_AT_ONCE + r);
      if (i < vkp_rows_of_tile(tile)) {
        vkp_store_offset(tile * vkp_tile_rows() + i,
                         vkp_add64(position, vkp_place_in_region(places, r)));
      }
    }
  }
  const uint room =
      vkp_clamped_difference(vkp_u64(vkp_push.capacity), position, vkp_row_strip.bytes);
  vkp_store_region(vkp_add64(vkp_u64(vkp_push.out_chars), position), room);
}

// Copies the text of each lane to its own place in the result. The lane copies a short text itself;
// all lanes copy a long one together, or leave it to the many workgroups of a later dispatch.
void vkp_store_texts(uvec2 position, VkpText t) {
  bool waits = t.bytes > VKP_MOST_STAGED;
  if (!waits) vkp_store_copy(position, t.at, t.bytes, 0u, 1u);
  for (uvec4 lanes = subgroupBallot(waits); lanes != uvec4(0u); lanes = subgroupBallot(waits)) {
    const uint lane = subgroupBallotFindLSB(lanes);
    const uvec2 to = subgroupShuffle(position, lane);
    const uvec2 from = subgroupShuffle(t.at, lane);
    const uint bytes = subgroupShuffle(t.bytes, lane);
    const uint left = vkp_leave_spans(to, from, bytes, gl_SubgroupInvocationID == 0u);
    vkp_store_copy(vkp_add64(to, left), vkp_add64(from, left), bytes - left,
                   gl_SubgroupInvocationID, vkp_lane_count());
    waits = waits && lane != gl_SubgroupInvocationID;
  }
}

void vkp_store_long_strip(uint tile, uvec2 position) {
  const uint rows = vkp_rounds_of_strip() * VKP_ROWS_AT_ONCE;
  for (uint i = 0u; i < rows; ++i) {
    const bool exists = vkp_row_in_tile(i) < vkp_rows_of_tile(tile);
    const uint row = vkp_existing_row(tile, i);
    const VkpPieces x = vkp_pieces_of(row);
    const uint bytes = exists ? x.bytes : 0u;
    const uvec2 upto = vkp_subgroup_inclusive_scan(uvec2(bytes, 0u));
    uvec2 at = vkp_sub64(vkp_add64(position, upto), uvec2(bytes, 0u));
    if (exists) vkp_store_offset(row, at);
    [[dont_unroll]] for (uint k = 0u; k < VKP_MOST_PIECES; ++k) {
      VkpText t = vkp_no_text();
      if (exists && x.valid) t = vkp_piece(x.row, row, k);
      vkp_store_texts(at, t);
      at = vkp_add64(at, t.bytes);
    }
    position = vkp_add64(position, vkp_shuffle(upto, vkp_lane_count() - 1u));
  }
}

#endif

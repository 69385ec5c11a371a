// Answers that lie before the tile. This is a dispatch of stack_match behind tree.comp.
//
// An invocation has an item of a tile's list of pending items. The open at its level is in the last
// tile before whose key is not above that level. The tile is found by going up the tree of keys and
// down again, 8 keys at a time; in the tile, the open is the survivor whose rank follows from the
// level. Where many items are pending their levels mostly are in one tile, so a subgroup looks for
// the tile of its first item together.
//
// Work: for each pending item at most 4 * log8(tiles) nodes, whatever the input. No workgroup waits
// for another.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_match/pending.glsl"

void store_index(uvec2 base, uvec2 element, uvec2 x) {
  const uvec2 at = vkp_add64(base, vkp_mul64(element, 4u * index_words));
  if (index_words == 1u) {
    VkpWords(at).v[0] = x.x;
  } else {
    VkpWords2(at).v[0] = x;
  }
}

uint levels_down(uint entry) { return 1u + pending_closes(entry); }

void answer(uvec2 element, uint entry, bool nothing, Found f, uvec2 level) {
  if (nothing) return;
  // The item without a symbol has no place.
  if (one_more != 0u && element == vkp_read_count(push.count)) return;
  const uvec2 open = open_at(f, level);
  if ((wants & VKP_STACK_WANTS_MATCH) != 0u) store_index(vkp_u64(push.match), element, open);
  if ((wants & VKP_STACK_WANTS_CLOSE_OF) != 0u && pending_close(entry)) {
    store_index(vkp_u64(push.close_of), open, element);
  }
}

void main() {
  const uint tiles = tiles_of(item_count());
  const uint tile = vkp_group_index();
  if (tile < tiles && tile != 0u) answer_pending(tiles, tile);
}

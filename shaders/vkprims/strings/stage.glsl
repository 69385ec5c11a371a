// Tiles of rows (row_tiles.glsl) whose bytes are put together in a window (window.glsl). Where a
// tile has more bytes than there is room for, window after window is put together. Windows that lie
// in a long row are left out. Other windows may reach into long rows: nothing is
// staged for these, and a later dispatch stores their bytes there.
//
// Besides what row_tiles.glsl needs, the includer defines, behind this file:
// - void vkp_stage_rows(VkpRowTile t, uint tile, uint first): puts bytes first, first + 1, … on an
//   empty stage, as t.before counts them.
#ifndef VKPRIMS_STRINGS_STAGE_GLSL
#define VKPRIMS_STRINGS_STAGE_GLSL

#include "vkprims/strings/row_tiles.glsl"
#include "vkprims/strings/window.glsl"

void vkp_stage_rows(VkpRowTile t, uint tile, uint first);

shared uint vkp_end_of_long;

// Returns the first byte of the next window, a multiple of 4: behind the long row in which it would
// lie. It has barriers.
uint vkp_window_behind(VkpRowTile t, uint first) {
  if (!t.has_long_rows) return first;
  barrier();
  vkp_end_of_long = first;
  barrier();
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint end = t.before[r] + t.bytes[r] & ~3u;
    if (vkp_is_long_row(t, r) && t.before[r] <= first && end > first) {
      atomicMax(vkp_end_of_long, end, gl_ScopeWorkgroup, 0, 0);
    }
  }
  barrier();
  return atomicLoad(vkp_end_of_long, gl_ScopeWorkgroup, 0, 0);
}

void vkp_store_tile(uint tile, uvec2 total) {
  uvec2 at = uvec2(0u);
  uint ahead = 0u;  // bytes of the first word that come before
  uint bytes = total.x;  // bytes that are stored
  for (uint first = 0u; vkp_any_lane(first < bytes || first == 0u);
       first = vkp_window_behind(vkp_loaded_tile, first + VKP_WINDOW_BYTES)) {
    if (first != 0u) {
      barrier();
      vkp_clear_window();
      barrier();
    }
    vkp_stage_rows(vkp_loaded_tile, tile, first);
    if (first == 0u) {
      const uvec2 prefix = vkp_place_of_tile(tile, total);
      vkp_store_offsets(tile, prefix);
      at = vkp_add64(vkp_u64(vkp_push.out_chars), prefix);
      ahead = at.x & 3u;
      bytes = vkp_clamped_difference(vkp_u64(vkp_push.capacity), prefix, total.x);
    } else {
      barrier();
    }
    const uint end = ahead + min(bytes - first, VKP_WINDOW_BYTES);
    vkp_store_window(vkp_add64(uvec2(at.x - ahead, at.y), first), ahead, end, ahead);
  }
}

#endif

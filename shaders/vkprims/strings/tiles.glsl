// What all kernels whose results are strings have in common: tiles of rows, the bytes before each
// tile, offsets and validity.
//
// A tile publishes the number of its bytes (vkprims/device/lookback.glsl); once it is known what
// comes before the tile, its bytes go to their places. VKP_STRINGS_SPEC_PASS selects the same in
// two dispatches: the first finds the bytes of the tiles, which the workgroup that finishes last
// scans; the second stores the bytes.
//
// How rows come about is left to the includer: rope.glsl makes them of pieces of texts,
// row_strips.glsl in the registers of a lane. Needs
//   uvec2 vkp_bytes_of_tile(uint tile)
//       returns the bytes to every invocation; changes nothing else
//   uvec2 vkp_load_tile(uint tile)
//       likewise; the tile is this workgroup's. Calls vkp_set_valid()
//   void vkp_store_tile(uint tile, uvec2 total)
//       stores the offsets of the tile's rows, and its bytes within the capacity. Calls
//       vkp_place_of_tile() once, as late as possible: waiting for other tiles takes longer than
//       memory
#ifndef VKPRIMS_STRINGS_TILES_GLSL
#define VKPRIMS_STRINGS_TILES_GLSL

#extension GL_KHR_shader_subgroup_ballot : require

#include "vkprims/strings/outputs.glsl"

#define VKP_T uvec2
#define VKP_WORDS 2
void vkp_pack(uvec2 x, out uint w[2]) { w = uint[](x.x, x.y); }
uvec2 vkp_unpack(uint w[2]) { return uvec2(w[0], w[1]); }
uvec2 vkp_identity() { return uvec2(0u); }
uvec2 vkp_combine(const uvec2 left, const uvec2 right) { return vkp_add64(left, right); }

#define VKP_HAS_62_BITS  // no device has more bytes

#include "vkprims/subgroup/lanes.glsl"
#include "vkprims/device/lookback.glsl"
#include "vkprims/device/scan_folds.glsl"
#include "vkprims/workgroup/workgroup.glsl"

uvec2 vkp_bytes_of_tile(uint tile);
uvec2 vkp_load_tile(uint tile);
void vkp_store_tile(uint tile, uvec2 total);

// Returns the number of bytes before this workgroup's tile to every invocation. It has barriers.
uvec2 vkp_place_of_tile(const uint tile, const uvec2 total);

// ---- The kernel.

// One module serves both dispatches; any one does.
#ifdef VKP_STATE_word64
const uint vkp_tiles_pass = 0u;
#else
layout(constant_id = VKP_STRINGS_SPEC_PASS) const uint vkp_tiles_pass = 0;
#endif

uvec2 vkp_tiles_address() { return vkp_u64(vkp_arguments().v.tiles); }
uvec2 vkp_totals_address() { return vkp_add64(vkp_tiles_address(), VKP_LOOKBACK_HEADER_BYTES); }

uvec2 vkp_fold_tile(const uint tile) { return vkp_bytes_of_tile(tile); }
uvec2 vkp_seed() { return uvec2(0u); }

VkpWalk vkp_tile_walk;

uvec2 vkp_place_of_tile(const uint tile, const uvec2 total) {
  uvec2 prefix;
  if (vkp_tiles_pass == VKP_STRINGS_PASS_WRITE) {
    prefix = vkp_load_element(vkp_totals_address(), tile);
    barrier();
  } else {
    do {
      vkp_walk_on(VkpLookback(vkp_tiles_address()), vkp_tile_walk);
    } while (!vkp_prefix_known(vkp_tile_walk, prefix));
  }
  vkp_store_validity(tile);
  if (tile + 1u == vkp_tile_count()) vkp_store_end(vkp_add64(prefix, total));
  return prefix;
}

// For the second dispatch: stores the bytes of each tile; the last workgroup then replaces them by
// the bytes of all tiles before.
void vkp_store_total(const uint tile, const uint tiles, const uvec2 total) {
  if (gl_LocalInvocationIndex == 0u) vkp_store_shared_element(vkp_totals_address(), tile, total);
  if (vkp_last_group(vkp_tiles_address(), tiles)) {
    vkp_scan_folds(vkp_totals_address(), tiles, uvec2(0u));
  }
}

void vkp_run_string_tiles() {
  const VkpLookback lookback = VkpLookback(vkp_tiles_address());
  const uint tiles = vkp_tile_count();
  uint tile = vkp_group_index();
  if (tiles == 0u && tile == 0u) vkp_store_end(uvec2(0u));
  if (vkp_tiles_pass == 0u) tile = vkp_take_tile(lookback, tiles);
  if (tile >= tiles) return;
  const uvec2 total = vkp_load_tile(tile);
  if (vkp_tiles_pass == VKP_STRINGS_PASS_SIZES) {
    vkp_store_total(tile, tiles, total);
    return;
  }
  if (vkp_tiles_pass == 0u) vkp_tile_walk = vkp_look_back(lookback, tile, total);
  vkp_store_tile(tile, total);
}

#endif

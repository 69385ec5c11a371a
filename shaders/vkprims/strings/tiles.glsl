// What all kernels whose results are strings have in common: tiles of rows, the bytes before each
// tile, offsets and validity.
//
// A tile publishes the number of its bytes (vkprims/device/lookback.glsl); once it is known what
// comes before the tile, its bytes go to their places. VKP_STRINGS_SPEC_PASS selects the same in
// two dispatches: the first finds the bytes of the tiles, which the workgroup that finishes last
// scans; the second stores the bytes.
//
// How rows come about is left to the includer (rope.glsl makes them of pieces of texts,
// generate.glsl byte by byte). Needs
//   uvec2 bytes_of_tile(uint tile)   returns the bytes to every invocation; changes nothing else
//   uvec2 load_tile(uint tile)       likewise; the tile is this workgroup's. Calls set_valid()
//   void store_tile(uint tile, uvec2 total)   stores the offsets of the tile's rows, and its bytes
//                                    within the capacity. Calls place_of_tile() once, as late as
//                                    possible: waiting for other tiles takes longer than memory
#ifndef STRINGS_TILES_GLSL
#define STRINGS_TILES_GLSL

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

uvec2 bytes_of_tile(uint tile);
uvec2 load_tile(uint tile);
void store_tile(uint tile, uvec2 total);

// Returns the number of bytes before this workgroup's tile to every invocation. It has barriers.
uvec2 place_of_tile(const uint tile, const uvec2 total);

// ---- The kernel.

// One module serves both dispatches; any one does.
#ifdef VKP_STATE_word64
const uint tiles_pass = 0u;
#else
layout(constant_id = VKP_STRINGS_SPEC_PASS) const uint tiles_pass = 0;
#endif

uvec2 tiles_address() { return vkp_u64(arguments().v.tiles); }
uvec2 totals_address() { return vkp_add64(tiles_address(), VKP_LOOKBACK_HEADER_BYTES); }

uvec2 vkp_fold_tile(const uint tile) { return bytes_of_tile(tile); }
uvec2 vkp_seed() { return uvec2(0u); }

VkpWalk walk;

uvec2 place_of_tile(const uint tile, const uvec2 total) {
  uvec2 prefix;
  if (tiles_pass == VKP_STRINGS_PASS_WRITE) {
    prefix = vkp_load_element(totals_address(), tile);
    barrier();
  } else {
    do {
      vkp_walk_on(VkpLookback(tiles_address()), walk);
    } while (!vkp_prefix_known(walk, prefix));
  }
  store_validity(tile);
  if (tile + 1u == tile_count()) store_end(vkp_add64(prefix, total));
  return prefix;
}

// For the second dispatch: stores the bytes of each tile; the last workgroup then replaces them by
// the bytes of all tiles before.
void store_total(const uint tile, const uint tiles, const uvec2 total) {
  if (gl_LocalInvocationIndex == 0u) vkp_store_shared_element(totals_address(), tile, total);
  if (vkp_last_group(tiles_address(), tiles)) vkp_scan_folds(totals_address(), tiles, uvec2(0u));
}

void run_tiles() {
  const VkpLookback lookback = VkpLookback(tiles_address());
  const uint tiles = tile_count();
  uint tile = vkp_group_index();
  if (tiles == 0u && tile == 0u) store_end(uvec2(0u));
  if (tiles_pass == 0u) tile = vkp_take_tile(lookback, tiles);
  if (tile >= tiles) return;
  const uvec2 total = load_tile(tile);
  if (tiles_pass == VKP_STRINGS_PASS_SIZES) {
    store_total(tile, tiles, total);
    return;
  }
  if (tiles_pass == 0u) walk = vkp_look_back(lookback, tile, total);
  store_tile(tile, total);
}

#endif

// What kernels have in common whose results are strings: tiles of rows, the bytes before each, offsets and validity.
//
// A tile publishes the number of its bytes (vkprims/lookback.glsl), and once it is known what comes before, its bytes go
// to where they belong. With VKP_PASS_sizes and VKP_PASS_write the same in two dispatches: bytes of tiles, scanned by
// the workgroup that comes last; then the bytes.
//
// How rows come about is left to the includer (rope.glsl: of pieces of texts; generate.glsl: byte by byte). Needs
//   uvec2 bytes_of_tile(uint tile)      to every invocation; nothing else may change by it
//   uvec2 load_tile(uint tile)          likewise; the tile is this workgroup's. Calls set_valid()
//   void store_tile(uint tile, uvec2 total)   offsets of its rows, and bytes within the capacity. Asks place_of_tile() once,
//                                       as late as it can: other tiles are in the way for longer than memory takes
#ifndef STRINGS_TILES_GLSL
#define STRINGS_TILES_GLSL

#extension GL_KHR_shader_subgroup_ballot : require

#include "strings/outputs.glsl"

#define VKP_T uvec2
#define VKP_WORDS 2
void vkp_pack(uvec2 x, out uint w[2]) { w = uint[](x.x, x.y); }
uvec2 vkp_unpack(uint w[2]) { return uvec2(w[0], w[1]); }
uvec2 vkp_identity() { return uvec2(0u); }
uvec2 vkp_combine(uvec2 left, uvec2 right) { return vkp_add64(left, right); }

#define VKP_HAS_62_BITS  // no device has more bytes

#include "vkprims/lanes.glsl"
#if defined(VKP_PASS_sizes) || defined(VKP_PASS_write)
#include "vkprims/scan_folds.glsl"
#else
#ifdef VKP_PASS_single64
#define VKP_STATE_word64
#else
#define VKP_STATE_word32
#endif
#include "vkprims/lookback.glsl"
#endif
#include "vkprims/workgroup.glsl"

uvec2 bytes_of_tile(uint tile);
uvec2 load_tile(uint tile);
void store_tile(uint tile, uvec2 total);

// The number of bytes before this workgroup's tile, to every invocation. With barriers.
uvec2 place_of_tile(uint tile, uvec2 total);

// ---- The kernel.

uvec2 tiles_address() { return vkp_u64(arguments().v.tiles); }

#if defined(VKP_PASS_sizes)
// The number of bytes before each tile.
void run_tiles() {
  const uint tiles = tile_count();
  const uint tile = vkp_group_index();
  if (tiles == 0u && tile == 0u) store_end(uvec2(0u));
  if (tile >= tiles) return;
  const uvec2 total = bytes_of_tile(tile);
  const uvec2 totals = vkp_add64(tiles_address(), VKP_LOOKBACK_HEADER_BYTES);
  if (gl_LocalInvocationIndex == 0u) vkp_store_shared_element(totals, tile, total);
  if (vkp_last_group(tiles_address(), tiles)) vkp_scan_folds(totals, tiles, uvec2(0u));
}
#else

// What there is to store of a tile besides the includer's.
void store_ends(uint tile, uvec2 total, uvec2 prefix) {
  store_validity(tile);
  if (tile + 1u == tile_count()) store_end(vkp_add64(prefix, total));
}

#if defined(VKP_PASS_write)
uvec2 place_of_tile(uint tile, uvec2 total) {
  const uvec2 prefix = vkp_load_element(vkp_add64(tiles_address(), VKP_LOOKBACK_HEADER_BYTES), tile);
  barrier();
  store_ends(tile, total, prefix);
  return prefix;
}

void run_tiles() {
  const uint tile = vkp_group_index();
  if (tile >= tile_count()) return;
  store_tile(tile, load_tile(tile));
}
#else
uvec2 vkp_fold_tile(uint tile) { return bytes_of_tile(tile); }
uvec2 vkp_seed() { return uvec2(0u); }

VkpWalk walk;

uvec2 place_of_tile(uint tile, uvec2 total) {
  const VkpLookback lookback = VkpLookback(tiles_address());
  uvec2 prefix;
  do {
    vkp_walk_on(lookback, walk);
  } while (!vkp_prefix_known(walk, prefix));
  store_ends(tile, total, prefix);
  return prefix;
}

void run_tiles() {
  const uint tiles = tile_count();
  if (tiles == 0u && vkp_group_index() == 0u) store_end(uvec2(0u));
  const VkpLookback lookback = VkpLookback(tiles_address());
  const uint tile = vkp_take_tile(lookback, tiles);
  if (tile == VKP_NO_TILE) return;
  const uvec2 total = load_tile(tile);
  walk = vkp_look_back(lookback, tile, total);
  store_tile(tile, total);
}
#endif
#endif

#endif

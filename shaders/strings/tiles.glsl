// What kernels have in common whose results are strings: tiles of rows, the bytes before each, offsets and validity.
//
// A tile publishes the number of its bytes (vkprims/lookback.glsl), and once it is known what comes before, its bytes go
// to where they belong. With VKP_PASS_sizes and VKP_PASS_write the same in two dispatches: bytes of tiles, scanned by
// the workgroup that comes last; then the bytes.
//
// How rows come about is left to the includer (rope.glsl: of pieces of texts; generate.glsl: byte by byte). Needs
//   uvec2 bytes_of_tile(uint tile)      to every invocation; nothing else may change by it
//   uvec2 load_tile(uint tile)          likewise; the tile is this workgroup's. Calls set_valid()
//   void prepare_tile(uint tile)        what can be done before it is known where the bytes go; may be called again
//   void store_tile_bytes(uint tile, uvec2 prefix, uvec2 total)   offsets of its rows, and bytes within the capacity
#ifndef STRINGS_TILES_GLSL
#define STRINGS_TILES_GLSL

#extension GL_KHR_shader_subgroup_ballot : require

#include "strings/strings.glsl"
#include "vkprims/bytes.glsl"

#define VKP_T uvec2
#define VKP_WORDS 2
void vkp_pack(uvec2 x, out uint w[2]) { w = uint[](x.x, x.y); }
uvec2 vkp_unpack(uint w[2]) { return uvec2(w[0], w[1]); }
uvec2 vkp_identity() { return uvec2(0u); }
uvec2 vkp_combine(uvec2 left, uvec2 right) { return vkp_add64(left, right); }

#include "vkprims/lanes.glsl"
#include "vkprims/report.glsl"
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

const uint MOST_ROWS = gl_WorkGroupSize.x * VKP_STRINGS_ROWS;  // of a tile

shared uint valid_words[MOST_ROWS / 32u + 1u];  // as they lie in those of the result

uint tile_rows() { return push.format >> VKP_STRINGS_TILE_ROWS_SHIFT; }
uint tile_count() { return (push.rows + tile_rows() - 1u) / tile_rows(); }
uint own() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

uvec2 bytes_of_tile(uint tile);
uvec2 load_tile(uint tile);
void prepare_tile(uint tile);
void store_tile_bytes(uint tile, uvec2 prefix, uvec2 total);

// ---- Validity. (All invocations do the same, for lavapipe: vkprims/README.md.)

void clear_valid() {
  valid_words[own() % (MOST_ROWS / 32u + 1u)] = 0u;
  barrier();
}

// Row `i` of a tile is not null.
void set_valid(uint tile, uint i) {
  const uint bit = (tile * tile_rows() & 31u) + i;
  atomicOr(valid_words[bit / 32u], 1u << (bit & 31u), gl_ScopeWorkgroup, 0, 0);
}

// Of words that two tiles have in common each replaces its own bits.
void store_validity(uint tile) {
  if (vkp_u64(push.out_validity) == uvec2(0u)) return;
  const uint first_row = tile * tile_rows();
  const uint first = first_row & 31u;
  const uint end = first + min(push.rows - first_row, tile_rows());
  const uint i = own();
  const uint x = valid_words[min(i, MOST_ROWS / 32u)];
  uint mask = ~0u;
  if (i == 0u) mask <<= first;
  // Behind the last row there is nobody.
  if (32u * i + 32u > end && tile + 1u != tile_count()) mask &= ~(~0u << (end & 31u));
  if (32u * i >= end) return;
  vkp_store_bytes(vkp_add64(vkp_u64(push.out_validity), vkp_mul64(first_row / 32u + i, 4u)), x, mask);
}

// ---- Offsets.

void store_offset(uint row, uvec2 x) {
  const uvec2 offsets = vkp_u64(push.out_offsets);
  if ((push.format & VKP_STRINGS_WIDE) != 0u) {
    VkpWords2(vkp_add64(offsets, vkp_mul64(row, 8u))).v[0] = x;
  } else {
    VkpWords(vkp_add64(offsets, vkp_mul64(row, 4u))).v[0] = x.x;
  }
}

// The end of the last row, and whether there was room for all.
void store_end(uvec2 total) {
  if (gl_LocalInvocationIndex != 0u) return;
  store_offset(push.rows, total);
  const uvec2 capacity = vkp_u64(push.capacity);
  if (!vkp_less64(capacity, total)) return;
  const uvec2 report = vkp_u64(arguments().v.report);
  vkp_report(report, VKP_REPORT_CAPACITY_EXCEEDED, capacity, vkp_clamped_difference(total, capacity, ~0u));
  if (report == uvec2(0u)) return;
  VkpWords2(vkp_add64(report, 4u * VKP_REPORT_NEEDED)).v[0] = total;
}

// ---- The kernel.

void store_tile(uint tile, uvec2 total, uvec2 prefix) {
  store_validity(tile);
  if (tile + 1u == tile_count()) store_end(vkp_add64(prefix, total));
  store_tile_bytes(tile, prefix, total);
}

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
#elif defined(VKP_PASS_write)
void run_tiles() {
  const uint tile = vkp_group_index();
  if (tile >= tile_count()) return;
  const uvec2 total = load_tile(tile);
  const uvec2 prefix = vkp_load_element(vkp_add64(tiles_address(), VKP_LOOKBACK_HEADER_BYTES), tile);
  prepare_tile(tile);
  store_tile(tile, total, prefix);
}
#else
uvec2 vkp_fold_tile(uint tile) { return bytes_of_tile(tile); }
uvec2 vkp_seed() { return uvec2(0u); }

void run_tiles() {
  const uint tiles = tile_count();
  if (tiles == 0u && vkp_group_index() == 0u) store_end(uvec2(0u));
  const VkpLookback lookback = VkpLookback(tiles_address());
  const uint tile = vkp_take_tile(lookback, tiles);
  if (tile == VKP_NO_TILE) return;
  const uvec2 total = load_tile(tile);
  uvec2 prefix;
  VkpWalk walk = vkp_look_back(lookback, tile, total);
  do {
    vkp_walk_on(lookback, walk);
    prepare_tile(tile);
  } while (!vkp_prefix_known(walk, prefix));
  store_tile(tile, total, prefix);
}
#endif

#endif

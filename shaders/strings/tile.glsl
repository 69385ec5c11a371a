// String kernels whose results are strings: sizes, look-back and bytes in one dispatch.
//
// A tile is VKP_STRINGS_ROWS rows of each invocation. Every invocation asks how long its rows are; the tile publishes
// the number of its bytes (vkprims/lookback.glsl), and while it waits for what comes before, its rows are put together
// in shared memory. From there they go to where they belong by whole words; of words that two windows or tiles have in
// common each replaces its own bytes. Where a tile has more bytes than the stage, window after window is put together.
//
// With VKP_PASS_sizes and VKP_PASS_write the same in two dispatches: bytes of tiles, scanned by the workgroup that
// comes last; then the bytes.
//
// How rows come about is left to the includer (rope.glsl: of pieces of texts; generate.glsl: byte by byte). Needs
//   struct Row                                           what is known of a row, in registers
//   bool evaluate(uint row, out Row x)                   false: null. Called again for rows of a tile in the way
// and, behind this file,
//   uint bytes_of(Row x, uint row, bool valid)           called by whole subgroups, for a row of each lane
//   void stage_rows(Tile t, uint tile, uint first)       puts bytes first, first + 1, … of the tile on an empty stage
#ifndef STRINGS_TILE_GLSL
#define STRINGS_TILE_GLSL

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

#define ROWS VKP_STRINGS_ROWS

const uint TILE_ROWS = gl_WorkGroupSize.x * ROWS;
const uint STAGE_BYTES = VKP_STRINGS_STAGE_BYTES;

shared uint stage[STAGE_BYTES / 4];
shared uint valid_words[TILE_ROWS / 32u];

// The rows of this invocation in a tile: a row of lanes each time.
uint row_in_tile(uint r) {
  return (gl_SubgroupID * ROWS + r) * min(gl_SubgroupSize, gl_WorkGroupSize.x) + gl_SubgroupInvocationID;
}

struct Tile {
  Row row[ROWS];
  uint before[ROWS];  // bytes of the tile before the row
  uint bytes[ROWS];
  uint valid;   // bit r: that row is not null
  uvec2 total;  // bytes
};

uint bytes_of(Row x, uint row, bool valid);
void stage_rows(Tile t, uint tile, uint first);

Tile load_tile(uint tile) {
  Tile t;
  t.valid = 0u;
  uint own = 0u;  // bytes of this subgroup so far
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint row = tile * TILE_ROWS + row_in_tile(r);
    const bool valid = row < push.rows && evaluate(row, t.row[r]);
    if (valid) t.valid |= 1u << r;
    t.bytes[r] = bytes_of(t.row[r], row, valid);
    const uint upto = vkp_sum_upto_lane(t.bytes[r]);
    t.before[r] = own + upto - t.bytes[r];
    own += subgroupShuffle(upto, min(gl_SubgroupSize, gl_WorkGroupSize.x) - 1u);
  }
  const VkpGroupScan scan = vkp_scan_subgroups(uvec2(own, 0u));
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) t.before[r] += scan.before.x;
  t.total = scan.total;
  return t;
}

uint row_count() { return push.rows; }
uint tile_count() { return (push.rows + TILE_ROWS - 1u) / TILE_ROWS; }

// Puts together the bytes of the tile from `first` on, as many as the stage holds.
void stage_window(Tile t, uint tile, uint first) {
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < STAGE_BYTES / 4u; i += gl_WorkGroupSize.x) stage[i] = 0u;
  barrier();
  stage_rows(t, tile, first);
  barrier();
}

// The four bytes of the stage from byte `i` on, which may be negative; what lies outside does not matter.
uint staged_bytes(int i) {
  const uint shift = 8u * (uint(i) & 3u);
  const int word = i >> 2;
  const uint low = stage[clamp(word, 0, int(STAGE_BYTES / 4u) - 1)];
  const uint high = stage[clamp(word + 1, 0, int(STAGE_BYTES / 4u) - 1)];
  return shift == 0u ? low : low >> shift | high << (32u - shift);
}

// Writes `bytes` of the stage to byte `position` of the output and on, within the capacity.
void store_window(uvec2 position, uint bytes) {
  const uint room = vkp_clamped_difference(vkp_u64(push.capacity), position, bytes);
  const uvec2 at = vkp_add64(vkp_u64(push.out_chars), position);
  const uint ahead = at.x & 3u;
  const uvec2 base = uvec2(at.x & ~3u, at.y);
  const uint words = (ahead + room + 3u) / 4u;
  const uint rounds = (words + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  for (uint round = 0u; round < rounds; ++round) {
    const uint word = round * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    const uint x = staged_bytes(int(4u * word) - int(ahead));
    const uint mask = word < words ? vkp_byte_mask(word, ahead, ahead + room) : 0u;
    vkp_store_bytes(vkp_add64(base, 4u * word), x, mask);
  }
}

// ---- Offsets and validity.

void store_offset(uint row, uvec2 x) {
  const uvec2 offsets = vkp_u64(push.out_offsets);
  if ((push.format & VKP_STRINGS_WIDE) != 0u) {
    VkpWords2(vkp_add64(offsets, vkp_mul64(row, 8u))).v[0] = x;
  } else {
    VkpWords(vkp_add64(offsets, vkp_mul64(row, 4u))).v[0] = x.x;
  }
}

// (All invocations do the same, for lavapipe: vkprims/README.md.)
void store_validity(Tile t, uint tile) {
  if (vkp_u64(push.out_validity) == uvec2(0u)) return;
  const uint own = gl_LocalInvocationIndex % (TILE_ROWS / 32u);
  barrier();
  valid_words[own] = 0u;
  barrier();
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint i = row_in_tile(r);
    if ((t.valid >> r & 1u) != 0u) atomicOr(valid_words[i / 32u], 1u << (i & 31u), gl_ScopeWorkgroup, 0, 0);
  }
  barrier();
  const uint word = tile * (TILE_ROWS / 32u) + own;
  const uint x = valid_words[own];
  if (gl_LocalInvocationIndex != own || 32u * word >= push.rows) return;
  VkpWords(vkp_add64(vkp_u64(push.out_validity), vkp_mul64(word, 4u))).v[0] = x;
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

void store_tile(Tile t, uint tile, uvec2 prefix) {
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint row = tile * TILE_ROWS + row_in_tile(r);
    if (row < push.rows) store_offset(row, vkp_add64(prefix, t.before[r]));
  }
  store_validity(t, tile);
  if (tile + 1u == tile_count()) store_end(vkp_add64(prefix, t.total));
  // The first window has been put together.
  const uint total = t.total.x;
  store_window(prefix, min(total, STAGE_BYTES));
  for (uint first = STAGE_BYTES; first < total; first += STAGE_BYTES) {
    stage_window(t, tile, first);
    store_window(vkp_add64(prefix, first), min(total - first, STAGE_BYTES));
  }
}

// ---- The kernel.

uvec2 tiles_address() { return vkp_u64(arguments().v.tiles); }

#if defined(VKP_PASS_sizes)
// The number of bytes before each tile.
void run_tile() {
  const uint tiles = tile_count();
  const uint tile = vkp_group_index();
  if (tiles == 0u && tile == 0u) store_end(uvec2(0u));
  if (tile >= tiles) return;
  const uvec2 total = load_tile(tile).total;
  const uvec2 totals = vkp_add64(tiles_address(), VKP_LOOKBACK_HEADER_BYTES);
  if (gl_LocalInvocationIndex == 0u) vkp_store_shared_element(totals, tile, total);
  if (vkp_last_group(tiles_address(), tiles)) vkp_scan_folds(totals, tiles, uvec2(0u));
}
#elif defined(VKP_PASS_write)
void run_tile() {
  const uint tile = vkp_group_index();
  if (tile >= tile_count()) return;
  const Tile t = load_tile(tile);
  const uvec2 prefix = vkp_load_element(vkp_add64(tiles_address(), VKP_LOOKBACK_HEADER_BYTES), tile);
  stage_window(t, tile, 0u);
  store_tile(t, tile, prefix);
}
#else
uvec2 vkp_fold_tile(uint tile) { return load_tile(tile).total; }
uvec2 vkp_seed() { return uvec2(0u); }

void run_tile() {
  const uint tiles = tile_count();
  if (tiles == 0u && vkp_group_index() == 0u) store_end(uvec2(0u));
  const VkpLookback lookback = VkpLookback(tiles_address());
  const uint tile = vkp_take_tile(lookback, tiles);
  if (tile == VKP_NO_TILE) return;
  const Tile t = load_tile(tile);
  uvec2 prefix;
  VkpWalk walk = vkp_look_back(lookback, tile, t.total);
  do {
    vkp_walk_on(lookback, walk);
    stage_window(t, tile, 0u);
  } while (!vkp_prefix_known(walk, prefix));
  store_tile(t, tile, prefix);
}
#endif

#endif

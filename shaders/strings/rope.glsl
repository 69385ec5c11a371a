// String kernels whose rows are made of pieces: sizes, look-back and bytes in one dispatch.
//
// A tile has so many rows that it has at most TILE_PIECES pieces of other texts. Where they are and where in the tile's
// output they begin goes to shared memory; the tile publishes the number of its bytes (vkprims/lookback.glsl). Once it
// is known what comes before, the output is made by units of 16 bytes as they lie in memory: an invocation looks up in
// which piece its unit begins, and puts it together from there on. So the work goes by bytes, whatever the rows: a long
// one does not keep anybody busy for longer than many short ones. Units that two tiles have in common are stored word by
// word, and of words each replaces its own bytes.
//
// With VKP_PASS_sizes and VKP_PASS_write the same in two dispatches: bytes of tiles, scanned by the workgroup that
// comes last; then the bytes.
//
// Needs
//   struct Row                                what is known of a row
//   bool evaluate(uint row, out Row x)        false: null
//   VkpText piece(Row x, uint row, uint k)    piece k of MOST_PIECES; of no bytes where there is none
//   MOST_PIECES                               a constant, or a number that is the same for all rows
#ifndef STRINGS_ROPE_GLSL
#define STRINGS_ROPE_GLSL

#extension GL_KHR_shader_subgroup_ballot : require

#include "strings/strings.glsl"
#include "vkprims/bytes.glsl"

#define VKP_T uvec2
#define VKP_WORDS 2
void vkp_pack(uvec2 x, out uint w[2]) { w = uint[](x.x, x.y); }
uvec2 vkp_unpack(uint w[2]) { return uvec2(w[0], w[1]); }
uvec2 vkp_identity() { return uvec2(0u); }
uvec2 vkp_combine(uvec2 left, uvec2 right) { return vkp_add64(left, right); }

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

#define PIECES_EACH VKP_STRINGS_PIECES  // of an invocation
const uint TILE_PIECES = gl_WorkGroupSize.x * PIECES_EACH;

shared uint piece_starts[TILE_PIECES + 1u];  // where in the tile's output; behind the last one its end
// Where byte 0 of the tile's output would lie if all were the piece.
shared uint piece_low[TILE_PIECES];
shared uint piece_high[TILE_PIECES];
shared uint valid_words[TILE_PIECES / 32u + 1u];

uint tile_rows() { return push.format >> VKP_STRINGS_TILE_ROWS_SHIFT; }
uint tile_count() { return (push.rows + tile_rows() - 1u) / tile_rows(); }
uint own() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

// The number of bytes of a tile, to every invocation; nothing is kept.
uvec2 bytes_of_tile(uint tile) {
  uvec2 bytes = uvec2(0u);
  const uint rounds = (tile_rows() + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  for (uint round = 0u; round < rounds; ++round) {
    const uint i = round * gl_WorkGroupSize.x + own();
    const uint row = tile * tile_rows() + i;
    Row x;
    if (i < tile_rows() && row < push.rows && evaluate(row, x)) {
      for (uint k = 0u; k < MOST_PIECES; ++k) bytes = vkp_add64(bytes, piece(x, row, k).bytes);
    }
  }
  return vkp_fold_subgroups(vkp_subgroup_fold(bytes));
}

// The first row of a tile in its words of validity: as it lies in the words of the result.
uint first_bit(uint tile) { return tile * tile_rows() & 31u; }

void set_valid(uint tile, uint i) {
  const uint bit = first_bit(tile) + i;
  atomicOr(valid_words[bit / 32u], 1u << (bit & 31u), gl_ScopeWorkgroup, 0, 0);
}

// Lengths and addresses of all pieces; then where they begin. The number of bytes.
uvec2 load_tile(uint tile) {
  const uint words = TILE_PIECES / 32u + 1u;
  valid_words[own() % words] = 0u;
  if (words > gl_WorkGroupSize.x) valid_words[words - 1u] = 0u;
  barrier();
  const uint rounds = (tile_rows() + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  for (uint round = 0u; round < rounds; ++round) {
    const uint i = round * gl_WorkGroupSize.x + own();
    const uint row = tile * tile_rows() + i;
    Row x;
    const bool valid = i < tile_rows() && row < push.rows && evaluate(row, x);
    if (valid) set_valid(tile, i);
    for (uint k = 0u; k < MOST_PIECES; ++k) {
      VkpText text = vkp_no_text();
      if (valid) text = piece(x, row, k);
      if (i < tile_rows()) {
        const uint p = i * MOST_PIECES + k;
        atomicStore(piece_starts[p], text.bytes, gl_ScopeWorkgroup, 0, 0);
        atomicStore(piece_low[p], text.at.x, gl_ScopeWorkgroup, 0, 0);
        atomicStore(piece_high[p], text.at.y, gl_ScopeWorkgroup, 0, 0);
      }
    }
  }
  barrier();
  const uint pieces = tile_rows() * MOST_PIECES;
  uint bytes[PIECES_EACH];
  uvec2 sum = uvec2(0u);
  [[unroll]] for (uint e = 0u; e < PIECES_EACH; ++e) {
    const uint p = own() * PIECES_EACH + e;
    bytes[e] = p < pieces ? piece_starts[p] : 0u;
    sum = vkp_add64(sum, bytes[e]);
  }
  const VkpGroupScan scan = vkp_scan_workgroup(sum);  // with barriers
  uint start = scan.before.x;
  [[unroll]] for (uint e = 0u; e < PIECES_EACH; ++e) {
    const uint p = own() * PIECES_EACH + e;
    piece_starts[p] = start;
    const uvec2 base = vkp_sub64(uvec2(piece_low[p], piece_high[p]), uvec2(start, 0u));
    piece_low[p] = base.x;
    piece_high[p] = base.y;
    start += bytes[e];
  }
  if (own() == gl_WorkGroupSize.x - 1u) piece_starts[TILE_PIECES] = start;
  barrier();
  return scan.total;
}

// ---- Bytes.

// The last piece that begins at byte `at` of the tile's output or before: the one that it is in.
uint piece_at(uint at) {
  uint p = 0u;
  for (uint step = TILE_PIECES / 2u; step != 0u; step /= 2u) {
    if (piece_starts[p + step] <= at) p += step;
  }
  return p;
}

uint start_of(uint p) { return atomicLoad(piece_starts[min(p, TILE_PIECES)], gl_ScopeWorkgroup, 0, 0); }
uvec2 base_of(uint p) {
  return uvec2(atomicLoad(piece_low[p], gl_ScopeWorkgroup, 0, 0), atomicLoad(piece_high[p], gl_ScopeWorkgroup, 0, 0));
}

// Up to 16 bytes at `at`; the others are 0.
uvec4 load_bytes(uvec2 at, uint bytes) {
  const uint ahead = at.x & 3u;
  const uvec2 base = uvec2(at.x & ~3u, at.y);
  const uint words = (ahead + bytes + 3u) / 4u;
  uint w[5];
  [[unroll]] for (uint i = 0u; i < 5u; ++i) {
    w[i] = 0u;
    if (i < words) w[i] = VkpWords(base).v[i];
  }
  uvec4 x;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    x[i] = ahead == 0u ? w[i] : w[i] >> (8u * ahead) | w[i + 1u] << (32u - 8u * ahead);
    const uint left = bytes - min(bytes, 4u * i);
    if (left < 4u) x[i] &= ~(~0u << (8u * left));
  }
  return x;
}

// 16 bytes moved up by 0 … 15 bytes.
uvec4 move_up(uvec4 x, uint bytes) {
  if ((bytes & 8u) != 0u) x = uvec4(0u, 0u, x.xy);
  if ((bytes & 4u) != 0u) x = uvec4(0u, x.xyz);
  const uint bits = 8u * (bytes & 3u);
  return bits == 0u ? x : x << bits | uvec4(0u, x.xyz) >> (32u - bits);
}

// The 16 bytes of the tile's output from `first` on, which may be negative, as far as they lie before `end`.
uvec4 make_unit(int first, uint end) {
  uint at = uint(max(first, 0));
  const uint limit = min(uint(max(first + 16, 0)), end);
  uint p = piece_at(at);
  uint stop = start_of(p + 1u);
  uvec4 unit = uvec4(0u);
  while (at < limit) {
    const uint bytes = min(stop, limit) - at;
    if (bytes != 0u) unit |= move_up(load_bytes(vkp_add64(base_of(p), at), bytes), uint(int(at) - first));
    at += bytes;
    ++p;
    stop = start_of(p + 1u);
  }
  return unit;
}

// Writes the first `bytes` bytes of the tile's output to byte `position` of the result and on, within the capacity.
void store_bytes(uvec2 position, uint bytes) {
  const uint room = vkp_clamped_difference(vkp_u64(push.capacity), position, bytes);
  const uvec2 at = vkp_add64(vkp_u64(push.out_chars), position);
  const uint ahead = at.x & 15u;
  const uvec2 base = uvec2(at.x & ~15u, at.y);
  const uint units = room == 0u ? 0u : (ahead + room + 15u) / 16u;
  const uint rounds = (units + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  for (uint round = 0u; round < rounds; ++round) {
    const uint u = round * gl_WorkGroupSize.x + own();
    const int first = int(16u * u) - int(ahead);
    const uvec4 unit = make_unit(first, u < units ? room : 0u);
    const uvec2 address = vkp_add64(base, vkp_mul64(u, 16u));
    if (u < units && first >= 0 && uint(first) + 16u <= room) {
      VkpWords4(address).v[0] = unit;
    } else if (u < units) {
      [[unroll]] for (uint w = 0u; w < 4u; ++w) {
        const uint mask = vkp_byte_mask(4u * u + w, ahead, ahead + room);
        vkp_store_bytes(vkp_add64(address, 4u * w), unit[w], mask);
      }
    }
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

void store_offsets(uint tile, uvec2 prefix) {
  const uint rounds = (tile_rows() + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  for (uint round = 0u; round < rounds; ++round) {
    const uint i = round * gl_WorkGroupSize.x + own();
    const uint row = tile * tile_rows() + i;
    const uint start = piece_starts[min(i, tile_rows()) * MOST_PIECES];
    if (i < tile_rows() && row < push.rows) store_offset(row, vkp_add64(prefix, start));
  }
}

// Of words that two tiles have in common each replaces its own bits.
void store_validity(uint tile) {
  if (vkp_u64(push.out_validity) == uvec2(0u)) return;
  const uint rows = min(push.rows - tile * tile_rows(), tile_rows());
  const uint first = first_bit(tile);
  const uint words = (first + rows + 31u) / 32u;
  const uint rounds = (words + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  const uvec2 base = vkp_add64(vkp_u64(push.out_validity), vkp_mul64(tile * tile_rows() / 32u, 4u));
  for (uint round = 0u; round < rounds; ++round) {
    const uint i = round * gl_WorkGroupSize.x + own();
    const uint x = valid_words[min(i, TILE_PIECES / 32u)];
    uint mask = ~0u;
    if (i == 0u) mask &= ~0u << first;
    if (i + 1u == words && (first + rows & 31u) != 0u) mask &= ~(~0u << (first + rows & 31u));
    // Behind the last row there is nobody: whole words.
    if (tile + 1u == tile_count() && i + 1u == words) mask |= i == 0u ? ~0u << first : ~0u;
    if (i < words) vkp_store_bytes(vkp_add64(base, 4u * i), x, mask);
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

void store_tile(uint tile, uvec2 total, uvec2 prefix) {
  store_offsets(tile, prefix);
  store_validity(tile);
  if (tile + 1u == tile_count()) store_end(vkp_add64(prefix, total));
  store_bytes(prefix, total.x);
}

// ---- The kernel.

uvec2 tiles_address() { return vkp_u64(arguments().v.tiles); }

#if defined(VKP_PASS_sizes)
// The number of bytes before each tile.
void rope() {
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
void rope() {
  const uint tile = vkp_group_index();
  if (tile >= tile_count()) return;
  const uvec2 total = load_tile(tile);
  const uvec2 prefix = vkp_load_element(vkp_add64(tiles_address(), VKP_LOOKBACK_HEADER_BYTES), tile);
  store_tile(tile, total, prefix);
}
#else
uvec2 vkp_fold_tile(uint tile) { return bytes_of_tile(tile); }
uvec2 vkp_seed() { return uvec2(0u); }

void rope() {
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
  } while (!vkp_prefix_known(walk, prefix));
  store_tile(tile, total, prefix);
}
#endif

#endif

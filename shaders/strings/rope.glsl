// String kernels whose rows are made of pieces of other texts: see tiles.glsl.
//
// A tile has so many rows that it has at most TILE_PIECES pieces. Where they are and where in the tile's output they
// begin goes to shared memory. The output is made by units of 16 bytes as they lie in memory: an invocation looks up in
// which piece its unit begins, and puts it together from there on. So the work goes by bytes, whatever the rows: a long
// one does not keep anybody busy for longer than many short ones. Units that two tiles have in common are stored word by
// word, and of words each replaces its own bytes.
//
// Where a tile has so many bytes that 32 bits do not number them, its pieces go one after the other instead.
//
// Needs
//   struct Row                                what is known of a row
//   bool evaluate(uint row, out Row x)        false: null
//   VkpText piece(Row x, uint row, uint k)    piece k of MOST_PIECES; of no bytes where there is none
//   MOST_PIECES                               a constant, or a number that is the same for all rows; asked for before
//                                             loops, not in what ends them (vkprims/README.md)
#ifndef STRINGS_ROPE_GLSL
#define STRINGS_ROPE_GLSL

#include "strings/tiles.glsl"

#define PIECES_EACH VKP_STRINGS_PIECES  // of an invocation
const uint TILE_PIECES = gl_WorkGroupSize.x * PIECES_EACH;

shared uint piece_starts[TILE_PIECES + 1u];  // where in the tile's output; behind the last one its end
// Where byte 0 of the tile's output would lie if all were the piece.
shared uint piece_low[TILE_PIECES];
shared uint piece_high[TILE_PIECES];

// The number of bytes of a tile, to every invocation; nothing is kept.
uvec2 bytes_of_tile(uint tile) {
  uvec2 bytes = uvec2(0u);
  const uint rounds = (tile_rows() + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  const uint most = MOST_PIECES;
  for (uint round = 0u; round < rounds; ++round) {
    const uint i = round * gl_WorkGroupSize.x + own();
    const uint row = tile * tile_rows() + i;
    Row x;
    if (i < tile_rows() && row < push.rows && evaluate(row, x)) {
      for (uint k = 0u; k < most; ++k) bytes = vkp_add64(bytes, piece(x, row, k).bytes);
    }
  }
  return vkp_fold_subgroups(vkp_subgroup_fold(bytes));
}

// Whether bytes of a tile have numbers of 31 bits.
bool is_huge(uvec2 total) { return total.y != 0u || total.x >= 0x80000000u; }

// Lengths and addresses of all pieces; then where they begin, unless the tile is huge.
uvec2 load_tile(uint tile) {
  clear_valid();
  const uint rounds = (tile_rows() + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  const uint most = MOST_PIECES;
  for (uint round = 0u; round < rounds; ++round) {
    const uint i = round * gl_WorkGroupSize.x + own();
    const uint row = tile * tile_rows() + i;
    Row x;
    const bool valid = i < tile_rows() && row < push.rows && evaluate(row, x);
    if (valid) set_valid(tile, i);
    for (uint k = 0u; k < most; ++k) {
      VkpText text = vkp_no_text();
      if (valid) text = piece(x, row, k);
      if (i < tile_rows()) {
        const uint p = i * most + k;
        atomicStore(piece_starts[p], text.bytes, gl_ScopeWorkgroup, 0, 0);
        atomicStore(piece_low[p], text.at.x, gl_ScopeWorkgroup, 0, 0);
        atomicStore(piece_high[p], text.at.y, gl_ScopeWorkgroup, 0, 0);
      }
    }
  }
  barrier();
  const uint pieces = tile_rows() * most;
  uint bytes[PIECES_EACH];
  uvec2 sum = uvec2(0u);
  [[unroll]] for (uint e = 0u; e < PIECES_EACH; ++e) {
    const uint p = own() * PIECES_EACH + e;
    bytes[e] = p < pieces ? piece_starts[p] : 0u;
    sum = vkp_add64(sum, bytes[e]);
  }
  const VkpGroupScan scan = vkp_scan_workgroup(sum);  // with barriers
  if (is_huge(scan.total)) return scan.total;
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

// Where bytes go: `room` of them, to `position` of the result and on, `ahead` bytes behind the beginning of a unit.
struct Target {
  uvec2 base;  // of the first unit
  uint ahead, room;
};

Target target_of(uvec2 position, uint bytes) {
  const uvec2 at = vkp_add64(vkp_u64(push.out_chars), position);
  const uint room = vkp_clamped_difference(vkp_u64(push.capacity), position, bytes);
  return Target(uvec2(at.x & ~15u, at.y), at.x & 15u, room);
}

// In turns of the workgroup.
uint rounds_of(Target target) {
  const uint units = target.room == 0u ? 0u : (target.ahead + target.room + 15u) / 16u;
  return (units + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
}

// Stores unit `u`; one behind the last has no bytes.
void store_unit(Target target, uint u, uvec4 unit) {
  const uvec2 address = vkp_add64(target.base, vkp_mul64(u, 16u));
  const uint end = target.ahead + target.room;
  if (16u * u >= target.ahead && 16u * u + 16u <= end) {
    VkpWords4(address).v[0] = unit;
  } else {
    [[unroll]] for (uint w = 0u; w < 4u; ++w) {
      vkp_store_bytes(vkp_add64(address, 4u * w), unit[w], vkp_byte_mask(4u * u + w, target.ahead, end));
    }
  }
}

void store_pieces(uvec2 prefix, uint bytes) {
  const Target target = target_of(prefix, bytes);
  const uint rounds = rounds_of(target);
  for (uint round = 0u; round < rounds; ++round) {
    const uint u = round * gl_WorkGroupSize.x + own();
    store_unit(target, u, make_unit(int(16u * u) - int(target.ahead), target.room));
  }
}

// ---- Offsets.

void store_offsets(uint tile, uvec2 prefix) {
  const uint rounds = (tile_rows() + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  for (uint round = 0u; round < rounds; ++round) {
    const uint i = round * gl_WorkGroupSize.x + own();
    const uint row = tile * tile_rows() + i;
    const uint start = piece_starts[min(i, tile_rows()) * MOST_PIECES];
    if (i < tile_rows() && row < push.rows) store_offset(row, vkp_add64(prefix, start));
  }
}

// All pieces of a huge tile, each by the whole workgroup.
void store_huge(uint tile, uvec2 position) {
  const uint most = MOST_PIECES;
  const uint pieces = min(push.rows - tile * tile_rows(), tile_rows()) * most;
  for (uint p = 0u; p < pieces; ++p) {
    const uint bytes = piece_starts[p];  // their lengths still
    const uvec2 at = uvec2(piece_low[p], piece_high[p]);
    if (p % most == 0u && own() == 0u) store_offset(tile * tile_rows() + p / most, position);
    const Target target = target_of(position, bytes);
    const uint rounds = rounds_of(target);
    for (uint round = 0u; round < rounds; ++round) {
      const uint u = round * gl_WorkGroupSize.x + own();
      const int first = int(16u * u) - int(target.ahead);
      const uint begin = uint(max(first, 0));
      const uint end = min(uint(max(first + 16, 0)), target.room);
      uvec4 unit = uvec4(0u);
      if (begin < end) unit = move_up(load_bytes(vkp_add64(at, begin), end - begin), uint(int(begin) - first));
      store_unit(target, u, unit);
    }
    position = vkp_add64(position, bytes);
  }
}

void prepare_tile(uint tile) {}

void store_tile_bytes(uint tile, uvec2 prefix, uvec2 total) {
  if (is_huge(total)) {
    store_huge(tile, prefix);
  } else {
    store_offsets(tile, prefix);
    store_pieces(prefix, total.x);
  }
}

void rope() { run_tiles(); }

#endif

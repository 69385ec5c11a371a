// Rows of a result in tiles: their validity, their offsets, and the end of the last one.
#ifndef STRINGS_OUTPUTS_GLSL
#define STRINGS_OUTPUTS_GLSL

#include "strings/strings.glsl"
#include "vkprims/bytes.glsl"
#include "vkprims/report.glsl"

const uint MOST_ROWS = gl_WorkGroupSize.x * VKP_STRINGS_ROWS;  // of a tile

shared uint valid_words[MOST_ROWS / 32u + 1u];  // as they lie in those of the result

uint tile_rows() { return push.format >> VKP_STRINGS_TILE_ROWS_SHIFT; }
uint rows_of(uint tile) { return min(push.rows - tile * tile_rows(), tile_rows()); }
uint tile_count() { return (push.rows + tile_rows() - 1u) / tile_rows(); }
uint own() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

// ---- Validity. (All invocations do the same, for lavapipe: vkprims/README.md.)

void clear_valid() {
  valid_words[own() % (MOST_ROWS / 32u + 1u)] = 0u;
  barrier();
}

// Row `i` of a tile is not null.
void set_valid(uint tile, uint i) {
  if (VKP_PLAIN_COLUMNS) return;  // nobody asks
  const uint bit = (tile * tile_rows() & 31u) + i;
  atomicOr(valid_words[bit / 32u], 1u << (bit & 31u), gl_ScopeWorkgroup, 0, 0);
}

// Of words that two tiles have in common each replaces its own bits.
void store_validity(uint tile) {
  if (VKP_PLAIN_COLUMNS || vkp_u64(push.out_validity) == uvec2(0u)) return;
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
  if (!VKP_PLAIN_COLUMNS && (push.format & VKP_STRINGS_WIDE) != 0u) {
    VkpWords2(vkp_add64(offsets, vkp_mul64(row, 8u))).v[0] = x;
  } else {
    VkpWords(offsets).v[row] = x.x;
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

#endif

// The validity and the offsets of the rows of a result, by tiles, and the end of the last row.
#ifndef VKPRIMS_STRINGS_OUTPUTS_GLSL
#define VKPRIMS_STRINGS_OUTPUTS_GLSL

#include "vkprims/strings/strings.glsl"
#include "vkprims/memory/bytes.glsl"
#include "vkprims/memory/report.glsl"

#ifndef VKP_MOST_ROWS_EACH
#define VKP_MOST_ROWS_EACH VKP_STRINGS_ROWS  // of an invocation
#endif
const uint VKP_MOST_ROWS = gl_WorkGroupSize.x * VKP_MOST_ROWS_EACH;  // of a tile

shared uint vkp_valid_words[VKP_MOST_ROWS / 32u + 1u];  // laid out like the words of the result

uint vkp_tile_rows() { return vkp_push.format >> VKP_STRINGS_TILE_ROWS_SHIFT; }
uint vkp_rows_of_tile(const uint tile) {
  return min(vkp_push.rows - tile * vkp_tile_rows(), vkp_tile_rows());
}
uint vkp_tile_count() { return (vkp_push.rows + vkp_tile_rows() - 1u) / vkp_tile_rows(); }
uint vkp_lane_count() { return min(gl_SubgroupSize, gl_WorkGroupSize.x); }
// Returns the number of this invocation in its workgroup, subgroup by subgroup.
uint vkp_lane_of_tile() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

// ---- Validity. (All invocations run the same loops, as lavapipe requires: vkprims/README.md.)

void vkp_clear_valid() {
  vkp_valid_words[vkp_lane_of_tile() % (VKP_MOST_ROWS / 32u + 1u)] = 0u;
  barrier();
}

// Sets row `i` of a tile to not null.
void vkp_set_valid(uint tile, uint i) {
  if (VKP_NO_NULLS) return;  // nobody reads the bits
  const uint bit = (tile * vkp_tile_rows() & 31u) + i;
  atomicOr(vkp_valid_words[bit / 32u], 1u << (bit & 31u), gl_ScopeWorkgroup, 0, 0);
}

// Sets rows from `i` on, one for each lane of a ballot. `i` and the number of rows of a tile are
// multiples of the number of lanes, or of 32.
void vkp_set_valid_lanes(uint tile, uint i, uvec4 lanes) {
  if (VKP_NO_NULLS) return;
  const uint bit = (tile * vkp_tile_rows() & 31u) + i;
  const uint k = gl_SubgroupInvocationID;
  const uint x = k == 0u ? lanes.x : k == 1u ? lanes.y : k == 2u ? lanes.z : lanes.w;
  if (k < 4u && x != 0u) {
    atomicOr(vkp_valid_words[bit / 32u + k], x << (bit & 31u), gl_ScopeWorkgroup, 0, 0);
  }
}

// In words that two tiles share, each tile replaces only its own bits.
void vkp_store_validity(uint tile) {
  if (VKP_NO_NULLS || vkp_u64(vkp_push.out_validity) == uvec2(0u)) return;
  const uint first_row = tile * vkp_tile_rows();
  const uint first = first_row & 31u;
  const uint end = first + min(vkp_push.rows - first_row, vkp_tile_rows());
  const uint i = vkp_lane_of_tile();
  const uint x = vkp_valid_words[min(i, VKP_MOST_ROWS / 32u)];
  uint mask = ~0u;
  if (i == 0u) mask <<= first;
  // No tile follows the last row, so the last word is stored as a whole.
  if (32u * i + 32u > end && tile + 1u != vkp_tile_count()) mask &= ~(~0u << (end & 31u));
  if (32u * i >= end) return;
  vkp_store_bytes(vkp_add64(vkp_u64(vkp_push.out_validity), vkp_mul64(first_row / 32u + i, 4u)), x,
                  mask);
}

// ---- Offsets.

void vkp_store_offset(const uint row, const uvec2 x) {
  const uvec2 offsets = vkp_u64(vkp_push.out_offsets);
  if (VKP_NARROW_COLUMNS) {
    VkpWords(offsets).v[row] = x.x;
  } else if ((vkp_push.format & VKP_STRINGS_WIDE) != 0u) {
    VkpWords2(vkp_add64(offsets, vkp_mul64(row, 8u))).v[0] = x;
  } else {
    VkpWords(vkp_add64(offsets, vkp_mul64(row, 4u))).v[0] = x.x;
  }
}

// ---- Attempts: another kernel follows, which does all the work again if this one gave up.

layout(buffer_reference, std430, buffer_reference_align = 4) buffer VkpUnfitAt {
  nonprivate uint v;
};

// The atomic is relaxed, as only the next dispatch reads the word.
void vkp_give_up() {
  atomicOr(VkpUnfitAt(vkp_add64(vkp_u64(vkp_push.scratch), VKP_STRINGS_UNFIT_OFFSET)).v, 1u,
           gl_ScopeQueueFamily, 0, 0);
}

// Stores the end of the last row and reports whether there was room for all. An attempt stores the
// end only, as it gives up if there was not.
void vkp_store_end(const uvec2 total) {
  if (gl_LocalInvocationIndex != 0u) return;
  vkp_store_offset(vkp_push.rows, total);
#ifdef VKP_IS_ATTEMPT
  return;
#endif
  const uvec2 capacity = vkp_u64(vkp_push.capacity);
  if (!vkp_less64(capacity, total)) return;
  const uvec2 report = vkp_u64(vkp_arguments().v.report);
  vkp_report(report, VKP_REPORT_CAPACITY_EXCEEDED, capacity,
             vkp_clamped_difference(total, capacity, ~0u));
  if (report == uvec2(0u)) return;
  VkpWords2(vkp_add64(report, 4u * VKP_REPORT_NEEDED)).v[0] = total;
}

#endif

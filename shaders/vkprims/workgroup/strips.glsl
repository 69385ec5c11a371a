// The shapes of scans: how a sequence is cut into strips, one for each subgroup.
//
// A row is one cell of every lane of a subgroup, neighbours in memory; a batch is the VKP_SPEC_ROWS
// rows that a subgroup has in flight; a strip is a run of batches, owned by one subgroup.
//
// Needs VKP_CELL_ITEMS, vkp_item_bytes and vkp_cell_head() of cells.glsl or input_cells.glsl, and
// VKP_OUT_BYTES, the bytes of an element of the output.
#ifndef VKPRIMS_STRIPS_GLSL
#define VKPRIMS_STRIPS_GLSL

#include "vkprims/workgroup/scan_constants.glsl"

struct VkpScan {
  uvec2 in_base, out_base;  // first elements
  uvec2 count;
  // Where the fold of all elements goes, behind the seed; of a scan in segments, the number of
  // these goes there instead. 0: nowhere.
  uvec2 total;
};

// One subgroup's part. Elements are counted from its first cell; those from `begin` to `end` - 1
// exist.
struct VkpStrip {
  uvec2 in_base, out_base;
  uvec2 first;  // the number of element 0 in the sequence; below 0 if it does not exist
  uint begin, end;
  uint batches;
};

// Returns how many batches, one for each subgroup, the workgroups of the dispatch need together for
// the whole sequence.
uint vkp_scan_batches(VkpScan scan) {
  if (scan.count == uvec2(0u)) return 0u;
  // A batch of the workgroup is vkp_rows times a power of two; dividing by the power first leaves
  // 32 bits.
  const uint shift = uint(findLSB(gl_WorkGroupSize.x * VKP_CELL_ITEMS));
  const uvec2 items = vkp_add64(scan.count, vkp_cell_head(scan.in_base));
  const uint rows = vkp_shr64(vkp_add64(items, (1u << shift) - 1u), shift).x;
  return (rows + vkp_rows - 1u) / vkp_rows;
}

// Returns this subgroup's strip in workgroup number `group` of those whose strips have `batches`
// batches each. The strip must have fewer than 2^31 elements.
VkpStrip vkp_strip(const VkpScan scan, const uint group, const uint batches) {
  const uint head = vkp_cell_head(scan.in_base);
  const uint items = batches * vkp_rows * gl_SubgroupSize * VKP_CELL_ITEMS;
  const uvec2 first =
      vkp_add64(vkp_mul64(group, items * gl_NumSubgroups), vkp_mul64(gl_SubgroupID, items));
  VkpStrip strip;
  strip.first = vkp_sub64(first, uvec2(head, 0u));
  strip.in_base = vkp_add64(vkp_sub64(scan.in_base, uvec2(head * vkp_item_bytes, 0u)),
                            vkp_mul64(first, vkp_item_bytes));
  strip.out_base = vkp_add64(vkp_sub64(scan.out_base, uvec2(head * VKP_OUT_BYTES, 0u)),
                             vkp_mul64(first, VKP_OUT_BYTES));
  strip.begin = first == uvec2(0u) ? head : 0u;
  strip.end = vkp_clamped_difference(vkp_add64(scan.count, head), first, items);
  strip.batches = batches;
  return strip;
}

bool vkp_whole(const VkpStrip strip) {
  return strip.begin == 0u &&
         strip.end == strip.batches * vkp_rows * gl_SubgroupSize * VKP_CELL_ITEMS;
}

#endif

// Reduce-then-scan in two dispatches, for any monoid over VKP_T. The sequence is cut into one strip
// per subgroup. The first dispatch folds the strips, and its workgroup that finishes last scans the
// folds; the second dispatch scans the strips. No workgroup waits for another, and the order of
// combination depends only on count, alignment and shape, so floating-point results do not vary
// from run to run. Few workgroups need no first dispatch: each folds what is before it.
//
// Source: the classic schedule, e.g. D. Merrill, A. Grimshaw, "Parallel Scan for Stream
// Architectures" (2009). The order between workgroups in the first dispatch is that of
// last_group.glsl.
#ifndef VKPRIMS_SCAN_MULTI_PASS_GLSL
#define VKPRIMS_SCAN_MULTI_PASS_GLSL

#include "vkprims/device/scan_folds.glsl"
#include "vkprims/workgroup/scan_tile.glsl"

layout(constant_id = VKP_SCAN_SPEC_ALONE) const uint vkp_alone = 0;

struct VkpMultiPass {
  uvec2 scratch;    // a word that is 0, then elements (scan.h); unused without a first dispatch
  uint max_groups;  // workgroups of the dispatch
};

// Returns the number of batches of every strip; `groups` becomes the number of workgroups that have
// any, or 1 if a total is wanted, which a count of 0 has, too.
uint vkp_strip_batches(VkpScan scan, VkpMultiPass passes, out uint groups) {
  const uint batches = vkp_scan_batches(scan);
  const uint run = max(1u, (batches + passes.max_groups - 1u) / passes.max_groups);
  groups = max(vkp_total_wanted, (batches + run - 1u) / run);
  return run;
}

// Scratch holds for each workgroup the fold of its strips, then for each strip what comes before it
// in its workgroup.
uvec2 vkp_group_folds(VkpMultiPass passes) {
  return vkp_add64(passes.scratch, VKP_SCAN_FOLDS_OFFSET);
}
uint vkp_strip_index(VkpMultiPass passes) {
  return passes.max_groups + vkp_group_index() * gl_NumSubgroups + gl_SubgroupID;
}

// Does the first dispatch. `seed` comes before the first element.
void vkp_scan_multi_pass_fold(VkpScan scan, VkpMultiPass passes, VKP_T seed) {
  uint groups;
  const uint batches = vkp_strip_batches(scan, passes, groups);
  if (vkp_group_index() >= groups) return;
  const uvec2 all = vkp_group_folds(passes);
  const VkpGroupScan folds = vkp_fold_strips(vkp_strip(scan, vkp_group_index(), batches));
  if (gl_SubgroupInvocationID == 0u) vkp_store_element(all, vkp_strip_index(passes), folds.before);
  if (gl_LocalInvocationIndex == 0u) vkp_store_shared_element(all, vkp_group_index(), folds.total);
  if (vkp_last_group(passes.scratch, groups)) {
    vkp_store_total(scan, vkp_scan_folds(all, groups, seed));
  }
}

// Does the second dispatch, or the only one, which uses `seed`.
void vkp_scan_multi_pass_scan(VkpScan scan, VkpMultiPass passes, VKP_T seed) {
  uint groups;
  const uint batches = vkp_strip_batches(scan, passes, groups);
  const uint group = vkp_group_index();
  if (group >= groups) return;
  const VkpStrip strip = vkp_strip(scan, group, batches);
  VKP_T before = seed;
  if (vkp_alone != 0u) {
    // First comes everything before the workgroup's own strips, then these.
    VkpStrip part = vkp_strip(scan, 0u, group * batches);
    for (uint own = group == 0u ? 1u : 0u; own < 2u; ++own) {
      if (own == 1u) part = strip;
      const VkpGroupScan folds = vkp_fold_strips(part);
      VKP_T next = folds.total;
      if (own == 1u) {
        if (group == groups - 1u) vkp_store_total(scan, vkp_combine(before, folds.total));
        next = folds.before;
      }
      before = vkp_combine(before, next);
    }
  } else {
    const uvec2 all = vkp_group_folds(passes);
    before = vkp_combine(vkp_load_element(all, vkp_group_index()),
                         vkp_load_element(all, vkp_strip_index(passes)));
  }
  VKP_CELLS cells;
  vkp_scan_strip(strip, 0u, cells, before);
}

#endif

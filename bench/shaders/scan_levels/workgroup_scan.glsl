// Inclusive sums across a workgroup: each subgroup scans its own words with the hardware's
// instruction, then one subgroup scans the subgroups' sums. Two barriers instead of one per step of
// a tree.
//
// Source: Sengupta, Harris and Garland, "Efficient Parallel Scan Algorithms for GPUs",
// NVR-2008-003. Needs SCAN_WORDS, the words that an invocation brings.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require

shared uint subgroup_sums[512];  // SCAN_WORDS times the subgroups; of 4 lanes at least
shared uint workgroup_sum;

// Lanes of a subgroup; workgroups consist of whole ones.
uint subgroup_lanes() { return gl_WorkGroupSize.x / gl_NumSubgroups; }

// The number of this invocation, in the order of the subgroups and their lanes, which
// gl_LocalInvocationIndex need not follow.
uint invocation() { return gl_SubgroupID * subgroup_lanes() + gl_SubgroupInvocationID; }

// Word k of invocation i is at place k * gl_WorkGroupSize.x + i. Returns the sum of all. Call in
// workgroup-uniform control flow.
uint scan_workgroup(inout uint x[SCAN_WORDS]) {
  const uint lanes = subgroup_lanes();
  const uint lane = gl_SubgroupInvocationID;
  barrier();  // who still reads the shared words of an earlier call
  for (uint k = 0u; k < SCAN_WORDS; ++k) {
    x[k] = subgroupInclusiveAdd(x[k]);
    if (lane == lanes - 1u) subgroup_sums[k * gl_NumSubgroups + gl_SubgroupID] = x[k];
  }
  barrier();
  // There may be more sums than lanes: each lane takes a run of neighbours. The other subgroups run
  // the same loops over nothing: lavapipe drops code after shared memory in loops that only some
  // run.
  const uint sums = gl_SubgroupID == 0u ? SCAN_WORDS * gl_NumSubgroups : 0u;
  const uint run = (SCAN_WORDS * gl_NumSubgroups + lanes - 1u) / lanes;
  uint run_sum = 0u;
  for (uint j = 0u; j < run; ++j) {
    const uint i = lane * run + j;
    if (i < sums) run_sum += subgroup_sums[i];
  }
  const uint inclusive = subgroupInclusiveAdd(run_sum);
  uint before = inclusive - run_sum;
  for (uint j = 0u; j < run; ++j) {
    const uint i = lane * run + j;
    if (i < sums) {
      const uint own = subgroup_sums[i];
      subgroup_sums[i] = before;
      before += own;
    }
  }
  if (gl_SubgroupID == 0u && lane == lanes - 1u) workgroup_sum = inclusive;
  barrier();
  for (uint k = 0u; k < SCAN_WORDS; ++k) x[k] += subgroup_sums[k * gl_NumSubgroups + gl_SubgroupID];
  return workgroup_sum;
}

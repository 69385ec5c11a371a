// Findings for the host: vkprims::DeviceReport, which the caller has zeroed. They are written by
// commutative atomics that nobody reads before the dispatch has ended; only the first finding
// writes where it was.
#ifndef VKPRIMS_REPORT_GLSL
#define VKPRIMS_REPORT_GLSL

#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require

#include "vkprims/core.glsl"

const uint VKP_REPORT_INDEX_OUT_OF_RANGE = 1;
const uint VKP_REPORT_CAPACITY_EXCEEDED = 2;

// Words of DeviceReport.
const uint VKP_REPORT_CODE = 0;
const uint VKP_REPORT_COUNT = 2;
const uint VKP_REPORT_FIRST_INDEX = 4;
const uint VKP_REPORT_NEEDED = 6;

// Adds `findings` findings, one of which is at element `index`. Does nothing if there is no report.
void vkp_report(uvec2 report, uint code, uvec2 index, uint findings) {
  if (report == uvec2(0u) || findings == 0u) return;
  VkpSharedWords words = VkpSharedWords(report);
  atomicMax(words.v[VKP_REPORT_CODE], code);
  const uint before = atomicAdd(words.v[VKP_REPORT_COUNT], findings);
  if (before + findings < before) atomicAdd(words.v[VKP_REPORT_COUNT + 1u], 1u);
  // After 2^32 findings this may happen again; it then writes the place of another finding. Except
  // in that case both words belong to one element, as each is written once.
  if (before == 0u) {
    atomicExchange(words.v[VKP_REPORT_FIRST_INDEX], index.x);
    atomicExchange(words.v[VKP_REPORT_FIRST_INDEX + 1u], index.y);
  }
}

void vkp_report(uvec2 report, uint code, uvec2 index) { vkp_report(report, code, index, 1u); }

// Reports the findings of all lanes by one of them, so that data full of errors cost little more
// than other data. Call this in subgroup-uniform control flow with all lanes active.
void vkp_report_subgroup(uvec2 report, uint code, uvec2 index, uint findings) {
  if (report == uvec2(0u)) return;
  const uint all = subgroupAdd(findings);
  if (all == 0u) return;
  if (gl_SubgroupInvocationID == subgroupBallotFindLSB(subgroupBallot(findings != 0u))) {
    vkp_report(report, code, index, all);
  }
}

#endif

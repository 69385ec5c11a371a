// The results of long rows, put together from those of their parts: a workgroup for each row, known by its first milestone.
// Rows whose milestones the table does not have (long_rows.glsl) it does alone.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/part_numbers.glsl"
#include "vkprims/workgroup.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer SharedBits { nonprivate uint v; };

// Rows that this workgroup has found, and how many.
shared uint listed[gl_WorkGroupSize.x];
shared uint listed_count;

// Number of an invocation, by subgroup and lane, as folds have it.
uint own_index() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

void store_result(uint row, VkpText t, VkpText what, Finding x) {
  if (gl_LocalInvocationIndex != 0u) return;
  const int start = arguments().v.start;
  const int stop = arguments().v.stop;
  if (is_predicate()) {
    const bool holds = predicate() == VKP_STRINGS_CONTAINS ? x.n != 0u || what.bytes == 0u : x.n == 0u;
    const uvec2 word = vkp_add64(vkp_u64(push.out_offsets), 4u * (row / 32u));
    if (holds) atomicOr(SharedBits(word).v, 1u << (row & 31u), gl_ScopeQueueFamily, 0, 0);
    return;
  }
  uint number = x.n;
  if (operation == VKP_STRINGS_COUNT_TOKENS) number += uint(what.bytes != 0u);  // one more than delimiters
  if (finds() && what.bytes != 0u) number = x.found == NONE ? NONE : x.found - 1u;
  if (finds() && what.bytes == 0u) {
    const int last = stop < 0 ? int(x.n) : min(stop, int(x.n));
    number = uint(start > int(x.n) ? -1 : operation == VKP_STRINGS_FIND ? start : last);
  }
  VkpWords(vkp_add64(vkp_u64(push.out_offsets), vkp_mul64(row, 4u))).v[0] = number;
}

// All parts one after the other, as many at a time as there are subgroups. (Twice each where it matters which characters
// come before.)
void do_row_alone(uint row, VkpText t, VkpText what) {
  if (operation == VKP_STRINGS_LONG_BEFORE) return;
  const uint turns = (t.bytes + gl_NumSubgroups * VKP_STRINGS_PART_BYTES - 1u) / (gl_NumSubgroups * VKP_STRINGS_PART_BYTES);
  const uint times = in_window() ? 2u : 1u;
  Finding all = vkp_identity();
  uint before = 0u;
  for (uint turn = 0u; turn < times * turns; ++turn) {
    const bool counts = (turn + 1u) % times != 0u;
    const uint begin = min((turn / times * gl_NumSubgroups + gl_SubgroupID) * VKP_STRINGS_PART_BYTES, t.bytes);
    const uint end = min(begin + VKP_STRINGS_PART_BYTES, t.bytes);
    const VkpGroupScan scan = vkp_scan_subgroups(finding_of_part(t, what, begin, end, before, counts));
    before = all.n + scan.before.n;
    if (!counts) all = vkp_combine(all, scan.total);
  }
  store_result(row, t, what, all);
}

const uint AT_ONCE = 4;

// From what the parts have left; false: some are not there.
bool put_together(uint row, VkpText t, out Finding all, out Finding ahead, out uint first, out uint end) {
  const Milestones m = milestones_of_row(push.a, t);
  const uint run = (m.parts + gl_WorkGroupSize.x * AT_ONCE - 1u) / (gl_WorkGroupSize.x * AT_ONCE) * AT_ONCE;
  first = m.first + min(own_index() * run, m.parts);
  end = m.first + min((own_index() + 1u) * run, m.parts);
  Finding own = vkp_identity();
  for (uint i = 0u; i < run; i += AT_ONCE) {
    [[unroll]] for (uint j = 0u; j < AT_ONCE; ++j) {
      const uint k = first + i + j;
      if (k < end) {
        const uvec2 x = VkpWords2(finding_at(k)).v[0];
        own = vkp_combine(own, Finding(x.x, x.y, uint(row_of_milestone(rows_table(), k) != row)));
      }
    }
  }
  const VkpGroupScan scan = vkp_scan_workgroup(own);
  all = scan.total;
  ahead = scan.before;
  return all.missing == 0u;
}

void store_characters_before(uint first, uint end, uint n) {
  for (uint i = first; i < end; i += AT_ONCE) {
    [[unroll]] for (uint j = 0u; j < AT_ONCE; ++j) {
      const uint k = min(i + j, end - 1u);
      if (i + j < end) VkpWords(before_at(k)).v[0] = n;
      n += VkpWords2(finding_at(k)).v[0].y;
    }
  }
}

// ---- Texts that overlap themselves.

// From part to part, and span to span.
uint count_by_entries(Milestones m, uint entries) {
  const uint end = m.first + m.parts;
  uint n = 0u;
  uint entry = 0u;
  for (uint k = m.first; k < end;) {
    const uint span = k / VKP_STRINGS_SPAN_PARTS;
    const bool by_span = k % VKP_STRINGS_SPAN_PARTS == 0u && end - k >= VKP_STRINGS_SPAN_PARTS;
    follow(VkpWords(by_span ? span_ways_at(span, entries) : ways_at(k, entries)).v[entry], n, entry);
    k += by_span ? VKP_STRINGS_SPAN_PARTS : 1u;
  }
  return n;
}

// In all parts that have the text, as far as that is known: each subgroup the same.
uint count_by_walking(VkpText t, VkpText what, Milestones m, bool parts_are_there) {
  uint n = 0u;
  uint next = 0u;
  for (uint first = 0u; first < m.parts; first += gl_SubgroupSize) {
    const uint i = first + gl_SubgroupInvocationID;
    bool has_some = i < m.parts;
    if (has_some && parts_are_there) has_some = VkpWords2(finding_at(m.first + i)).v[0].y != 0u;
    const uvec4 ballot = subgroupBallot(has_some);
    if (ballot == uvec4(0u)) continue;
    for (uint lane = 0u; lane < gl_SubgroupSize; ++lane) {
      if (!subgroupBallotBitExtract(ballot, lane)) continue;
      uint begin, end;
      part_of_row(t, m, first + lane, begin, end);
      uint marks[MOST_TURNS];
      marks_of_part(t, what, begin, end, true, marks);
      walk_part(t, true, marks, what, begin, end, next, n);
    }
  }
  return n;
}

uint count_overlapping(VkpText t, VkpText what, bool parts_are_there) {
  const Milestones m = milestones_of_row(push.a, t);
  return parts_are_there && has_entries(what) ? count_by_entries(m, what.bytes) : count_by_walking(t, what, m, parts_are_there);
}

void do_row(uint row, bool parts_are_there) {
  const VkpText t = vkp_row_text(push.a, row);
  const VkpText what = text_for(row);
  bool done = false;
  if (parts_are_there) {
    Finding all, ahead;
    uint first, end;
    done = put_together(row, t, all, ahead, first, end);
    if (done && operation == VKP_STRINGS_LONG_BEFORE) {
      store_characters_before(first, end, ahead.n);
    } else if (done && !overlaps()) {
      store_result(row, t, what, all);
    }
  }
  if (overlaps()) {
    store_result(row, t, what, Finding(NONE, count_overlapping(t, what, done), 0u));
  } else if (!done) {
    do_row_alone(row, t, what);
  }
}

// Does rows that some invocations have found. (All make the same turns, for lavapipe: vkprims/README.md.)
void do_rows(bool found, uint row, bool parts_are_there) {
  barrier();
  if (gl_LocalInvocationIndex == 0u) listed_count = 0u;
  barrier();
  if (found) atomicStore(listed[atomicAdd(listed_count, 1u, gl_ScopeWorkgroup, 0, 0)], row, gl_ScopeWorkgroup, 0, 0);
  barrier();
  const uint n = listed_count;
  for (uint i = 0u; i < n; ++i) do_row(atomicLoad(listed[i], gl_ScopeWorkgroup, 0, 0), parts_are_there);
}

bool is_asked(uint row) {
  if (!vkp_valid(push.a, row) || of_column() && !vkp_valid(push.b, row)) return false;
  return is_for_team(vkp_row_text(push.a, row), text_for(row));
}

void main() {
  const uint groups = gl_NumWorkGroups.x;
  const uint milestones = milestone_count();
  const uint each = groups * gl_WorkGroupSize.x;
  const uint of_milestones = (milestones + each - 1u) / each;
  const bool some_unknown = arguments().v.unfit != 0u && operation != VKP_STRINGS_LONG_BEFORE;
  const uint of_rows = some_unknown ? (push.rows + each - 1u) / each : 0u;
  for (uint round = 0u; round < of_milestones + of_rows; ++round) {
    const bool by_milestone = round < of_milestones;
    // (Neighbours are done by different workgroups at the same time.)
    const uint i = (by_milestone ? round : round - of_milestones) * each + groups * gl_LocalInvocationIndex + gl_WorkGroupID.x;
    uint row = by_milestone ? VKP_NO_ROW : i;
    if (by_milestone && i < milestones) row = row_of_milestone(rows_table(), i);
    bool found = row < push.rows && is_asked(row);
    if (found) {
      const bool is_first = milestones_of_row(push.a, vkp_row_text(push.a, row)).first == i;
      found = by_milestone ? is_first : !is_known(rows_table(), push.a, row, vkp_row_text(push.a, row));
    }
    do_rows(found, row, by_milestone);
  }
}

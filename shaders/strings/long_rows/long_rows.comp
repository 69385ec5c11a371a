// This kernel makes the list of the units of long rows: see long_rows.glsl. An invocation looks at
// some rows; a workgroup takes the places of all units of its rows at once.
//
// Variant `rows` lists all long rows. The others list those that a lane would walk through for
// long: `heads` those whose first 16 characters are not among their first bytes, for
// slice/head.comp; `ends` those of which nothing stays among the first bytes, or among the last
// ones, when they are stripped.
// %VARIANT% OF rows|heads|ends
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require

#define VKP_T uint
#define VKP_WORDS 1
void vkp_pack(uint x, out uint w[1]) { w[0] = x; }
uint vkp_unpack(uint w[1]) { return w[0]; }
uint vkp_identity() { return 0u; }
uint vkp_combine(const uint left, const uint right) { return left + right; }

#include "strings/long_rows.glsl"
#ifdef VKP_OF_ends
#include "strings/strip/marks.glsl"
#else
#include "strings/character_marks.glsl"
#endif
#include "vkprims/workgroup/workgroup.glsl"

const uint ROWS = VKP_STRINGS_ROWS;
const uint LOOKED_AT = 256;  // bytes of an end of a row that are looked at
const uint TILE_ROWS = gl_WorkGroupSize.x * ROWS;

// The number of units up to the end of each of this workgroup's rows.
shared uint unit_ends[TILE_ROWS];
shared uint taken;

uint own() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

// Nothing is to be done where a kernel that has tried to make the whole result has succeeded.
bool is_asked() {
  return (vkp_arguments().v.flags & VKP_STRINGS_WAS_TRIED) == 0u || vkp_arguments().v.unfit != 0u;
}

bool is_listed(uint row, VkpText t) {
  if (t.bytes < VKP_STRINGS_LONG || !vkp_valid(vkp_push.a, row)) return false;
#ifdef VKP_OF_rows
  return true;
#else
  uint first = 0u;  // marks among the first bytes
  uint last = 0u;   // marks among the last bytes
  for (uint i = 0u; i < LOOKED_AT; i += 32u) {
    first += bitCount(marks_of_part(t, i, i + 32u).x);
#ifdef VKP_OF_ends
    if (first != 0u && last != 0u) return false;
    const uint end = t.bytes - i;
    last += bitCount(marks_of_part(t, end - 32u, end).x);
#else
    if (first > 16u) return false;
#endif
  }
#ifdef VKP_OF_ends
  return first == 0u || last == 0u;
#else
  return first <= 16u;
#endif
#endif
}

// Stores where the units of a row begin. The words of a slot are read by later dispatches only, so
// relaxed order is enough. A row that finds no slot is not known.
void insert(uint row, uint first) {
  uint slot = first_slot(row);
  for (uint i = 0u; i < MOST_PROBES; ++i) {
    const uvec2 at = vkp_add64(slots_address(), vkp_mul64(slot, 8u));
    if (atomicCompSwap(VkpSharedWords(at).v[0], 0u, row + 1u, gl_ScopeQueueFamily, 0, 0, 0, 0) ==
        0u) {
      VkpWords(at).v[1] = first;
      return;
    }
    slot = slot_behind(slot);
  }
}

// Returns the first row that ends behind unit `u` of the workgroup's.
uint row_of_unit(uint u) {
  uint low = 0u;
  for (uint step = TILE_ROWS / 2u; step != 0u; step /= 2u) {
    if (atomicLoad(unit_ends[low + step - 1u], gl_ScopeWorkgroup, 0, 0) <= u) low += step;
  }
  return low;
}

void main() {
  const uint first_row = vkp_group_index() * TILE_ROWS;
  if (first_row >= vkp_push.rows || !is_asked()) return;
  uint units[ROWS];
  uint sum = 0u;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint row = min(first_row + own() * ROWS + r, vkp_push.rows - 1u);
    const VkpText t = vkp_row_text(vkp_push.a, row);
    const bool exists = first_row + own() * ROWS + r < vkp_push.rows;
    units[r] = 0u;
    if (exists && is_listed(row, t)) units[r] = units_of(t);
    sum += units[r];
  }
  const VkpGroupScan scan = vkp_scan_workgroup(sum);
  if (scan.total == 0u) return;
  if (gl_LocalInvocationIndex == 0u) {
    taken = atomicAdd(VkpSharedWords(long_header()).v[0], scan.total, gl_ScopeQueueFamily, 0, 0);
  }
  uint end = scan.before;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    end += units[r];
    atomicStore(unit_ends[own() * ROWS + r], end, gl_ScopeWorkgroup, 0, 0);
  }
  barrier();
  const uint first = taken;
  const bool fits = first < unit_capacity() && scan.total <= unit_capacity() - first;
  const uint here = min(scan.total, unit_capacity() - min(first, unit_capacity()));
  for (uint i = 0u; i < here; i += gl_WorkGroupSize.x) {
    const uint u = i + own();
    if (u >= here) continue;
    const uint k = row_of_unit(u);
    uint begin = 0u;
    if (k != 0u) begin = atomicLoad(unit_ends[k - 1u], gl_ScopeWorkgroup, 0, 0);
    VkpWords2(units_address()).v[first + u] = uvec2(fits ? first_row + k : NO_ROW, u - begin);
  }
  if (!fits) return;
  uint begin = scan.before;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    if (units[r] != 0u) insert(first_row + own() * ROWS + r, first + begin);
    begin += units[r];
  }
}

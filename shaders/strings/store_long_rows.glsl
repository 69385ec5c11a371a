// Long rows, behind the kernel that left them out (row_tiles.glsl), whose offsets are there: a workgroup for each span of the room
// for the result.
//
// A workgroup looks up the rows that have bytes in its span. Of a long one it makes as large a part as there are workgroups that
// meet it, whichever bytes of the result these are: parts are of equally many bytes of the row that is read.
//
// Needs
//   bool may_be_long(uint row)                the row is not null
//   void store_part(uint row, VkpText t, uint begin, uint end, uvec2 position)
//                                             bytes begin … end - 1 of a row that begins at `position` of the result. By the
//                                             whole workgroup
#ifndef STRINGS_STORE_LONG_ROWS_GLSL
#define STRINGS_STORE_LONG_ROWS_GLSL

#include "strings/strings.glsl"

void store_part(uint row, VkpText t, uint begin, uint end, uvec2 position);

// Where row `row` begins in the result.
uvec2 offset_of(uint row) {
  const uvec2 offsets = vkp_u64(push.out_offsets);
  if ((push.format & VKP_STRINGS_WIDE) != 0u) return VkpWords2(vkp_add64(offsets, vkp_mul64(row, 8u))).v[0];
  return uvec2(VkpWords(vkp_add64(offsets, vkp_mul64(row, 4u))).v[0], 0u);
}

// The last row from `first` on that begins at byte `at` or before, as row `first` does.
uint row_at(uint first, uvec2 at) {
  uint low = first;
  uint high = push.rows;
  while (high - low > 1u) {
    const uint middle = low + (high - low) / 2u;
    if (vkp_less64(at, offset_of(middle))) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return low;
}

bool is_long(uint row) {
  return vkp_valid(push.a, row) && vkp_row_text(push.a, row).bytes > VKP_STRINGS_LONG &&
         vkp_less64(offset_of(row), offset_of(row + 1u));
}

// The part of this workgroup, `group`, of a long row, of whose bytes those before `end` are stored.
void store_share(uint row, uint group, uvec2 end) {
  const VkpText t = vkp_row_text(push.a, row);
  const uint shift = arguments().v.span_shift;
  const uvec2 position = offset_of(row);
  const uint first = vkp_shr64(position, shift).x;
  const uint last = vkp_shr64(vkp_sub64(vkp_min64(offset_of(row + 1u), end), uvec2(1u, 0u)), shift).x;
  const uint each = (t.bytes / (last - first + 1u) + 32u) & ~31u;
  const uint begin = min((group - first) * each, t.bytes);
  store_part(row, t, begin, min(begin + each, t.bytes), position);
}

shared uint next_long;

void store_long_rows() {
  const uint group = vkp_group_index();
  const uint shift = arguments().v.span_shift;
  if (push.rows == 0u) return;
  const uvec2 end = vkp_min64(vkp_u64(push.capacity), offset_of(push.rows));
  const uvec2 begin = vkp_shl64(uvec2(group, 0u), shift);
  const uvec2 behind = vkp_min64(end, vkp_add64(begin, 1u << shift));
  if (!vkp_less64(begin, end)) return;
  uint first = row_at(0u, begin);
  // As many rows at a time as there are invocations; those without bytes are skipped.
  while (first < push.rows && vkp_less64(offset_of(first), behind)) {
    const uint row = first + gl_LocalInvocationIndex;
    bool waits = false;
    if (row < push.rows && row >= first) waits = vkp_less64(offset_of(row), behind) && is_long(row);
    while (true) {
      barrier();
      next_long = ~0u;
      barrier();
      if (waits) atomicMin(next_long, row, gl_ScopeWorkgroup, 0, 0);
      barrier();
      const uint next = atomicLoad(next_long, gl_ScopeWorkgroup, 0, 0);
      if (next == ~0u) break;
      if (next == row) waits = false;
      store_share(next, group, end);
    }
    if (push.rows - first <= gl_WorkGroupSize.x) break;
    const uvec2 at = offset_of(first + gl_WorkGroupSize.x);
    if (!vkp_less64(at, behind)) break;
    first = row_at(first + gl_WorkGroupSize.x, at);
  }
}

#endif

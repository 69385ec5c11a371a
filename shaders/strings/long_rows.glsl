// Long rows, of VKP_STRINGS_PART_BYTES and more: which ones there are, and how they are cut into parts.
//
// Every VKP_STRINGS_PART_BYTES bytes of the chars of a column is a milestone, number k at byte k * VKP_STRINGS_PART_BYTES. A
// long row has at least one. The table (long_rows.comp writes it before) has a word for each: the row that it lies in, or
// VKP_NO_ROW where that is not long or null. So nothing is counted and no memory has to be zero.
//
// Part k of a row is what it has from milestone k to the next one; the first part begins with the row, so it may be nearly
// twice as long. A part is the work of a subgroup, which leaves what it found at number k of another table.
//
// Rows may overlap, or lie in no order, where offsets are hostile: then a milestone lies in several rows, or is not found,
// and the table does not have all milestones of a row. Whoever puts parts together asks for each whether its word is the
// row, and else does the row alone: right, but the time follows the sum of the bytes of such rows.
#ifndef STRINGS_LONG_ROWS_GLSL
#define STRINGS_LONG_ROWS_GLSL

#include "strings/long_rows.abi.h"
#include "vkprims/strings.glsl"

bool is_long(VkpText t) { return t.bytes >= VKP_STRINGS_PART_BYTES; }

// Milestones of a column, of which byte k * VKP_STRINGS_PART_BYTES is there.
uint milestones_of(VkpStrings column) {
  return vkp_shr64(vkp_add64(vkp_u64(column.bytes), VKP_STRINGS_PART_BYTES - 1u), VKP_STRINGS_PART_SHIFT).x;
}

// The milestones first … first + parts - 1 of a long row.
struct Milestones {
  uint first;
  uint parts;
  uint ahead;  // bytes of the row before the first one
};

Milestones milestones_of_row(VkpStrings column, VkpText t) {
  const uvec2 begin = vkp_sub64(t.at, vkp_u64(column.chars));
  const uint ahead = (0u - begin.x) & (VKP_STRINGS_PART_BYTES - 1u);
  const uint first = vkp_shr64(vkp_add64(begin, ahead), VKP_STRINGS_PART_SHIFT).x;
  return Milestones(first, (t.bytes - ahead + VKP_STRINGS_PART_BYTES - 1u) / VKP_STRINGS_PART_BYTES, ahead);
}

// Bytes begin … end - 1 of a row: its part number `i`, from 0 on.
void part_of_row(VkpText t, Milestones m, uint i, out uint begin, out uint end) {
  begin = i == 0u ? 0u : m.ahead + i * VKP_STRINGS_PART_BYTES;
  end = min(m.ahead + (i + 1u) * VKP_STRINGS_PART_BYTES, t.bytes);
}

// The row of a milestone of the table at an address.
uint row_of_milestone(uvec2 table, uint k) { return VkpWords(vkp_add64(table, vkp_mul64(k, 4u))).v[0]; }

// Whether the table has the first milestone of a row: then somebody puts its parts together, or does it alone. Of others
// whoever meets them has to take care.
bool is_known(uvec2 table, VkpStrings column, uint row, VkpText t) {
  return row_of_milestone(table, milestones_of_row(column, t).first) == row;
}

#endif

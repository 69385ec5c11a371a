// Long rows of column a, of VKP_STRINGS_LONG bytes and more, and how they are cut into units: so that no lane has to do one.
//
// long_rows.comp goes first: it makes a list of the units of all long rows, those of a row one after the other, and says for each
// row with which unit it begins. unit_sums.comp leaves what the units before each unit add up to: of how many characters, say. From
// that others know what there is to know of a row without looking at more of it than one unit (long_sums.glsl).
//
// A row is known if it is in the list. Null rows are not, nor are some where rows overlap so much that there is no room for all
// their units, which Arrow forbids: such a row is done by the lane that meets it, in as many turns as it has bytes.
//
// The tables: a header, and slots, in which the rows are looked up by a hash of their numbers; elsewhere the units, a result for each,
// and the sums. They are all written by dispatches before those that read them.
#ifndef STRINGS_LONG_ROWS_GLSL
#define STRINGS_LONG_ROWS_GLSL

#include "vkprims/strings/strings.glsl"

const uint NO_ROW = 0xffffffffu;
const uint MOST_PROBES = 32;

uvec2 long_header() { return vkp_u64(arguments().v.long_rows); }
uint unit_capacity() { return arguments().v.unit_capacity; }
uint unit_shift() { return arguments().v.unit_shift; }
uint unit_bytes() { return 1u << unit_shift(); }

// Units in the list; some of them may be of no row.
uint unit_count() { return min(VkpWords(long_header()).v[0], unit_capacity()); }

// Two words each: a row and its first unit, or 0; the row of a unit and its number in the row; a result.
uvec2 slots_address() { return vkp_add64(long_header(), VKP_STRINGS_LONG_HEADER_BYTES); }
uvec2 units_address() { return vkp_u64(arguments().v.long_units); }
uvec2 results_address() { return vkp_add64(units_address(), vkp_mul64(unit_capacity(), 8u)); }
uvec2 sums_address() { return vkp_add64(results_address(), vkp_mul64(unit_capacity() + 1u, 8u)); }

uint first_slot(uint row) {
  uint high, low;
  umulExtended(row * 0x9e3779b1u, unit_capacity(), high, low);
  return high;
}
uint slot_behind(uint slot) { return slot + 1u == unit_capacity() ? 0u : slot + 1u; }

// The units of a row.
struct LongRow {
  uint first, units;
};
const LongRow UNKNOWN = LongRow(0u, 0u);
bool is_known(LongRow x) { return x.units != 0u; }

uint units_of(VkpText t) { return (t.bytes - 1u >> unit_shift()) + 1u; }

// Looks up the units of a row, which must not be null.
LongRow long_row(const uint row, const VkpText t) {
  if (VKP_NO_LONG_ROWS || t.bytes < VKP_STRINGS_LONG || long_header() == uvec2(0u)) return UNKNOWN;
  uint slot = first_slot(row);
  for (uint i = 0u; i < MOST_PROBES; ++i) {
    const uvec2 entry = VkpWords2(slots_address()).v[slot];
    if (entry.x == row + 1u) return LongRow(entry.y, units_of(t));
    if (entry.x == 0u) break;
    slot = slot_behind(slot);
  }
  return UNKNOWN;
}

// A unit of the list: bytes begin … end - 1 of a row.
struct LongUnit {
  uint row;  // NO_ROW: none
  LongRow of;
  VkpText text;  // of the row
  uint begin, end;
};

LongUnit unit_at(uint u) {
  const uvec2 entry = VkpWords2(units_address()).v[u];
  LongUnit x = LongUnit(entry.x, UNKNOWN, vkp_no_text(), 0u, 0u);
  if (x.row == NO_ROW) return x;
  x.text = vkp_row_text(push.a, x.row);
  x.of = LongRow(u - entry.y, units_of(x.text));
  x.begin = entry.y << unit_shift();
  x.end = x.begin + min(unit_bytes(), x.text.bytes - x.begin);
  return x;
}

// What a kernel leaves for a row at its first unit.
uvec2 result_of(const LongRow x) { return VkpWords2(results_address()).v[x.first]; }

// What is left of a row that is cut to some of its bytes; none of it: it becomes null.
const uint NO_CUT = 0xffffffffu;
bool cut_known(LongRow x, inout VkpText t) {
  const uvec2 cut = result_of(x);
  const bool there = cut.y != NO_CUT;
  t = vkp_substr(t, cut.x, there ? cut.y : 0u);
  return there;
}

#endif

// Long rows of column a, which have VKP_STRINGS_LONG bytes or more, are cut into units so that no
// lane has to process a whole one.
//
// long_rows.comp runs first: it makes a list of the units of all long rows, with the units of a row
// one after the other, and records for each row with which unit it begins. unit_sums.comp then
// stores what the units before each unit add up to, for example the number of characters. From
// these sums other kernels learn what they need about a row without looking at more than one of its
// units (long_sums.glsl).
//
// A row is known if it is in the list. Null rows are not in it. Where rows overlap so much, which
// Arrow forbids, that there is no room for all their units, some rows are missing, too: such a row
// is processed by the lane that meets it, in a number of turns proportional to its bytes.
//
// The tables are a header and slots, in which rows are looked up by a hash of their numbers, and,
// elsewhere, the units, a result for each unit, and the sums. All of them are written by dispatches
// before those that read them.
#ifndef STRINGS_LONG_ROWS_GLSL
#define STRINGS_LONG_ROWS_GLSL

#include "vkprims/strings/strings.glsl"

const uint NO_ROW = 0xffffffffu;
const uint MOST_PROBES = 32;

uvec2 long_header() { return vkp_u64(vkp_arguments().v.long_rows); }
uint unit_capacity() { return vkp_arguments().v.unit_capacity; }
uint unit_shift() { return vkp_arguments().v.unit_shift; }
uint unit_bytes() { return 1u << unit_shift(); }

// The number of units in the list; some of them may belong to no row.
uint unit_count() { return min(VkpWords(long_header()).v[0], unit_capacity()); }

// Each entry has two words. A slot has a row + 1, or 0 if it is empty, and the row's first unit; a
// unit has its row and its number in that row; a result has what a kernel stores for a row.
uvec2 slots_address() { return vkp_add64(long_header(), VKP_STRINGS_LONG_HEADER_BYTES); }
uvec2 units_address() { return vkp_u64(vkp_arguments().v.long_units); }
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
  uint row;  // NO_ROW: there is none
  LongRow of;
  VkpText text;  // the whole text of the row
  uint begin, end;
};

LongUnit unit_at(uint u) {
  const uvec2 entry = VkpWords2(units_address()).v[u];
  LongUnit x = LongUnit(entry.x, UNKNOWN, vkp_no_text(), 0u, 0u);
  if (x.row == NO_ROW) return x;
  x.text = vkp_row_text(vkp_push.a, x.row);
  x.of = LongRow(u - entry.y, units_of(x.text));
  x.begin = entry.y << unit_shift();
  x.end = x.begin + min(unit_bytes(), x.text.bytes - x.begin);
  return x;
}

// What a kernel stored for a row, in the place of its first unit.
uvec2 result_of(const LongRow x) { return VkpWords2(results_address()).v[x.first]; }

// Cuts the text of a row to the bytes that are left of it. Returns false if none are left, and the
// row becomes null.
const uint NO_CUT = 0xffffffffu;
bool cut_known(LongRow x, inout VkpText t) {
  const uvec2 cut = result_of(x);
  const bool there = cut.y != NO_CUT;
  t = vkp_substr(t, cut.x, there ? cut.y : 0u);
  return there;
}

#endif

// Marks of what numbers.comp, contains.comp and matches.comp ask of rows, for long_sums.glsl: where
// the text is, and, for finding, where characters begin.
#ifndef STRINGS_NUMBER_MARKS_GLSL
#define STRINGS_NUMBER_MARKS_GLSL

#include "vkprims/strings/strings.glsl"
#include "strings/text_marks.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint operation = 0;

bool is_predicate() { return (operation & VKP_STRINGS_LONG_PREDICATE) != 0u; }
uint predicate() { return operation & 3u; }
bool of_column() { return is_predicate() && (operation & VKP_STRINGS_OF_COLUMN) != 0u; }
bool compares() { return is_predicate() && predicate() != VKP_STRINGS_CONTAINS; }
bool finds() { return operation == VKP_STRINGS_FIND || operation == VKP_STRINGS_RFIND; }
bool counts_words(VkpText what) {
  return operation == VKP_STRINGS_COUNT_TOKENS && what.bytes == 0u;
}

// Returns the text that is looked for in a row.
VkpText text_for(uint row) {
  return of_column() ? vkp_row_text(vkp_push.b, row) : vkp_scalar_text();
}

// Returns the byte at which the text is compared. A text that is longer than the row is refused
// elsewhere.
uint place_of(const VkpText t, const VkpText what) {
  return predicate() == VKP_STRINGS_ENDS_WITH ? t.bytes - min(t.bytes, what.bytes) : 0u;
}

// Returns whether some of the bytes are not those of the text that is compared.
uint differences(VkpText t, VkpText what, uint begin, uint end) {
  const uint place = place_of(t, what);
  const uint first = max(begin, place);
  const uint last = min(end, place + min(what.bytes, t.bytes));
  if (first >= last) return 0u;
  return uint(!vkp_is_at(what, first - place, vkp_substr(t, first, last - first)));
}

uint marked_row;  // row whose marks are asked for

uvec2 marks_of_part(const VkpText t, const uint begin, const uint end) {
  const VkpText what = text_for(marked_row);
  uvec2 marks = uvec2(0u);
  if (finds() || operation == VKP_STRINGS_COUNT_CHARACTERS) {
    marks.y = character_starts(t, begin, end);
  }
  if (operation == VKP_STRINGS_COUNT_CHARACTERS) return marks;
  if (compares()) {
    marks.x = differences(t, what, begin, end);
  } else if (counts_words(what)) {
    marks.x = word_marks(t, begin, end).x;
  } else if (what.bytes != 0u) {
    marks.x = text_marks(t, what, begin, end);
  }
  return marks;
}

#endif

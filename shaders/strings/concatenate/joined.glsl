// Rows behind each other, with a separator between them, for both kernels of concatenate: the texts
// of the separator and of nulls; and, except with VKP_COLUMNS_many, a row of up to two columns, of
// which all is known at once.
#ifndef STRINGS_JOINED_GLSL
#define STRINGS_JOINED_GLSL

const uint REPLACES_NULLS = VKP_STRINGS_REPLACES_NULLS;
const uint NO_SEPARATOR_AT_NULLS = VKP_STRINGS_NO_SEPARATOR_AT_NULLS;

VkpText separator, replacement;

bool replaces_nulls() { return (vkp_arguments().v.flags & REPLACES_NULLS) != 0u; }
bool keeps_separators() { return (vkp_arguments().v.flags & NO_SEPARATOR_AT_NULLS) == 0u; }

void load_texts() {
  separator = vkp_scalar_text();
  replacement = vkp_second_text();
}

#ifndef VKP_COLUMNS_many

#define VKP_MOST_PIECES 3u

#define VKP_STRING_ROW Row
struct Row {
  VkpText first, separator, second;
};

// There are no branches, so that what several rows load is on its way together.
bool vkp_evaluate(uint row, out Row x) {
  const bool two = vkp_arguments().v.columns == 2u;
  VkpStrings other = vkp_push.b;
  if (!two) other = vkp_push.a;
  x = Row(vkp_row_text(vkp_push.a, row), vkp_no_text(), vkp_row_text(other, row));
  const bool has_first = vkp_valid(vkp_push.a, row);
  const bool has_second = vkp_valid(other, row);
  if (!has_first) x.first = replacement;
  if (!has_second) x.second = replacement;
  if (keeps_separators() || has_first && has_second) x.separator = separator;
  if (!two) x.separator = x.second = vkp_no_text();
  return has_first && has_second || replaces_nulls();
}

VkpText vkp_piece(const Row x, const uint row, const uint k) {
  if (k == 1u) return x.separator;
  if (k == 0u) return x.first;
  return x.second;
}

#endif

#endif

// Rows behind each other, with a separator between them, for both kernels of concatenate: the texts
// of the separator and of nulls; and, except with VKP_COLUMNS_many, a row of up to two columns, of
// which all is known at once.
#ifndef STRINGS_JOINED_GLSL
#define STRINGS_JOINED_GLSL

const uint REPLACES_NULLS = VKP_STRINGS_REPLACES_NULLS;
const uint NO_SEPARATOR_AT_NULLS = VKP_STRINGS_NO_SEPARATOR_AT_NULLS;

VkpText separator, replacement;

bool replaces_nulls() { return (arguments().v.flags & REPLACES_NULLS) != 0u; }
bool keeps_separators() { return (arguments().v.flags & NO_SEPARATOR_AT_NULLS) == 0u; }

void load_texts() {
  separator = scalar_text();
  replacement = second_text();
}

#ifndef VKP_COLUMNS_many

#define MOST_PIECES 3u

struct Row {
  VkpText first, separator, second;
};

// There are no branches, so that what several rows load is on its way together.
bool evaluate(uint row, out Row x) {
  const bool two = arguments().v.columns == 2u;
  VkpStrings other = push.b;
  if (!two) other = push.a;
  x = Row(vkp_row_text(push.a, row), vkp_no_text(), vkp_row_text(other, row));
  const bool has_first = vkp_valid(push.a, row);
  const bool has_second = vkp_valid(other, row);
  if (!has_first) x.first = replacement;
  if (!has_second) x.second = replacement;
  if (keeps_separators() || has_first && has_second) x.separator = separator;
  if (!two) x.separator = x.second = vkp_no_text();
  return has_first && has_second || replaces_nulls();
}

VkpText piece(const Row x, const uint row, const uint k) {
  if (k == 1u) return x.separator;
  if (k == 0u) return x.first;
  return x.second;
}

#endif

#endif

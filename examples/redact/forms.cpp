// Forms a, d and e: operations of the library, and a string kernel of the program's own.
#include "forms.hpp"

#include "redact_forms/rope.hpp"

namespace redact {

using namespace vkprims;

StringColumn by_chain(Recorder& r, const Input& in) {
  const StringColumn &names = in.names, &vis = in.visibilities;
  auto allowed = strings::contains(r, vis, "public");  // bits
  auto redacted = strings::copy_if_else(r, names, "X X", allowed);
  auto parts = strings::split(r, redacted, {.max_columns = 2});  // whitespace
  auto initial = strings::slice(r, parts[1], {.start = 0, .stop = 1});
  auto result = strings::concatenate(r, {initial, parts[0]}, {.separator = " "});
  return result;
}

// Rows of names of up to 24 bytes are made in registers: half of a name, and an initial.
strings::RopeDesc Forms::rope_desc(const StringColumn& names, Schedule schedule) {
  const std::uint32_t bytes = names.row_bytes();
  return rope::described({.rows = names.rows(),
                          .text = "X X",
                          .more_text = " ",
                          .row_bytes = bytes <= 24 ? bytes / 2 + 1 : bytes,
                          .schedule = schedule});
}

StringColumn Forms::by_rope(Recorder& r, const Input& in, Schedule schedule) const {
  return rope::make(r, rope_desc(in.names, schedule), {in.names, in.visibilities}, in.room(),
                    in.nullable());
}

}  // namespace redact

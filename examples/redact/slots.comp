// Writes each row that is not null into a slot of its own. Slot i begins at the last multiple of 4
// up to 8 i bytes behind where name i does. It has room for the name and 5 bytes more, in words
// that no other slot has.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "row.glsl"
#include "rows.glsl"

void main() {
  const uint row = invocation();
  if (row >= push.rows) return;
  Row x;
  uvec2 at = uvec2(0u);
  uint bytes = 0u;
  if (redact(push.names, push.visibilities, row, x)) {
    const uvec2 offset = vkp_sub64(vkp_row_text(push.names, row).at, vkp_u64(push.names.chars));
    // A name that would begin behind all names has no bytes.
    const uvec2 begin = vkp_add64(vkp_min64(offset, vkp_u64(push.names.bytes)), vkp_mul64(row, 8u));
    at = vkp_add64(vkp_u64(push.memory), uvec2(begin.x & ~3u, begin.y));
    bytes = redacted_bytes(x);
    write_redacted(x, at);
  }
  store_piece(row, at, bytes);
}

// Writes each row that is not null into memory from a heap.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "heap.glsl"
#include "row.glsl"
#include "rows.glsl"

void main() {
  const uint row = invocation();
  if (row >= push.rows) return;
  Row x;
  uvec2 at = uvec2(0u);
  uint bytes = 0u;
  if (redact(push.names, push.visibilities, row, x)) {
    bytes = redacted_bytes(x);
    at = heap_allocate(HeapAt(vkp_u64(push.memory)), bytes);
    if (at != uvec2(0u)) write_redacted(x, at);
  }
  store_piece(row, at, bytes);
}

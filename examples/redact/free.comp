// Gives the memory of all rows back to the heap.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "heap.glsl"
#include "rows.glsl"

void main() {
  const uint row = invocation();
  if (row >= push.rows) return;
  const uvec2 at = vkp_u64(piece_of(row).v.at);
  if (at != uvec2(0u)) heap_free(HeapAt(vkp_u64(push.memory)), at);
}

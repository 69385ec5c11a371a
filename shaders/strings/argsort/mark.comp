// Marks the rows that tie and are long: those whose blocks are wanted.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/argsort/argsort.glsl"
#include "strings/interned/interned.glsl"

void mark(uint row) {
  if (!vkp_valid(push.column, row)) return;
  const uint bytes = vkp_row_text(push.column, row).bytes;
  if (bytes < VKP_INTERNED_LONG_BYTES) return;
  const uvec2 interned = vkp_u64(push.interned);
  note_long_row(interned, bytes);
  const uvec2 marks =
      vkp_add64(vkp_sub64(interned, uvec2((push.rows + 31u) / 32u * 4u, 0u)), row / 32u * 4u);
  atomicAnd(VkpSharedWords(marks).v[0], ~(1u << (row & 31u)), gl_ScopeQueueFamily, 0, 0);
}

void main() {
  if (!has_long_rows(vkp_u64(push.interned))) return;
  const uint tied = tied_rows();
  [[dont_unroll]] for (uint i = 0u; i < VKP_ARGSORT_ITEMS; ++i) {
    const uint number =
        vkp_group_index() * VKP_ARGSORT_TILE + i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (number < tied) {
      const uint position = VkpWords(word_at(vkp_u64(push.positions), number)).v[0];
      mark(VkpWords(word_at(vkp_u64(push.order), position)).v[0]);
    }
  }
}

// Marks where groups begin in the order of the rows: at each row that differs from the row before
// in some column. Writes a bit for each row, and how many bits are set in each tile. There is one
// dispatch for each column.
// %VARIANT% VALUE word|pair
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "group_by/group_by/column.glsl"

layout(push_constant) uniform Push { GroupByColumnPush push; };

const uint WORDS = VKP_GROUP_BY_TILE / 32u;
shared uint heads[WORDS];
shared uint total;

// Null is a key of its own.
bool differs(uint i) {
  uint row = i;
  uint before = i - 1u;
  if (ordered) {
    row = load_word(vkp_u64(push.order), i);
    before = load_word(vkp_u64(push.order), i - 1u);
  }
  const bool keys = group_key(load_bits(vkp_u64(push.column), row)) !=
                    group_key(load_bits(vkp_u64(push.column), before));
  if (!nullable) return keys;
  const bool valid = is_valid(vkp_u64(push.validity), row);
  return valid != is_valid(vkp_u64(push.validity), before) || (valid && keys);
}

void main() {
  const uint rows = vkp_read_count(push.rows).x;
  const uint tile = vkp_group_index();
  const uint begin = tile * VKP_GROUP_BY_TILE;
  if (begin >= rows) return;
  const uvec2 base = vkp_add64(vkp_u64(push.result), vkp_mul64(tile, 4u * WORDS));
  if (gl_LocalInvocationIndex < WORDS) {
    heads[gl_LocalInvocationIndex] = further ? VkpWords(base).v[gl_LocalInvocationIndex] : 0u;
  }
  if (gl_LocalInvocationIndex == 0u) total = 0u;
  bool head[VKP_GROUP_BY_ROWS];
  [[unroll]] for (uint k = 0u; k < VKP_GROUP_BY_ROWS; ++k) {
    const uint i = begin + k * VKP_GROUP_BY_WORKGROUP + gl_LocalInvocationIndex;
    head[k] = i == 0u;
    if (i != 0u && i < rows) head[k] = differs(i);
  }
  barrier();
  [[unroll]] for (uint k = 0u; k < VKP_GROUP_BY_ROWS; ++k) {
    const uint at = k * VKP_GROUP_BY_WORKGROUP + gl_LocalInvocationIndex;
    if (head[k]) atomicOr(heads[at / 32u], 1u << (at % 32u));
  }
  barrier();
  if (gl_LocalInvocationIndex < WORDS) {
    const uint word = heads[gl_LocalInvocationIndex];
    VkpWords(base).v[gl_LocalInvocationIndex] = word;
    atomicAdd(total, bitCount(word));
  }
  barrier();
  if (gl_LocalInvocationIndex == 0u) store_word(vkp_u64(push.counts), tile, total);
}

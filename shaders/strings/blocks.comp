// What the bytes of all blocks before each block of column a add up to: see blocks.glsl. For kernels that cut rows (long_cuts.glsl)
// only blocks of long rows are looked at, lest whoever has none reads his column twice.
// %VARIANT% SUM growth|characters|neighbours|tokens|strip
#version 460
#extension GL_GOOGLE_include_directive : require

#define VKP_T uvec2  // two sums
#define VKP_WORDS 2
void vkp_pack(uvec2 x, out uint w[2]) { w = uint[](x.x, x.y); }
uvec2 vkp_unpack(uint w[2]) { return uvec2(w[0], w[1]); }
uvec2 vkp_identity() { return uvec2(0u); }
uvec2 vkp_combine(uvec2 left, uvec2 right) { return left + right; }

#include "strings/strings.glsl"
#include "vkprims/scan_folds.glsl"

#ifdef VKP_SUM_growth
#include "strings/case_growth.glsl"
#elif defined(VKP_SUM_tokens)
#include "strings/token_marks.glsl"
#elif defined(VKP_SUM_strip)
#include "strings/strip_marks.glsl"
#else
#include "strings/character_marks.glsl"
#endif
#include "strings/team_sums.glsl"

uvec2 fold_of_team(uvec2 sum) { return vkp_fold_subgroups(vkp_subgroup_fold(sum)); }

uvec2 sum_without_blocks(VkpText t, uint begin, uint end) {
  uvec2 sum = uvec2(0u);
  for (uint i = begin; i < end; i += 32u * gl_WorkGroupSize.x) {
    const uint from = i + 32u * gl_LocalInvocationIndex;
    if (from < end) sum += sum_of_part(t, from, min(from + 32u, end));
  }
  return fold_of_team(sum);
}

// Not where an attempt has made all.
bool is_asked() {
#ifdef VKP_SUM_growth
  return arguments().v.unfit != 0u;
#elif defined(VKP_SUM_characters)
  return (arguments().v.flags & VKP_STRINGS_WAS_TRIED) == 0u || arguments().v.unfit != 0u;
#else
  return true;
#endif
}

void main() {
  const uint k = vkp_group_index();
  const uint ahead = push.a.chars.lo - first_block().x;
  const uvec2 bytes = vkp_add64(vkp_u64(push.a.bytes), ahead);
  const uint blocks = vkp_shr64(vkp_add64(bytes, block_bytes() - 1u), arguments().v.block_shift).x;
  if (k >= blocks || !is_asked()) return;
  const uvec2 begin = vkp_mul64(k, block_bytes());
  uvec2 sum = uvec2(0u);
  uint row = VKP_NPOS;
#if defined(VKP_SUM_growth) || defined(VKP_SUM_characters)
  // The text begins with the byte before. (In block 0 there is none: no row of which it is a whole block begins before it.)
  if (k != 0u) {
    const VkpText t = VkpText(vkp_sub64(vkp_add64(first_block(), begin), uvec2(1u, 0u)),
                              1u + vkp_clamped_difference(bytes, begin, block_bytes() + bytes_behind()));
    sum = sum_without_blocks(t, 1u, min(t.bytes, 1u + block_bytes()));
  }
#else
  if (k != 0u && push.rows != 0u) {
    row = row_before(vkp_sub64(begin, uvec2(ahead, 0u)));
    const VkpText t = vkp_row_text(push.a, row);
    const Blocks x = blocks_of(t, 0u, t.bytes, bytes_behind());
    if (k >= x.first && k - x.first < x.count && vkp_valid(push.a, row)) {
      const uint from = x.begin + (k - x.first << arguments().v.block_shift);
      sum = sum_without_blocks(t, from, from + block_bytes());
    } else {
      row = VKP_NPOS;
    }
  }
#endif
  if (gl_LocalInvocationIndex == 0u) {
    vkp_store_shared_element(blocks_address(), k, sum);
    VkpWords(place_of_block(k)).v[0] = 0u;  // nothing is left there
    VkpWords(place_of_block(k)).v[3] = row;
  }
  const uvec2 counter = vkp_add64(vkp_u64(push.scratch), VKP_STRINGS_BLOCKS_DONE_OFFSET);
  if (!vkp_last_group(counter, blocks)) return;
  const uvec2 total = vkp_scan_folds(blocks_address(), blocks, uvec2(0u));
  if (gl_LocalInvocationIndex == 0u) vkp_store_element(blocks_address(), blocks, total);
}

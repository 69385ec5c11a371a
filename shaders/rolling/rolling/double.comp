// The middles of long windows, by doubling. From the folds of runs of 2^level blocks this kernel
// makes those of runs of twice as many, and it extends each middle by the next 2^level blocks if
// its number of blocks has that bit. So a middle of any length takes log2(blocks) dispatches over
// the blocks, of which there is one for thousands of elements.
//
// Block 0 is the first block that is not wholly before the sequence. A middle may be cut off at
// either end of the sequence, so each has its own number of blocks. It is filled from its right
// end, behind which comes the head of one more block.
// %VARIANT% WINDOW word|f32|count_word|count_f32|arg_word|var_f32|pair|f64|count_pair|count_f64|arg_pair|var_f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "rolling/rolling/monoids.glsl"
#include "vkprims/memory/elements.glsl"

layout(push_constant) uniform Push { RollingDoublePush push; };

Window load(const VkpU64 base, const int i) {
  return vkp_load_element(vkp_add64(vkp_u64(base), vkp_mul64(uint(i), VKP_BYTES)), 0u);
}
void store(VkpU64 base, int i, Window x) {
  vkp_store_element(vkp_add64(vkp_u64(base), vkp_mul64(uint(i), VKP_BYTES)), 0u, x);
}

void main() {
  const uvec2 n = vkp_read_count(push.count);
  if (n == uvec2(0u)) return;
  const int i = int(vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex);
  const uvec2 end = vkp_add64(vkp_sub64(n, vkp_u64(push.first)), (1u << push.block_shift) - 1u);
  const int blocks = (end.y & 0x80000000u) != 0u ? 0 : int(vkp_shr64(end, push.block_shift).x);
  const int length = 1 << push.level;
  if (i < blocks) {
    Window fold = load(push.from, i);
    if (i + length < blocks) fold = vkp_combine(fold, load(push.from, i + length));
    store(push.to, i, fold);
  }
  if (!vkp_less64(vkp_shl64(uvec2(uint(i), 0u), push.block_shift), n)) return;

  const int left = i + 1 - int(push.skipped);
  const int right = left + int(push.whole);
  const int whole = max(min(right, blocks) - max(left, 0), 0);
  Window middle = vkp_identity();
  if (push.level != 0u) {
    middle = load(push.middles, i);
  } else if (right >= 0 && right < blocks) {
    middle = load(push.heads, right);
  }
  if ((whole & length) != 0) {
    const int covered = whole & (length - 1);
    middle = vkp_combine(load(push.from, min(right, blocks) - covered - length), middle);
  }
  store(push.middles, i, middle);
}

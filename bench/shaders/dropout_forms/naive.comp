// Dropout as one writes it first: an invocation for each element, which uses one word of its block
// of four, and a byte of mask.
#version 460
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_buffer_reference : require
#include "form.glsl"

layout(buffer_reference, std430, buffer_reference_align = 1) buffer Bytes { uint8_t v[]; };

void main() {
  const uvec2 i = index();
  if (!vkp_less64(i, vkp_u64(push.count))) return;
  const uvec2 offset = vkp_shl64(i, 2u);
  const uvec4 words = vkp_rng_block(kRng, vkp_shr64(i, 2u), 10u);
  const bool keep = words[i.x & 3u] >= push.threshold;
  const float x = uintBitsToFloat(VkpWords(vkp_add64(vkp_u64(push.in_base), offset)).v[0]);
  VkpWords(vkp_add64(vkp_u64(push.out_base), offset)).v[0] = floatBitsToUint(dropped(x, keep));
  Bytes(vkp_add64(vkp_u64(push.mask), i)).v[0] = uint8_t(keep ? 1 : 0);
}

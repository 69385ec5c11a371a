// The chunk of a workgroup: 1 << group_shift workgroups share a source, and each has one chunk of
// it, which is contiguous. They are as many as a device runs at a time, so an invocation's loop
// iterations grow with the source; they exceed 4,096 beyond 2^28 elements on small devices.
#ifndef TOP_K_CHUNKS_GLSL
#define TOP_K_CHUNKS_GLSL

#include "sort/top_k/bins.glsl"
#include "sort/top_k/plan.glsl"

// The number of elements of a chunk, which is below 2^31 and a multiple of a batch.
uint chunk_items(Source s) {
  const uint step = vkp_group_batch_items();
  const uint share =
      vkp_shr64(vkp_add64(s.count, (1u << push.group_shift) - 1u), push.group_shift).x;
  return (max(share, 1u) + step - 1u) / step * step;
}

uvec2 chunk_first(Source s, uint chunk) { return vkp_mul64(chunk, chunk_items(s)); }

VkpSequence chunk_of(Source s, uint chunk) {
  const uvec2 first = chunk_first(s, chunk);
  return VkpSequence(vkp_add64(s.base, vkp_mul64(first, VKP_KEY_BYTES)),
                     vkp_clamped_difference(s.count, first, chunk_items(s)));
}

#endif

// Converts offsets of segments to bits: sets the bit of every element at which a segment begins, in
// words that are 0 before. Several offsets may have the same word or the same bit, so the bits are
// set by an atomic or. Offsets past the last element are left out.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan/segmented_scan/segmented_scan.abi.h"
#include "vkprims/memory/tile.glsl"

layout(constant_id = VKP_SEGMENTED_SCAN_SPEC_OFFSET_WORDS) const uint offset_words = 1;

layout(push_constant) uniform Push { SegmentedScanOffsetsPush push; };

void main() {
  const uvec2 segments = vkp_read_count(push.segments);
  if (segments == uvec2(0u)) return;
  const uvec2 count = vkp_read_count(push.count);
  const uint tile_offsets = gl_WorkGroupSize.x * vkp_rows * 4u;
  const uvec2 first = vkp_mul64(vkp_group_index(), tile_offsets);
  const uint valid = vkp_clamped_difference(vkp_add64(segments, 1u), first, tile_offsets);
  const uvec2 base = vkp_add64(vkp_u64(push.offsets), vkp_mul64(first, 4u * offset_words));
  [[unroll]] for (uint i = 0u; i < vkp_rows * 4u; ++i) {
    const uint at = vkp_move(i);
    if (at < valid) {
      const uvec2 offset =
          offset_words == 2u ? VkpWords2(base).v[at] : uvec2(VkpWords(base).v[at], 0u);
      if (vkp_less64(offset, count)) {
        const uvec2 word = vkp_mul64(vkp_shr64(offset, 5u), 4u);
        atomicOr(VkpSharedWords(vkp_add64(vkp_u64(push.bits), word)).v[0], 1u << (offset.x & 31u));
      }
    }
  }
}

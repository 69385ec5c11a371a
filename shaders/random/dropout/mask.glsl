// The elements of a strip that are kept: they are drawn, read from a mask or the same for all
// elements, and may be stored as a mask.
#ifndef VKPRIMS_DROPOUT_MASK_GLSL
#define VKPRIMS_DROPOUT_MASK_GLSL

#extension GL_KHR_shader_subgroup_shuffle : require

#include "random/dropout/kept.glsl"
#include "vkprims/memory/bytes.glsl"

layout(constant_id = VKP_DROPOUT_SPEC_MASK) const uint mask = 0;
layout(push_constant) uniform Push { DropoutPush push; };

const bool draws = source == VKP_DROPOUT_DRAW_32 || source == VKP_DROPOUT_DRAW_16;
// If this is true, each lane decides for the elements of one word, otherwise for its cells.
const bool by_words = draws || mask == VKP_DROPOUT_MASK_BITS;

// ---- The mask of a cell.

// Stores a byte for each bit of a cell.
void store_mask_bytes(uvec2 at, uint kept, uint items) {
  uint w[3];
  w[2] = 0u;
  [[unroll]] for (uint i = 0u; i < 2u; ++i) {
    const uint four = bitfieldExtract(kept, int(4u * i), 4);
    w[i] = (four | four << 7u | four << 14u | four << 21u) & 0x01010101u;
  }
  if (ITEMS == 8u && items == 8u && (at.x & 7u) == 0u) {
    VkpWords2(at).v[0] = uvec2(w[0], w[1]);
    return;
  }
  const uint skip = at.x & 3u;
  at.x -= skip;
  [[unroll]] for (uint i = 0u; i < 3u; ++i) {
    if (4u * i >= skip + items) break;
    uint x = w[i] << 8u * skip;
    if (i > 0u && skip != 0u) x |= w[i - 1u] >> 32u - 8u * skip;
    vkp_store_bytes(vkp_add64(at, 4u * i), x, vkp_byte_mask(i, skip, skip + items));
  }
}
uint load_mask_bytes(uvec2 at, uint items) {
  const uint skip = at.x & 3u;
  at.x -= skip;
  uint kept = 0u;
  [[unroll]] for (uint i = 0u; i < 3u; ++i) {
    if (4u * i >= skip + items) break;
    const uint w = VkpWords(at).v[i];
    uint four = 0u;
    [[unroll]] for (uint k = 0u; k < 4u; ++k) {
      four |= min(bitfieldExtract(w, int(8u * k), 8), 1u) << k;
    }
    kept |= i == 0u ? four >> skip : four << 4u * i - skip;
  }
  return kept;
}

uvec2 mask_byte(uvec2 first, uint offset) {
  return vkp_add64(vkp_u64(push.mask), vkp_add64(first, offset));
}

// Returns the bits of a cell that begins at an offset in the strip.
uint kept_cell(const uvec2 first, const uint offset, const uint items) {
  if (source == VKP_DROPOUT_READ_BYTES) {
    return load_mask_bytes(mask_byte(first, offset), items);
  }
  if (source != VKP_DROPOUT_READ_BITS) return source == VKP_DROPOUT_ALL ? 0xffffffffu : 0u;
  const uvec2 words = vkp_add64(vkp_u64(push.mask), vkp_shl64(vkp_shr64(first, 5u), 2u));
  const uint bit = (first.x & 31u) + offset;
  return VkpWords(words).v[bit / 32u] >> bit % 32u;
}

// ---- The mask of the 32 elements of a lane.

// Returns the word of the lane, and stores it if a mask of bits is wanted. Bits from `valid` on,
// counted from the beginning of the strip, are 0.
uint decide(const uvec2 first, const uint valid) {
  const uint own = 32u * gl_SubgroupInvocationID;
  uint word = source == VKP_DROPOUT_NOTHING ? 0u : 0xffffffffu;
  if (draws && valid > own) {
    const VkpRng rng = vkp_rng(push.rng);
    if (shared_draws) {
      word = drawn_in_runs(rng, vkp_add64(first, own), min(valid - own, 32u), push.run,
                           push.threshold);
    } else {
      word = drawn(rng, first, push.threshold);
    }
  }
  word &= vkp_low_bits(valid > own ? min(valid - own, 32u) : 0u);
  const uvec2 words = vkp_add64(vkp_u64(push.mask), vkp_shl64(vkp_shr64(first, 5u), 2u));
  if (mask == VKP_DROPOUT_MASK_BITS && valid > own) {
    VkpWords(words).v[gl_SubgroupInvocationID] = word;
  }
  return word;
}
uint kept_of_word(uint word, uint offset) {
  return subgroupShuffle(word, offset / 32u) >> offset % 32u;
}

#endif

// Words of which only some bytes belong to the output, and bytes that are moved within words.
#ifndef VKPRIMS_BYTES_GLSL
#define VKPRIMS_BYTES_GLSL

#include "vkprims/core.glsl"

// Words of sequences that are moved by 0 … 31 bits. (64-bit integers are used where they are
// available anyway: GPUs shift a pair of words by one instruction, but compilers do not recognise
// that from the three operations below.)
#ifdef VKP_STATE_word64
#extension GL_ARB_gpu_shader_int64 : require
// Moves up: returns the word of `x`, which `before` comes before.
uint vkp_word_up(const uint before, const uint x, const uint bits) {
  return unpackUint2x32(packUint2x32(uvec2(before, x)) << bits).y;
}
// Moves down: returns the word of `x`, which `after` follows.
uint vkp_word_down(const uint x, const uint after, const uint bits) {
  return unpackUint2x32(packUint2x32(uvec2(x, after)) >> bits).x;
}
#else
uint vkp_word_up(const uint before, const uint x, const uint bits) {
  return x << bits | before >> 1u >> (31u - bits);
}
uint vkp_word_down(const uint x, const uint after, const uint bits) {
  return x >> bits | after << 1u << (31u - bits);
}
#endif

// Returns 0xFF in every byte of word `word` that lies in [begin, end), which are positions in bytes
// from word 0.
uint vkp_byte_mask(const uint word, const uint begin, const uint end) {
  const uint first = clamp(begin, 4u * word, 4u * word + 4u) - 4u * word;
  const uint last = clamp(end, 4u * word, 4u * word + 4u) - 4u * word;
  // Two steps are needed, as a shift by 32 bits is undefined.
  const uint from_first = ~0u << (4u * first) << (4u * first);
  const uint from_last = ~0u << (4u * last) << (4u * last);
  return from_first & ~from_last;
}

// Replaces the bytes under `mask` of one word and keeps the others, which another invocation may be
// replacing at the same time. It takes two atomics, each of which leaves the other bytes alone.
// Nobody may read the bytes under the mask before this dispatch has ended, so the state between the
// two is not seen.
void vkp_store_bytes(const uvec2 address, const uint value, const uint mask) {
  if (mask == ~0u) {
    VkpWords(address).v[0] = value;
  } else if (mask != 0u) {
    atomicAnd(VkpSharedWords(address).v[0], ~mask);
    atomicOr(VkpSharedWords(address).v[0], value & mask);
  }
}

// Returns the 16 bytes that begin `head` bytes, 0 … 15, before the end of `before`, which `after`
// follows.
uvec4 vkp_joined(uvec4 before, uvec4 after, uint head) {
  if ((head & 8u) != 0u) {
    after = uvec4(before.zw, after.xy);
    before.zw = before.xy;
  }
  if ((head & 4u) != 0u) {
    after = uvec4(before.w, after.xyz);
    before.w = before.z;
  }
  const uint bits = 8u * (head & 3u);
  return bits == 0u ? after : after << bits | uvec4(before.w, after.xyz) >> (32u - bits);
}

// Moves 16 bytes up by 0 … 15 bytes.
uvec4 vkp_move_up(uvec4 x, uint bytes) {
  if ((bytes & 8u) != 0u) x = uvec4(0u, 0u, x.xy);
  if ((bytes & 4u) != 0u) x = uvec4(0u, x.xyz);
  const uint bits = 8u * (bytes & 3u);
  return bits == 0u ? x : x << bits | uvec4(0u, x.xyz) >> (32u - bits);
}

// Keeps bytes begin … end - 1 of 16; the others become 0.
uvec4 vkp_only_bytes(uvec4 x, uint begin, uint end) {
  const uint bytes = ~(~0u << end) & ~0u << begin;  // a bit for each byte
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    x[i] &= ((bytes >> (4u * i) & 15u) * 0x00204081u & 0x01010101u) * 0xffu;
  }
  return x;
}

#endif

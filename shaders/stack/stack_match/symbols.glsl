// The symbols of a tile as bits: each invocation has a block of 32 neighbours.
//
// Tags are loaded as cells of 16 bytes, neighbours by neighbouring lanes, and only their two lowest
// bits are kept, which then change hands in shared memory. Planes of bits already are the words of
// the blocks.
#ifndef VKPRIMS_STACK_MATCH_SYMBOLS_GLSL
#define VKPRIMS_STACK_MATCH_SYMBOLS_GLSL

#extension GL_KHR_shader_subgroup_shuffle : require

#include "stack/stack_match/tags.glsl"
#include "vkprims/masks.glsl"

// The bits of a block's items say which exist, and what they are. No bit is set in two of the last
// three.
struct Symbols {
  uint exist, opens, closes, resets;
};

// Returns the bits of a block for the items of the tile from `from` up to `upto`.
uint bits_of(const uint block, const uint from, const uint upto) {
  const uint first = block * BLOCK;
  const uint begin = max(from, first) - first;
  const uint end = max(min(upto, first + BLOCK), first) - first;
  return vkp_low_bits(end) & ~vkp_low_bits(begin);
}

// For each 16 items a word has the lowest bits of their tags in the low half, and the next bits in
// the high half.
shared uint symbol_words[2u * gl_WorkGroupSize.x];

uvec2 tile_base(uint tile, uint item_bytes) {
  return vkp_add64(vkp_u64(push.symbols), vkp_mul64(tile, tile_items() * item_bytes));
}

void load_u8(uint tile, Range range) {
  const uvec2 base = tile_base(tile, 1u);
  uvec4 cells[2];
  [[unroll]] for (uint i = 0u; i < 2u; ++i) {
    const uint cell = i * gl_WorkGroupSize.x + invocation();
    cells[i] = uvec4(0u);
    if (16u * cell >= range.begin && 16u * cell + 16u <= range.symbols) {
      cells[i] = VkpWords4(base).v[cell];
    } else {
      [[unroll]] for (uint k = 0u; k < 4u; ++k) {
        const uint item = 16u * cell + 4u * k;
        if (item + 4u > range.begin && item < range.symbols) {
          cells[i][k] = VkpWords(base).v[4u * cell + k];
        }
      }
    }
  }
  [[unroll]] for (uint i = 0u; i < 2u; ++i) {
    uint low = 0u;
    uint high = 0u;
    [[unroll]] for (int k = 3; k >= 0; --k) {
      // The products move a bit of each byte to the four highest bits.
      low = low << 4u | ((cells[i][k] & 0x01010101u) * 0x10204080u) >> 28u;
      high = high << 4u | ((cells[i][k] & 0x02020202u) * 0x08102040u) >> 28u;
    }
    symbol_words[i * gl_WorkGroupSize.x + invocation()] = low | high << 16u;
  }
}

void load_u32(uint tile, Range range) {
  const uvec2 base = tile_base(tile, 4u);
  uvec4 cells[8];
  [[unroll]] for (uint i = 0u; i < 8u; ++i) {
    const uint cell = i * gl_WorkGroupSize.x + invocation();
    cells[i] = uvec4(0u);
    if (4u * cell >= range.begin && 4u * cell + 4u <= range.symbols) {
      cells[i] = VkpWords4(base).v[cell];
    } else {
      [[unroll]] for (uint k = 0u; k < 4u; ++k) {
        const uint item = 4u * cell + k;
        if (item >= range.begin && item < range.symbols) cells[i][k] = VkpWords(base).v[item];
      }
    }
  }
  [[unroll]] for (uint i = 0u; i < 8u; ++i) {
    uint word = 0u;
    [[unroll]] for (uint k = 0u; k < 4u; ++k) {
      const uint x = cells[i][k];
      word |= ((x & 1u) | (x & 2u) << 15u) << k;
    }
    word <<= 4u * (gl_SubgroupInvocationID % 4u);
    word |= subgroupShuffleXor(word, 1u);
    word |= subgroupShuffleXor(word, 2u);
    if (gl_SubgroupInvocationID % 4u == 0u) {
      symbol_words[(i * gl_WorkGroupSize.x + invocation()) / 4u] = word;
    }
  }
}

// Loads this invocation's block of a tile. All invocations call it.
Symbols load_symbols(const uint tile, const Range range) {
  Symbols s;
  s.exist = bits_of(invocation(), range.begin, range.end);
  const uint symbols = bits_of(invocation(), range.begin, range.symbols);
  uint low = 0u;
  uint high = 0u;
  if (symbol_input == tags_u8 || symbol_input == tags_u32) {
    if (symbol_input == tags_u8) {
      load_u8(tile, range);
    } else {
      load_u32(tile, range);
    }
    barrier();
    const uint first = symbol_words[2u * invocation()];
    const uint second = symbol_words[2u * invocation() + 1u];
    low = (first & 0xffffu) | second << 16u;
    high = first >> 16u | (second & 0xffff0000u);
  } else if (symbols != 0u) {
    const uvec2 offset = vkp_mul64(tile, tile_items() / 8u);
    low = VkpWords(vkp_add64(vkp_u64(push.symbols), offset)).v[invocation()];
    high = VkpWords(vkp_add64(vkp_u64(push.closes), offset)).v[invocation()];
  }
  s.opens = low & ~high & symbols;
  s.closes = high & ~low & symbols;
  s.resets = low & high & symbols;
  return s;
}

#endif

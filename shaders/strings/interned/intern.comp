// Gives a number to each block of one level of all long rows, the same to those with the same
// contents: 256 bytes at level 0, 16 numbers of the level below at others. There is an invocation
// for each place where a block can be.
//
// The number of a block is the place of the block with its contents that came first into the table.
// Which one that is differs from run to run; whether two numbers are the same does not.
//
// Source: open addressing as in dictionary/insert.glsl. Relaxed atomics suffice, as a slot, once
// taken, keeps what it has, and what lies at a place follows from the column and earlier
// dispatches.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/interned/interned.glsl"

layout(push_constant) uniform Push { InternPush push; };

const uint EMPTY = ~0u;

bool is_wanted(uint row) {
  const uvec2 marks = vkp_u64(push.marks);
  if (marks == uvec2(0u)) return true;
  return (VkpWords(vkp_add64(marks, row / 32u * 4u)).v[0] >> (row & 31u) & 1u) == 0u;
}

// Returns the last row that begins up to this byte.
uint row_up_to(uvec2 byte) {
  uint low = 0u;
  uint high = push.rows;
  while (high - low > 1u) {
    const uint middle = low + (high - low) / 2u;
    uvec2 begin, end;
    vkp_row_offsets(push.column, middle, begin, end);
    if (vkp_less64(byte, begin)) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return low;
}

// Returns the contents of the block that begins at this place; no bytes if none does. Such a block
// has the last byte of its place.
VkpText block_at(const uint place) {
  const uint shift = block_shift(push.level);
  const uvec2 last = vkp_sub64(vkp_shl64(vkp_add64(uvec2(place, 0u), 1u), shift), uvec2(1u, 0u));
  const uint row = row_up_to(last);
  uvec2 begin, end;
  vkp_row_offsets(push.column, row, begin, end);
  if (vkp_less64(last, begin) || !vkp_less64(last, end)) return vkp_no_text();
  const VkpText text = vkp_row_text(push.column, row);
  const uvec2 within = vkp_sub64(last, begin);
  if (text.bytes < VKP_INTERNED_LONG_BYTES || within.y != 0u || within.x >= text.bytes) {
    return vkp_no_text();
  }
  const uint first = within.x >> shift << shift;
  if (first + (1u << shift) > text.bytes || !is_wanted(row)) return vkp_no_text();
  if (push.level == 0u) return VkpText(vkp_add64(text.at, first), 1u << VKP_INTERNED_LEAF_SHIFT);
  return VkpText(numbers_at(push.column, vkp_u64(push.interned), text, first, push.level - 1u),
                 4u << VKP_INTERNED_FAN_SHIFT);
}

// Compares contents of the same number of bytes, a multiple of 16.
bool is_same(VkpText a, VkpText b) {
  bool same = true;
  for (uint i = 0u; same && i < a.bytes; i += 16u) {
    [[unroll]] for (uint k = 0u; k < 16u; k += 4u) {
      if (vkp_text_word(a, int(i + k)) != vkp_text_word(b, int(i + k))) same = false;
    }
  }
  return same;
}

// Returns the place of the first block with these contents. A slot has some bits of the hash, too,
// so most blocks that differ are not compared.
uint intern(uint place, VkpText block) {
  const uvec2 table = table_of(push.column, vkp_u64(push.interned), push.level);
  const uint places = places_of(push.column, push.level);
  const uint slots = min(places, 0x7fffffffu) * 2u;
  const uint place_mask = findMSB(places) >= 31 ? ~0u : (2u << findMSB(places)) - 1u;
  uint slot = 0u;
  uint own = 0u;
  uint tried = 0u;
  uint found = EMPTY;
  while (found == EMPTY) {
    if (tried % VKP_INTERNED_NEIGHBOURS == 0u &&
        tried < VKP_INTERNED_NEIGHBOURS * VKP_INTERNED_HASHES) {
      const uint hash = hash_of(block, push.seed + tried);
      slot = vkp_mul64(hash, slots).y;
      // The tag must not depend on how often others were tried.
      if (tried == 0u) own = (bitfieldReverse(hash) & ~place_mask) | place;
    }
    VkpSharedWords at = VkpSharedWords(vkp_add64(table, vkp_mul64(slot, 4u)));
    uint there = atomicLoad(at.v[0], gl_ScopeQueueFamily, 0, 0);
    if (there == EMPTY) {
      there = atomicCompSwap(at.v[0], EMPTY, own, gl_ScopeQueueFamily, 0, 0, 0, 0);
    }
    if (there == EMPTY) {
      found = place;
    } else if (((there ^ own) & ~place_mask) == 0u) {
      if (is_same(block, block_at(there & place_mask))) found = there & place_mask;
    }
    ++tried;
    slot = slot + 1u == slots ? 0u : slot + 1u;
  }
  return found;
}

void main() {
  const uint place = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  const uvec2 interned = vkp_u64(push.interned);
  const uint least = max(VKP_INTERNED_LONG_BYTES, 1u << block_shift(push.level));
  if (longest_row(interned) < least || !has_ascending_offsets(interned)) return;
  if (place >= places_of(push.column, push.level)) return;
  const VkpText block = block_at(place);
  if (block.bytes == 0u) return;
  const uvec2 numbers = numbers_of(push.column, interned, push.level);
  VkpWords(vkp_add64(numbers, vkp_mul64(place, 4u))).v[0] = intern(place, block);
}

// The region of shared memory in which a subgroup assembles the bytes of a strip (row_strips.glsl):
// VKP_LANE_WORDS words for each of its lanes.
#ifndef VKPRIMS_STRINGS_REGION_GLSL
#define VKPRIMS_STRINGS_REGION_GLSL

#include "vkprims/strings/units.glsl"
#include "vkprims/subgroup/subgroup_barrier.glsl"

// Writes that must have no effect go to these words before all regions; there is one more word
// behind the regions.
const uint VKP_REGION_MARGIN = 32;

shared uint vkp_region[VKP_REGION_MARGIN + gl_WorkGroupSize.x * VKP_LANE_WORDS + 1u];

uint vkp_region_bytes() { return 4u * VKP_LANE_WORDS * vkp_lane_count(); }
int vkp_region_word(const uint word) {
  return int(VKP_REGION_MARGIN + gl_SubgroupID * vkp_lane_count() * VKP_LANE_WORDS) + int(word);
}

// A word that may have any value.
int vkp_vain_word() { return int(gl_SubgroupInvocationID % VKP_REGION_MARGIN); }
void vkp_store_in_vain(uint x) {
  atomicOr(vkp_region[vkp_vain_word()], x, gl_ScopeWorkgroup, 0, 0);
}

// Called by each subgroup, which goes on when all its lanes have cleared their words.
void vkp_clear_region() {
  const int own_word = vkp_region_word(gl_SubgroupInvocationID);
  [[unroll]] for (uint i = 0u; i < VKP_LANE_WORDS; ++i) {
    vkp_region[own_word + int(i * vkp_lane_count())] = 0u;
  }
  vkp_subgroup_barrier();  // releases the zeros; what the lanes add comes after them
}

// A text goes into the region in two steps. First its body is stored: all words except a first one
// in which bytes of other texts come before it. The last word is stored as a whole, then its bytes
// behind the end of the text are cleared. When all lanes have done that, the head is added: the
// bytes in the word that was left out. (So only the first text that has bytes in a word stores a
// body there, and only if it begins with the word; all texts behind it add heads.)
struct VkpRegionHead {
  int word;
  uint bytes;
};

// Called when the body of a text has been stored from word `base` on: the text is bytes begin … end
// - 1 from there, and `word` is its first word. Clears what is behind the text and returns its
// head. (If the text has no body or no head, the operation goes to a word that nobody reads.)
VkpRegionHead vkp_end_body(int base, uint begin, uint end, uint word) {
  const int in_vain = vkp_vain_word();
  const uint last = end - 1u;
  const int cleared = end > (begin + 3u & ~3u) ? base + int(last / 4u) : in_vain;
  atomicAnd(vkp_region[cleared], ~0u >> 8u * (~last & 3u), gl_ScopeWorkgroup, 0, 0);
  const uint first = begin & ~3u;
  const uint behind = 4u - min(end - first, 4u);  // bytes of the word that are behind the text
  const uint head = word & ~0u << 8u * (begin & 3u) & ~0u >> 8u * (behind & 3u);
  return VkpRegionHead((begin & 3u) != 0u ? base + int(begin / 4u) : in_vain, head);
}

void vkp_store_head(VkpRegionHead head) {
  atomicOr(vkp_region[head.word], head.bytes, gl_ScopeWorkgroup, 0, 0);
}

void vkp_add_bytes(uint word, uint x) {
  atomicOr(vkp_region[vkp_region_word(word)], x, gl_ScopeWorkgroup, 0, 0);
}

// Stages a text of any length. Only atomics are used, as not all subgroups run the loop equally
// often: vkprims/README.md.
void vkp_stage_text(uint at, VkpText t) {
  const uint up = 8u * (at & 3u);
  for (uint i = 0u; i < t.bytes; i += 16u) {
    const uvec4 x = vkp_load_bytes(vkp_add64(t.at, i), min(t.bytes - i, 16u));
    uint before = 0u;
    [[unroll]] for (uint k = 0u; k <= 4u; ++k) {
      const uint next = k < 4u ? x[k & 3u] : 0u;
      const uint word = vkp_word_up(before, next, up);
      if (word != 0u) vkp_add_bytes((at + i) / 4u + k, word);
      before = next;
    }
  }
}

// Stores the first `bytes` bytes of the region at `at`.
void vkp_store_region(uvec2 at, uint bytes) {
  const uint lane = gl_SubgroupInvocationID;
  const uint ahead = at.x & 3u;
  const uvec2 base = uvec2(at.x - ahead, at.y);
  const uint end = ahead + bytes;
  const uint last = end / 4u;  // words before it are whole, except the first
  const uint left = last - min(last, lane);
  const uvec2 own_base = vkp_add64(base, 4u * lane);
  // Each word of the result comes from two words of the region.
  const int own_word = vkp_region_word(lane);
  [[unroll]] for (uint i = 0u; i < VKP_LANE_WORDS; ++i) {
    const int word = own_word + int(i * vkp_lane_count());
    const uint x = vkp_word_up(vkp_region[word - 1], vkp_region[word], 8u * ahead);
    const bool is_whole = i * vkp_lane_count() < left && (i != 0u || lane != 0u || ahead == 0u);
    if (is_whole) VkpWords(own_base).v[i * vkp_lane_count()] = x;
  }
  // One lane stores the partial word at the beginning, another the one at the end.
  const uint word = lane == 0u ? 0u : last;
  const int partial = vkp_region_word(word);
  const uint x = vkp_word_up(vkp_region[partial - 1], vkp_region[partial], 8u * ahead);
  const bool parted = lane == 0u ? ahead != 0u : last != 0u || ahead == 0u;
  if (lane < 2u && parted) {
    vkp_store_bytes(vkp_add64(base, 4u * word), x, vkp_byte_mask(word, ahead, end));
  }
}

#endif

// The region of shared memory in which a subgroup assembles the bytes of a strip (strips.glsl):
// LANE_WORDS words for each of its lanes.
#ifndef STRINGS_REGION_GLSL
#define STRINGS_REGION_GLSL

#include "vkprims/strings/units.glsl"
#include "vkprims/subgroup/subgroup_barrier.glsl"

// Writes that must have no effect go to these words before all regions; there is one more word
// behind the regions.
const uint BESIDE = 32;

shared uint region[BESIDE + gl_WorkGroupSize.x * LANE_WORDS + 1u];

uint region_bytes() { return 4u * LANE_WORDS * lane_count(); }
int region_word(const uint word) { return int(BESIDE + gl_SubgroupID * lane_count() * LANE_WORDS) + int(word); }

// Called by each subgroup, which goes on when all its lanes have cleared their words.
void clear_region() {
  [[unroll]] for (uint i = 0u; i < LANE_WORDS; ++i) {
    region[region_word(i * lane_count() + gl_SubgroupInvocationID)] = 0u;
  }
  vkp_subgroup_barrier();  // releases the zeros; what the lanes add comes after them
}

// A text goes into the region in two steps. First its body is stored: all words except a first one
// in which bytes of other texts come before it. The last word is stored as a whole, then its bytes
// behind the end of the text are cleared. When all lanes have done that, the head is added: the
// bytes in the word that was left out. (So only the first text that has bytes in a word stores a
// body there, and only if it begins with the word; all texts behind it add heads.)
struct Head {
  int word;
  uint bytes;
};

// Called when the body of a text has been stored from word `base` on: the text is bytes begin … end
// - 1 from there, and `word` is its first word. Clears what is behind the text and returns its
// head. (If the text has no body or no head, the operation goes to a word that nobody reads.)
Head end_body(int base, uint begin, uint end, uint word) {
  const int in_vain = int(gl_SubgroupInvocationID % BESIDE);
  const uint last = end - 1u;
  const int cleared = end > (begin + 3u & ~3u) ? base + int(last / 4u) : in_vain;
  atomicAnd(region[cleared], ~0u >> 8u * (~last & 3u), gl_ScopeWorkgroup, 0, 0);
  const uint first = begin & ~3u;
  const uint behind = 4u - min(end - first, 4u);  // bytes of the word that are behind the text
  const uint head = word & ~0u << 8u * (begin & 3u) & ~0u >> 8u * (behind & 3u);
  return Head((begin & 3u) != 0u ? base + int(begin / 4u) : in_vain, head);
}

void store_head(Head head) { atomicOr(region[head.word], head.bytes, gl_ScopeWorkgroup, 0, 0); }

void add_bytes(uint word, uint x) { atomicOr(region[region_word(word)], x, gl_ScopeWorkgroup, 0, 0); }

// Stages a text of any length. Only atomics are used, as not all subgroups run the loop equally
// often: vkprims/README.md.
void stage_text(uint at, VkpText t) {
  const uint up = 8u * (at & 3u);
  for (uint i = 0u; i < t.bytes; i += 16u) {
    const uvec4 x = load_bytes(vkp_add64(t.at, i), min(t.bytes - i, 16u));
    uint before = 0u;
    [[unroll]] for (uint k = 0u; k <= 4u; ++k) {
      const uint next = k < 4u ? x[k & 3u] : 0u;
      const uint word = vkp_word_up(before, next, up);
      if (word != 0u) add_bytes((at + i) / 4u + k, word);
      before = next;
    }
  }
}

// Stores the first `bytes` bytes of the region at `at`.
void store_region(uvec2 at, uint bytes) {
  const uint lane = gl_SubgroupInvocationID;
  const uint ahead = at.x & 3u;
  const uvec2 base = uvec2(at.x - ahead, at.y);
  const uint end = ahead + bytes;
  const uint last = end / 4u;  // words before it are whole, except the first
  const uint left = last - min(last, lane);
  const uvec2 own_base = vkp_add64(base, 4u * lane);
  // Each word of the result comes from two words of the region.
  const int own_word = region_word(lane);
  [[unroll]] for (uint i = 0u; i < LANE_WORDS; ++i) {
    const int word = own_word + int(i * lane_count());
    const uint x = vkp_word_up(region[word - 1], region[word], 8u * ahead);
    const bool is_whole = i * lane_count() < left && (i != 0u || lane != 0u || ahead == 0u);
    if (is_whole) VkpWords(own_base).v[i * lane_count()] = x;
  }
  // One lane stores the partial word at the beginning, another the one at the end.
  const uint word = lane == 0u ? 0u : last;
  const uint x = vkp_word_up(region[region_word(word) - 1], region[region_word(word)], 8u * ahead);
  const bool parted = lane == 0u ? ahead != 0u : last != 0u || ahead == 0u;
  if (lane < 2u && parted) vkp_store_bytes(vkp_add64(base, 4u * word), x, vkp_byte_mask(word, ahead, end));
}

#endif

// The region of shared memory in which a subgroup puts the bytes of a strip together (strips.glsl): LANE_WORDS words for each of
// its lanes.
#ifndef STRINGS_REGION_GLSL
#define STRINGS_REGION_GLSL

#include "vkprims/strings/units.glsl"
#include "vkprims/subgroup/subgroup_barrier.glsl"

const uint BESIDE = 32;  // words before all regions, for what is done in vain; there is one behind

shared uint region[BESIDE + gl_WorkGroupSize.x * LANE_WORDS + 1u];

uint region_bytes() { return 4u * LANE_WORDS * lane_count(); }
int region_word(const uint word) { return int(BESIDE + gl_SubgroupID * lane_count() * LANE_WORDS) + int(word); }

// By each subgroup, which goes on when all its lanes have.
void clear_region() {
  [[unroll]] for (uint i = 0u; i < LANE_WORDS; ++i) {
    region[region_word(i * lane_count() + gl_SubgroupInvocationID)] = 0u;
  }
  vkp_subgroup_barrier();  // releases the zeros; what the lanes add is behind it
}

// A text goes to the region in two steps. First its body: all words but one that has bytes of others before it, the last one as a
// whole; then what is behind the end of the text is cleared. When all lanes have done that comes the head, its bytes in the
// word that was left out. (So of a word only the first text that has bytes of it stores a body there, and only if it begins with
// the word; all that come behind add their heads.)
struct Head {
  int word;
  uint bytes;
};

// The body of a text has been stored, from word `base` on: the text is bytes begin … end - 1 from there, `word` its first word.
// Clears what is behind it and returns the head. (Of a text without a body or a head that is done to a word that nobody reads.)
Head end_body(int base, uint begin, uint end, uint word) {
  const int in_vain = int(gl_SubgroupInvocationID % BESIDE);
  const uint last = end - 1u;
  const int cleared = end > (begin + 3u & ~3u) ? base + int(last / 4u) : in_vain;
  atomicAnd(region[cleared], ~0u >> 8u * (~last & 3u), gl_ScopeWorkgroup, 0, 0);
  const uint first = begin & ~3u;
  const uint behind = 4u - min(end - first, 4u);  // bytes of the word that are
  const uint head = word & ~0u << 8u * (begin & 3u) & ~0u >> 8u * (behind & 3u);
  return Head((begin & 3u) != 0u ? base + int(begin / 4u) : in_vain, head);
}

void store_head(Head head) { atomicOr(region[head.word], head.bytes, gl_ScopeWorkgroup, 0, 0); }

void add_bytes(uint word, uint x) { atomicOr(region[region_word(word)], x, gl_ScopeWorkgroup, 0, 0); }

// A text of any length. (By atomics alone, as not all subgroups take as long: vkprims/README.md.)
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
  const uint last = end / 4u;  // words before it are whole, but for the first one
  const uint left = last - min(last, lane);
  const uvec2 own_base = vkp_add64(base, 4u * lane);
  // Words of the result, each of two words of the region.
  const int own_word = region_word(lane);
  [[unroll]] for (uint i = 0u; i < LANE_WORDS; ++i) {
    const int word = own_word + int(i * lane_count());
    const uint x = vkp_word_up(region[word - 1], region[word], 8u * ahead);
    const bool is_whole = i * lane_count() < left && (i != 0u || lane != 0u || ahead == 0u);
    if (is_whole) VkpWords(own_base).v[i * lane_count()] = x;
  }
  // The others: the first by one lane, the last by another.
  const uint word = lane == 0u ? 0u : last;
  const uint x = vkp_word_up(region[region_word(word) - 1], region[region_word(word)], 8u * ahead);
  const bool parted = lane == 0u ? ahead != 0u : last != 0u || ahead == 0u;
  if (lane < 2u && parted) vkp_store_bytes(vkp_add64(base, 4u * word), x, vkp_byte_mask(word, ahead, end));
}

#endif

// The plan, in scratch: what is known so far of the last element that is taken. Every dispatch
// reads what earlier ones have left; what a dispatch decides, its workgroup that finishes last
// writes.
#ifndef TOP_K_PLAN_GLSL
#define TOP_K_PLAN_GLSL

#include "sort/top_k/codes.glsl"

layout(push_constant) uniform Push { TopKPush push; };

uvec2 scratch_address(const uint offset) { return vkp_add64(vkp_u64(push.scratch), offset); }
VkpSharedWords plan() { return VkpSharedWords(scratch_address(VKP_TOP_K_PLAN_OFFSET)); }
uint plan_word(uint word) { return plan().v[word]; }
uvec2 plan_number(const uint word) { return uvec2(plan().v[word], plan().v[word + 1u]); }
VKP_KEY plan_code(uint word) { return code_from(plan_number(word)); }
void set_plan(uint word, uint x) { plan().v[word] = x; }
void set_plan(uint word, uvec2 x) {
  plan().v[word] = x.x;
  plan().v[word + 1u] = x.y;
}

// The address of the number of elements selected in portion i, as candidates (list 0) or results
// (list 1).
uvec2 selected_address(uint list, uint i) {
  return scratch_address(push.portions_offset + 4u * (list * push.portions + i));
}
uvec2 selected_before(uint list, uint portion) {
  uvec2 total = uvec2(0u);
  for (uint i = 0u; i < portion; ++i) {
    total = vkp_add64(total, VkpWords(selected_address(list, i)).v[0]);
  }
  return total;
}

uvec2 results_wanted(uvec2 count) { return vkp_min64(vkp_u64(push.k), count); }

void write_wanted(uvec2 wanted) {
  if (push.scratch.lo != 0u || push.scratch.hi != 0u) set_plan(VKP_TOP_K_WANTED64, wanted);
  if (push.count_out.lo != 0u || push.count_out.hi != 0u) {
    VkpWords2(vkp_u64(push.count_out)).v[0] = wanted;
  }
}

// The sequence in which the last element that is taken lies: the candidates, if the sample did not
// mislead, otherwise the whole input.
struct Source {
  bool candidates;
  // Its code is known: the range has one code only, of which there are too many candidates.
  bool known;
  bool all;    // all elements with this code are taken
  uvec2 base, count;
  uvec2 wanted;
  uvec2 rank;  // of the last element taken, in the source
};

Source find_source() {
  Source s;
  s.candidates = s.known = s.all = false;
  s.base = vkp_u64(push.in_base);
  s.count = vkp_read_count(push.count);
  s.wanted = s.rank = results_wanted(s.count);
  if (plan_word(VKP_TOP_K_SAMPLED) == 0u) return s;
  const uvec2 below = plan_number(VKP_TOP_K_BELOW64);
  const uvec2 found = selected_before(0u, push.portions);
  if (!vkp_less64(below, s.wanted) || vkp_less64(vkp_add64(below, found), s.wanted)) return s;
  if (!vkp_less64(uvec2(push.capacity, 0u), found)) {
    s.candidates = true;
    s.base = vkp_u64(push.candidates);
    s.count = found;
    s.rank = vkp_sub64(s.wanted, below);
  } else if (plan_code(VKP_TOP_K_LOW64) == plan_code(VKP_TOP_K_HIGH64)) {
    s.known = true;
    s.rank = vkp_sub64(s.wanted, below);
    s.all = s.rank == found;
  }
  return s;
}

// Whether the candidates are all that can be taken, not only those that the last one is among.
bool candidates_suffice() { return push.lower == 0u && plan_number(VKP_TOP_K_LOW64) == uvec2(0u); }

#endif

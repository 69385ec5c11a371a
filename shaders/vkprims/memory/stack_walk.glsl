// Walks the stack before any symbol, using the matches that stack_match leaves: the match of an
// open is the open below it, so all stacks that ever existed are stored in as many numbers as there
// are symbols.
//
//   for (VkpStackWalk w = vkp_stack_walk(match, index_words, i); !vkp_stack_empty(w);
//        vkp_stack_pop(w)) use(w.top);
//
// Source: R. Levien, "The stack monoid revisited" (2021).
#ifndef VKPRIMS_STACK_WALK_GLSL
#define VKPRIMS_STACK_WALK_GLSL

#include "vkprims/core.glsl"

struct VkpStackWalk {
  uvec2 match;       // address
  uint index_words;  // words of a match: 1 or 2
  uvec2 top;         // the open on top of the stack
};

void vkp_stack_go_to(inout VkpStackWalk w, uvec2 symbol) {
  const uvec2 at = vkp_add64(w.match, vkp_mul64(symbol, 4u * w.index_words));
  if (w.index_words == 2u) {
    w.top = VkpWords2(at).v[0];
  } else {
    const uint top = VkpWords(at).v[0];
    w.top = top == 0xffffffffu ? uvec2(0xffffffffu) : uvec2(top, 0u);
  }
}

// Returns the stack before symbol `i` acts.
VkpStackWalk vkp_stack_walk(uvec2 match, uint index_words, uvec2 i) {
  VkpStackWalk w = VkpStackWalk(match, index_words, uvec2(0u));
  vkp_stack_go_to(w, i);
  return w;
}

bool vkp_stack_empty(VkpStackWalk w) { return w.top == uvec2(0xffffffffu); }

void vkp_stack_pop(inout VkpStackWalk w) { vkp_stack_go_to(w, w.top); }

#endif

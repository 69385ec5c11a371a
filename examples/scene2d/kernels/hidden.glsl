// Finds what an opaque shape hides.

const uint WORDS = BATCH / 32u;

shared uint opened[WORDS], closed[WORDS];  // a bit for each entry of a batch
shared uint shown;

// The entry from which on the list of a tile must be looked at: the last opaque draw that covers
// the whole tile, and that no clip confines and no layer contains. A clip that covers the whole
// tile does not count. All invocations call this.
uint first_shown(uint begin, uint end) {
  const uint word = gl_LocalInvocationIndex / 32u;
  const uint bit = 1u << gl_LocalInvocationIndex % 32u;
  if (gl_LocalInvocationIndex == 0u) shown = begin;
  int depth = 0;  // of what is open
  for (uint first = begin; first < end; first += BATCH) {
    barrier();
    if (gl_LocalInvocationIndex < WORDS) {
      opened[gl_LocalInvocationIndex] = 0u;
      closed[gl_LocalInvocationIndex] = 0u;
    }
    barrier();
    const uint own = first + gl_LocalInvocationIndex;
    const uint kind = own < end ? f.entries.v[own].kind : KIND_DRAW;
    if (class_of(kind) != CLASS_FULL) {
      if (is_beginning(kind)) atomicOr(opened[word], bit, gl_ScopeWorkgroup, 0, 0);
      if (is_end(kind)) atomicOr(closed[word], bit, gl_ScopeWorkgroup, 0, 0);
    }
    barrier();
    int depth_here = depth;
    [[unroll]] for (uint k = 0u; k < WORDS; ++k) {
      const uint before = k < word ? ~0u : k == word ? bit - 1u : 0u;
      depth_here += bitCount(opened[k] & before) - bitCount(closed[k] & before);
      depth += bitCount(opened[k]) - bitCount(closed[k]);
    }
    const bool hides = kind_of(kind) == KIND_DRAW && class_of(kind) == CLASS_FULL &&
                       (kind & ENTRY_OPAQUE) != 0u;
    if (hides && depth_here == 0) atomicMax(shown, own, gl_ScopeWorkgroup, 0, 0);
  }
  barrier();
  return shown;
}

// Segments [first, last] that may only be combined with the segment that follows. The monoid counts
// the pairs that do not follow each other. As in CUB's tests, this finds an operator that is called
// on operands that are not neighbours, or on memory that holds none, even where the result comes
// out right.
struct Segment {
  uint first, last;
  uint exists;  // 0 marks the identity
  uint errors;
};
#define VKP_T Segment
#define VKP_WORDS 4
void vkp_pack(Segment x, out uint w[4]) {
  w[0] = x.first;
  w[1] = x.last;
  w[2] = x.exists;
  w[3] = x.errors;
}
Segment vkp_unpack(uint w[4]) { return Segment(w[0], w[1], w[2], w[3]); }
Segment vkp_identity() { return Segment(0u, 0u, 0u, 0u); }
Segment vkp_combine(Segment a, Segment b) {
  const uint errors = a.errors + b.errors;
  if (a.exists == 0u) return Segment(b.first, b.last, b.exists, errors);
  if (b.exists == 0u) return Segment(a.first, a.last, a.exists, errors);
  const bool legal = a.exists == 1u && b.exists == 1u && a.last + 1u == b.first;
  return Segment(a.first, b.last, 1u, errors + (legal ? 0u : 1u));
}

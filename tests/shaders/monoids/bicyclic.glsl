// Brackets: `closes` that lack an opening one, then `opens` that are still open. The monoid does
// not commute.
struct Brackets {
  uint closes, opens;
};
#define VKP_T Brackets
#define VKP_WORDS 2
void vkp_pack(Brackets x, out uint w[2]) {
  w[0] = x.closes;
  w[1] = x.opens;
}
Brackets vkp_unpack(uint w[2]) { return Brackets(w[0], w[1]); }
Brackets vkp_identity() { return Brackets(0u, 0u); }
Brackets vkp_combine(Brackets a, Brackets b) {
  const uint matched = min(a.opens, b.closes);
  return Brackets(a.closes + b.closes - matched, a.opens - matched + b.opens);
}

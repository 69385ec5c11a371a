// An element of the largest size whose parts all differ: a product of 2x2 matrices over integers
// modulo 2^32, brackets, the last number that is not 0, and a sum. The monoid does not commute.
struct Wide {
  uvec4 m;  // rows
  uint closes, opens;
  uint last;
  uint sum;
};
#define VKP_T Wide
#define VKP_WORDS 8
void vkp_pack(Wide x, out uint w[8]) {
  [[unroll]] for (uint i = 0u; i < 4u; ++i) w[i] = x.m[i];
  w[4] = x.closes;
  w[5] = x.opens;
  w[6] = x.last;
  w[7] = x.sum;
}
Wide vkp_unpack(uint w[8]) {
  return Wide(uvec4(w[0], w[1], w[2], w[3]), w[4], w[5], w[6], w[7]);
}
Wide vkp_identity() { return Wide(uvec4(1u, 0u, 0u, 1u), 0u, 0u, 0u, 0u); }
Wide vkp_combine(Wide a, Wide b) {
  Wide c;
  c.m.xy = a.m.xx * b.m.xy + a.m.yy * b.m.zw;
  c.m.zw = a.m.zz * b.m.xy + a.m.ww * b.m.zw;
  const uint matched = min(a.opens, b.closes);
  c.closes = a.closes + b.closes - matched;
  c.opens = a.opens - matched + b.opens;
  c.last = b.last != 0u ? b.last : a.last;
  c.sum = a.sum + b.sum;
  return c;
}

// Functions v -> M v + t of the plane, over integers modulo 2^32. The left function is applied
// first. The monoid does not commute.
struct Affine {
  uvec4 m;  // rows
  uvec2 t;
};
#define VKP_T Affine
#define VKP_WORDS 6
void vkp_pack(Affine f, out uint w[6]) {
  [[unroll]] for (uint i = 0u; i < 4u; ++i) w[i] = f.m[i];
  w[4] = f.t.x;
  w[5] = f.t.y;
}
Affine vkp_unpack(uint w[6]) { return Affine(uvec4(w[0], w[1], w[2], w[3]), uvec2(w[4], w[5])); }
Affine vkp_identity() { return Affine(uvec4(1u, 0u, 0u, 1u), uvec2(0u)); }
uvec2 times(uvec4 m, uvec2 v) { return uvec2(m.x * v.x + m.y * v.y, m.z * v.x + m.w * v.y); }
Affine vkp_combine(Affine left, Affine right) {
  const uvec2 first = times(right.m, left.m.xz);
  const uvec2 second = times(right.m, left.m.yw);
  return Affine(uvec4(first.x, second.x, first.y, second.y), times(right.m, left.t) + right.t);
}

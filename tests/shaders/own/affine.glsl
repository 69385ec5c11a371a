// Functions v -> M v + t of the plane, over integers modulo 2^32. The left function is applied
// first. The monoid does not commute.
struct Affine {
  uvec4 m;  // rows
  uvec2 t;
};
#define VKP_T Affine

Affine vkp_identity() { return Affine(uvec4(1u, 0u, 0u, 1u), uvec2(0u)); }

uvec2 times(uvec4 m, uvec2 v) { return uvec2(m.x * v.x + m.y * v.y, m.z * v.x + m.w * v.y); }

Affine vkp_combine(Affine left, Affine right) {
  const uvec2 first = times(right.m, left.m.xz);
  const uvec2 second = times(right.m, left.m.yw);
  return Affine(uvec4(first.x, second.x, first.y, second.y), times(right.m, left.t) + right.t);
}

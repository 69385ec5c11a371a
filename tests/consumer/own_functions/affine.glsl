// The function x -> scale * x + offset. Of two, the left one is applied first.
struct Affine {
  uint scale, offset;
};
#define VKP_T Affine

Affine vkp_identity() { return Affine(1u, 0u); }

Affine vkp_combine(Affine left, Affine right) {
  return Affine(right.scale * left.scale, right.scale * left.offset + right.offset);
}

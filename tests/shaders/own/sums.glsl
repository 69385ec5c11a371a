// Six sums, whose order does not matter.
struct Sums {
  uint x[6];
};
#define VKP_T Sums
#define VKP_COMMUTES

Sums vkp_identity() { return Sums(uint[](0u, 0u, 0u, 0u, 0u, 0u)); }

Sums vkp_combine(Sums left, Sums right) {
  for (int i = 0; i < 6; ++i) left.x[i] += right.x[i];
  return left;
}

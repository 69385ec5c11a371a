// Four inputs and four outputs of one size.
void vkp_map(uint a, int b, uint c, uint d, uvec2 index, out uint sum, out int product,
             out uint bits, out uint same) {
  sum = a + uint(b) + c + d;
  product = b * int(a);
  bits = a ^ uint(b) ^ c ^ d;
  same = d;
}

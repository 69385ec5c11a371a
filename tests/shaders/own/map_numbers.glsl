// No sequences but the numbers of the elements, and two results.
void vkp_map(uvec2 index, out uvec2 square, out uint bits) {
  umulExtended(index.x, index.x, square.y, square.x);
  bits = bitCount(index.x) ^ index.y;
}

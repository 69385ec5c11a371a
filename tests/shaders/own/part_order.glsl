// Pairs in ascending order, pairs of equals, and pairs in descending order.
uint vkp_part(uvec2 pair, uvec2 index) {
  return pair.x < pair.y ? 0u : pair.x == pair.y ? 1u : 2u;
}

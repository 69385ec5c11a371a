// Numbers between two bounds, but not those at multiples of a number. The arguments have 32 bytes.
struct Bounds {
  uint low, high, step;
  uint unused[4];
  uint parity;
};

bool vkp_predicate(uint x, uvec2 index, Bounds bounds) {
  return x >= bounds.low && x <= bounds.high && index.x % bounds.step != 0u &&
         bitCount(x) % 2 == int(bounds.parity);
}

// Two sequences of numbers, and what holds for all elements.
struct Params {
  uint scale;
  int shift;
};

uint vkp_map(uint x, const uint y, uvec2 index, Params params) {
  return params.scale * x + (y >> uint(params.shift)) + index.x;
}

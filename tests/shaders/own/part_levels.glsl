// Numbers below a bound, those below another one, and others, but each number at a multiple of 5
// counts as another: any result but 0 and 1 is the third part.
struct Levels {
  uint low, high;
};

uint vkp_part(uint x, uvec2 index, Levels levels) {
  if (index.x % 5u == 0u) return index.x + 2u;
  return x < levels.low ? 0u : x < levels.high ? 1u : 2u;
}

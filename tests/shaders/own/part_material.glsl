// Draws by their material, opaque, masked and blended; in every second group of 1024 the other way
// round.
struct Draw {
  uint material, first, count, object;
};

uint vkp_part(Draw draw, uvec2 index) {
  const uint material = draw.material % 3u;
  return (index.x & 1024u) != 0u ? 2u - material : material;
}

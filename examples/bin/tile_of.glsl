// The number of the tile that a box touches in place `rank`, on a screen with so many tiles across.
#include "box.glsl"

uint vkp_map(Box box, uint rank, uvec2 index, uint across) {
  const uint x = box.left / TILE + rank % columns(box), y = box.top / TILE + rank / columns(box);
  return y * across + x;
}

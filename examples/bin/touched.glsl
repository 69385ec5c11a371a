// The number of tiles that a box touches.
#include "box.glsl"

uint vkp_map(Box box, uvec2 index) { return columns(box) * rows(box); }

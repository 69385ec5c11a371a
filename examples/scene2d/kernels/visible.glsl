// An item can be seen if it touches a tile.
#include "item.glsl"

bool vkp_predicate(Item item, uvec2 index) { return item.last_tile != 0u; }

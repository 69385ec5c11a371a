// Which items can be seen.
#include "item.glsl"

bool vkp_predicate(Item item, uvec2 index) { return item.last_tile != 0u; }

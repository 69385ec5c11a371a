// Elements of a size that is not moved.
bool vkp_predicate(uvec3 x, uvec2 index) { return x.x % 1000u == 7u && x.y < x.z; }

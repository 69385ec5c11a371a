// A tile is drawn if its list has entries.
bool vkp_predicate(uint entries, uvec2 index) { return entries != 0u; }

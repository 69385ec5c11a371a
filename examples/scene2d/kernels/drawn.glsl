// Which tiles have something to draw.
bool vkp_predicate(uint entries, uvec2 index) { return entries != 0u; }

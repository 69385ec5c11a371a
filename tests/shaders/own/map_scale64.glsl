// 64-bit integers.
uint64_t vkp_map(uint x, uint64_t y, uvec2 index) { return y * uint64_t(x) + packUint2x32(index); }

// Thirds of the numbers.
uint vkp_part(uint x, uvec2 index) { return x / 0x55555556u; }

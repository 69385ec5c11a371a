// No order at all.
#define VKP_T uint
bool vkp_less(uint a, uint b) { return ((a ^ b) * 0x9e3779b1u >> 31) == 0u; }

// The built-in sum of u32, as a user writes it.
#define VKP_T uint
#define VKP_COMMUTES

uint vkp_identity() { return 0u; }
uint vkp_combine(uint left, uint right) { return left + right; }

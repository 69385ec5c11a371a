// Numbers by <.
#define VKP_T uint
bool vkp_less(uint a, uint b) { return a < b; }

// No order at all: everything is less than everything.
#define VKP_T uvec2
bool vkp_less(uvec2 a, uvec2 b) { return true; }

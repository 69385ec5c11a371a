// A number below 2^62. Where words have 64 bits, one word holds the number and its tag.
#define VKP_HAS_62_BITS
#define VKP_T uvec2
#define VKP_WORDS 2
void vkp_pack(uvec2 x, out uint w[2]) { w = uint[](x.x, x.y); }
uvec2 vkp_unpack(uint w[2]) { return uvec2(w[0], w[1]); }
uvec2 vkp_identity() { return uvec2(0u); }
uvec2 vkp_combine(uvec2 a, uvec2 b) { return vkp_add64(a, b); }

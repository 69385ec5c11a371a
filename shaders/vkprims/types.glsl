// Element types: VKP_T and its 32-bit words, chosen by VKP_T_u32 … VKP_T_f64.
//
// Everything that moves elements between memory, invocations and shared memory does it by words:
//   VKP_T      the type           VKP_WORDS     its size in 32-bit words
//   VKP_PACK   void(T, out uint[VKP_WORDS])     vkp_pack / vkp_unpack
// Includers with a type of their own define these before (see README.md) and leave this file out.
#ifndef VKPRIMS_TYPES_GLSL
#define VKPRIMS_TYPES_GLSL

#include "core.glsl"

#if defined(VKP_T_u32)
#define VKP_T uint
#define VKP_WORDS 1
#define VKP_INTEGER 1
void vkp_pack(uint x, out uint w[1]) { w[0] = x; }
uint vkp_unpack(uint w[1]) { return w[0]; }
#elif defined(VKP_T_i32)
#define VKP_T int
#define VKP_WORDS 1
#define VKP_INTEGER 1
void vkp_pack(int x, out uint w[1]) { w[0] = uint(x); }
int vkp_unpack(uint w[1]) { return int(w[0]); }
#elif defined(VKP_T_f32)
#define VKP_T float
#define VKP_WORDS 1
#define VKP_INTEGER 0
void vkp_pack(float x, out uint w[1]) { w[0] = floatBitsToUint(x); }
float vkp_unpack(uint w[1]) { return uintBitsToFloat(w[0]); }
#elif defined(VKP_T_u64)
#extension GL_ARB_gpu_shader_int64 : require
#define VKP_T uint64_t
#define VKP_WORDS 2
#define VKP_INTEGER 1
void vkp_pack(uint64_t x, out uint w[2]) {
  const uvec2 v = unpackUint2x32(x);
  w[0] = v.x;
  w[1] = v.y;
}
uint64_t vkp_unpack(uint w[2]) { return packUint2x32(uvec2(w[0], w[1])); }
#elif defined(VKP_T_i64)
#extension GL_ARB_gpu_shader_int64 : require
#define VKP_T int64_t
#define VKP_WORDS 2
#define VKP_INTEGER 1
void vkp_pack(int64_t x, out uint w[2]) {
  const uvec2 v = unpackUint2x32(uint64_t(x));
  w[0] = v.x;
  w[1] = v.y;
}
int64_t vkp_unpack(uint w[2]) { return int64_t(packUint2x32(uvec2(w[0], w[1]))); }
#elif defined(VKP_T_f64)
#define VKP_T double
#define VKP_WORDS 2
#define VKP_INTEGER 0
void vkp_pack(double x, out uint w[2]) {
  const uvec2 v = unpackDouble2x32(x);
  w[0] = v.x;
  w[1] = v.y;
}
double vkp_unpack(uint w[2]) { return packDouble2x32(uvec2(w[0], w[1])); }
#else
#error "types.glsl: define one of VKP_T_u32, VKP_T_i32, VKP_T_f32, VKP_T_u64, VKP_T_i64, VKP_T_f64"
#endif

#define VKP_BYTES (4 * VKP_WORDS)

// Element `index` of the sequence at `base`; index * VKP_BYTES must stay below 2^32.
VKP_T vkp_load_element(uvec2 base, uint index) {
#if VKP_WORDS == 1
  return vkp_unpack(uint[1](VkpWords(base).v[index]));
#else
  const uvec2 w = VkpWords2(base).v[index];
  return vkp_unpack(uint[2](w.x, w.y));
#endif
}

void vkp_store_element(uvec2 base, uint index, VKP_T x) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
#if VKP_WORDS == 1
  VkpWords(base).v[index] = w[0];
#else
  VkpWords2(base).v[index] = uvec2(w[0], w[1]);
#endif
}

#endif

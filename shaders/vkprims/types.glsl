// The built-in element types, chosen by VKP_T_u32 … VKP_T_f64. A kernel for a type of its own
// defines these itself instead of including this file:
//   VKP_T       the type
//   VKP_WORDS   its size in 32-bit words, 1 … 8
//   vkp_pack    void(T, out uint[VKP_WORDS])
//   vkp_unpack  T(uint[VKP_WORDS])
#ifndef VKPRIMS_TYPES_GLSL
#define VKPRIMS_TYPES_GLSL

#include "vkprims/core.glsl"

#if defined(VKP_OWN_MONOID)
// A kernel of the library is built for a monoid of a user's (VkprimsMonoid.cmake).
#include "vkprims_monoid.glsl"
#elif defined(VKP_T_u32)
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

#endif

// What the kernels of a rolling mean of f64 share that are no part of the library: each result is
// the mean of the window that ends at its row; of rows whose window is not whole it is infinity.
#include "vkprims/core.glsl"

layout(constant_id = 1) const uint window = 1;

layout(push_constant) uniform Push { uint in_lo, in_hi, out_lo, out_hi, n_lo, n_hi; };

layout(buffer_reference, std430, buffer_reference_align = 8) buffer Doubles { double v[]; };

// The element or result `i` after number `first`.
uvec2 element(uvec2 base, uvec2 first, uint i) {
  return vkp_add64(base, vkp_mul64(vkp_add64(first, i), 8u));
}
double load(uvec2 first, uint i) { return Doubles(element(uvec2(in_lo, in_hi), first, i)).v[0]; }
void store(uvec2 row, double sum) {
  const bool whole = !vkp_less64(row, uvec2(window - 1u, 0u));
  const double infinity = packDouble2x32(uvec2(0u, 0x7ff00000u));
  Doubles(element(uvec2(out_lo, out_hi), row, 0u)).v[0] = whole ? sum / double(window) : infinity;
}
bool exists(uvec2 row) { return vkp_less64(row, uvec2(n_lo, n_hi)); }
// Where the window of a row begins; its first one for rows before that.
uvec2 begin_of(uvec2 row) {
  const uvec2 before = uvec2(window - 1u, 0u);
  return vkp_less64(row, before) ? uvec2(0u) : vkp_sub64(row, before);
}

// Points from left to right. Names of this file are those of the kernels that it is built into.
struct Part {
  vec2 position;
  int tag;
};
#define VKP_T Part
float split(Part push) { return push.position.x; }
bool vkp_less(Part a, Part b) { return split(a) < split(b); }

// A struct that sources share.
#ifndef PARTICLE_GLSL
#define PARTICLE_GLSL
struct Particle {
  uvec3 at, moves;
  uint life, kind;
};
#endif

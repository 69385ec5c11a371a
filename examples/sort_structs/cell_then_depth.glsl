// An order of particles: cells ascend, and in a cell the deepest comes first.
struct Particle {
  uint cell, depth, id, colour;
};
#define VKP_T Particle

bool vkp_less(Particle a, Particle b) {
  return a.cell != b.cell ? a.cell < b.cell : a.depth > b.depth;
}

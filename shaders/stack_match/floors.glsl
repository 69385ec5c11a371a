// What a run of symbols does to the level of the stack and to the lowest level since the last reset, as a monoid: the
// bicyclic semigroup (pops and pushes) seen as levels, with resets.
#ifndef VKPRIMS_STACK_MATCH_FLOORS_GLSL
#define VKPRIMS_STACK_MATCH_FLOORS_GLSL

#include "vkprims/core.glsl"

struct Run {
  int change;   // opens minus closes
  int floor;    // lowest level since the last reset, at most 0 if there is none; counted from where the run begins
  bool resets;
};

#define VKP_T Run
#define VKP_WORDS 3
Run vkp_identity() { return Run(0, 0, false); }
Run vkp_combine(Run left, Run right) {
  const int floor = left.change + right.floor;
  return Run(left.change + right.change, right.resets ? floor : min(left.floor, floor), left.resets || right.resets);
}
void vkp_pack(Run x, out uint w[3]) { w = uint[3](uint(x.change), uint(x.floor), x.resets ? 1u : 0u); }
Run vkp_unpack(uint w[3]) { return Run(int(w[0]), int(w[1]), w[2] != 0u); }
#include "vkprims/workgroup.glsl"

#endif

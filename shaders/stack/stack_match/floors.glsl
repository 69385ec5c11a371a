// A Run is what a run of symbols does to the level of the stack and to the lowest level since the
// last reset. Runs are a monoid: the bicyclic semigroup (pops and pushes) seen as levels, with
// resets.
#ifndef VKPRIMS_STACK_MATCH_FLOORS_GLSL
#define VKPRIMS_STACK_MATCH_FLOORS_GLSL

#include "vkprims/core.glsl"

struct Run {
  int change;   // opens minus closes
  // The lowest level since the last reset, at most 0 if there is none; counted from where the run
  // begins.
  int floor;
  bool resets;
};

#define VKP_T Run
Run vkp_identity() { return Run(0, 0, false); }
Run vkp_combine(const Run left, const Run right) {
  const int floor = left.change + right.floor;
  return Run(left.change + right.change, right.resets ? floor : min(left.floor, floor),
             left.resets || right.resets);
}
#ifdef VKP_STACK_SHORT_RUNS  // at most 2^14 symbols
#define VKP_WORDS 1
void vkp_pack(Run x, out uint w[1]) {
  w[0] = uint(x.change) << 16u | (uint(x.floor) & 0x7fffu) << 1u | (x.resets ? 1u : 0u);
}
Run vkp_unpack(uint w[1]) {
  const int x = int(w[0]);
  return Run(x >> 16, bitfieldExtract(x, 1, 15), (x & 1) != 0);
}
#else
#define VKP_WORDS 3
void vkp_pack(Run x, out uint w[3]) {
  w = uint[3](uint(x.change), uint(x.floor), x.resets ? 1u : 0u);
}
Run vkp_unpack(uint w[3]) { return Run(int(w[0]), int(w[1]), w[2] != 0u); }
#endif
#include "vkprims/workgroup/workgroup.glsl"

#ifdef VKP_STACK_SHORT_RUNS
#include "stack/stack_match/symbols.glsl"

// Returns the run of an invocation's block.
Run run_of(Symbols s) {
  Run run = Run(0, 0, s.resets != 0u);
  [[unroll]] for (uint e = 0u; e < BLOCK; ++e) {
    run.change +=
        int(bitfieldExtract(s.opens, int(e), 1)) - int(bitfieldExtract(s.closes, int(e), 1));
    run.floor = min(run.floor, run.change);
    if (bitfieldExtract(s.resets, int(e), 1) != 0u) run.floor = run.change;
  }
  return run;
}
#endif

#endif

// Windows of one side, stored for each row until those of the other side are computed.
//
// The stored windows lie in planes, one for each unit of a window, so that neighbouring invocations
// store neighbouring units, by way of the stage.
//
// The includer declares a push constant block `push` that is a RollingPush.
#ifndef VKPRIMS_ROLLING_PARTS_GLSL
#define VKPRIMS_ROLLING_PARTS_GLSL

#include "rolling/rolling/input.glsl"

// Returns where the items of this invocation begin in a plane; `first` is the first row of the
// tile.
uvec2 plane_of_parts(const uint unit, const uvec2 first, const uvec2 n) {
  const uvec2 place = vkp_add64(vkp_mul64(n, unit), vkp_add64(first, item_of(0u)));
  return vkp_add64(vkp_u64(push.parts), vkp_mul64(place, 4u * VALUE_WORDS));
}

void store_parts(uvec2 first, uint rows, Window windows[run_items], uvec2 n) {
  [[unroll]] for (uint unit = 0u; unit < UNITS; ++unit) {
    const uvec2 plane = plane_of_parts(unit, first, n);
    stage_barrier();
    [[unroll]] for (uint k = 0u; k < run_items; ++k) {
      UNIT u[UNITS];
      pack_units(windows[k], u);
      stage[place_of(own_run() * run_items) + k] = u[unit];
    }
    stage_barrier();
    [[unroll]] for (uint i = 0u; i < run_items; ++i) {
      const UNIT u = stage[item_place(i)];
      if (item_of(i) < rows) store_unit(plane, i * item_stride(), u);
    }
  }
}

// Appends to the windows of the own run the parts that come behind them.
void add_parts(uvec2 first, uint rows, inout Window windows[run_items], uvec2 n) {
  UNIT units[run_items][UNITS];
  [[unroll]] for (uint unit = 0u; unit < UNITS; ++unit) {
    const uvec2 plane = plane_of_parts(unit, first, n);
    stage_barrier();
    [[unroll]] for (uint i = 0u; i < run_items; ++i) {
      UNIT u = UNIT(0u);
      if (item_of(i) < rows) u = load_unit(plane, i * item_stride());
      stage[item_place(i)] = u;
    }
    stage_barrier();
    [[unroll]] for (uint k = 0u; k < run_items; ++k) {
      units[k][unit] = stage[place_of(own_run() * run_items) + k];
    }
  }
  [[unroll]] for (uint k = 0u; k < run_items; ++k) {
    windows[k] = combine_runs(windows[k], unpack_units(units[k]));
  }
}

#endif

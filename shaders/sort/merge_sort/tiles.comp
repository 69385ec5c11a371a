// Merge sort, first dispatch: every workgroup sorts a tile.
//
// An invocation sorts its own neighbouring elements in registers, by odd-even transposition: only
// neighbours change places, so the sort is stable. Then runs are merged in shared memory until the
// tile is one. If there are values, the elements take along the numbers of their places in the
// input.
// %INLINE% all
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/merge_sort/merge_path.glsl"
#include "sort/merge_sort/runs.glsl"
#include "vkprims/subgroup/subgroup_barrier.glsl"

// Replaces all but the first `valid` elements by the greatest of these. A stable sort leaves them
// behind.
void vkp_fill_up(inout VkpItem x[VKP_ITEMS], const uint valid) {
  VkpItem most = x[0];
  [[unroll]] for (uint i = 1u; i < VKP_ITEMS; ++i) {
    const bool greater = vkp_is_less(most, x[i]);
    most = vkp_choose(most, x[i], i < valid && greater);
  }
  [[unroll]] for (uint i = 1u; i < VKP_ITEMS; ++i) x[i] = vkp_choose(x[i], most, i >= valid);
}

void vkp_order(inout VkpItem x, inout VkpItem y, inout uint x_number, inout uint y_number) {
  const bool swap = vkp_is_less(y, x);
  const VkpItem low = vkp_choose(x, y, swap);
  y = vkp_choose(y, x, swap);
  x = low;
  const uint low_number = mix(x_number, y_number, swap);
  y_number = mix(y_number, x_number, swap);
  x_number = low_number;
}

// Turn t of the transposition. It is no loop within a loop, which would not be unrolled.
#define VKP_TURN(t)                                                               \
  [[unroll]] for (uint i = (t) % 2u; i < VKP_ITEMS - 1u; i += 2u) {               \
    if ((t) < VKP_ITEMS) vkp_order(x[i], x[i + 1u], number[i], number[i + 1u]);   \
  }
#define VKP_TURNS(t) VKP_TURN(t) VKP_TURN(t + 1u) VKP_TURN(t + 2u) VKP_TURN(t + 3u)

void vkp_sort_own(inout VkpItem x[VKP_ITEMS], inout uint number[VKP_ITEMS]) {
  VKP_TURNS(0u) VKP_TURNS(4u) VKP_TURNS(8u) VKP_TURNS(12u) VKP_TURNS(16u) VKP_TURNS(20u)
}

// A barrier of those who merge runs together. The runs of few invocations need but a subgroup.
void vkp_barrier_of(const uint invocations) {
  if (invocations <= gl_SubgroupSize) {
    vkp_subgroup_barrier();
  } else {
    barrier();
  }
}

void vkp_merge_all(inout VkpItem x[VKP_ITEMS], inout uint number[VKP_ITEMS], const uint count) {
  for (uint width = 1u; width < gl_WorkGroupSize.x; width *= 2u) {
    vkp_barrier_of(width);
    vkp_stage_own(x);
    vkp_barrier_of(2u * width);
    const uint lane = vkp_invocation() & (2u * width - 1u);
    const uint first = (vkp_invocation() - lane) * VKP_ITEMS;
    const uint run = width * VKP_ITEMS;
    const VkpRuns runs =
        VkpRuns(min(first, count), min(first + run, count), min(first + 2u * run, count));
    uint places[VKP_ITEMS];
    vkp_merge_runs(runs, min(lane * VKP_ITEMS, runs.b_end - runs.a_begin), vkp_first_step(run), x,
                   places);
    if (vkp_value_words != 0u) {
      vkp_barrier_of(2u * width);
      vkp_stage_own_numbers(number);
      vkp_barrier_of(2u * width);
      [[unroll]] for (uint i = 0u; i < VKP_ITEMS; ++i) number[i] = vkp_staged[places[i]];
    }
  }
}

void vkp_store_values(const uint number[VKP_ITEMS], const uvec2 from, const uvec2 to,
                      const uint count) {
  barrier();
  vkp_stage_own_numbers(number);
  barrier();
  uvec2 value[VKP_ITEMS];
  [[unroll]] for (uint i = 0u; i < VKP_ITEMS; ++i) {
    value[i] = vkp_load_value(from, min(vkp_staged[vkp_place_of_value(i)], count - 1u));
  }
  vkp_buffer_barrier();  // for a sort in place: all has been read
  [[unroll]] for (uint i = 0u; i < VKP_ITEMS; ++i) {
    const uint k = vkp_place_of_value(i);
    if (k < count) vkp_store_value(to, k, value[i]);
  }
}

void main() {
  const uvec2 n = vkp_read_count(vkp_push.count);
  const uvec2 first = vkp_mul64(vkp_group_index(), vkp_tile_items);
  // The workgroup returns as a whole, also where a count on the GPU leaves nothing for it.
  if (!vkp_less64(first, n)) return;
  const uint count = vkp_clamped_difference(n, first, vkp_tile_items);
  const bool to_out = vkp_is_in_out(0u, vkp_passes_of(n));
  const uvec2 in_base = vkp_address_of(vkp_u64(vkp_push.in_base), first, VKP_BYTES);
  vkp_stage(in_base, in_base, 0u, count);
  vkp_buffer_barrier();  // for a sort in place: all has been read
  VkpItem x[VKP_ITEMS];
  uint number[VKP_ITEMS];
  [[unroll]] for (uint i = 0u; i < VKP_ITEMS; ++i) {
    x[i] = vkp_staged_item(vkp_first_own() + i);
    number[i] = vkp_first_own() + i;
  }
  if (count < vkp_tile_items) vkp_fill_up(x, count - min(vkp_first_own(), count));
  vkp_sort_own(x, number);
  vkp_merge_all(x, number, count);
  barrier();
  vkp_stage_own(x);
  barrier();
  vkp_store_staged(vkp_address_of(vkp_out_keys(to_out), first, VKP_BYTES), count);
  if (vkp_value_words == 0u) return;
  const uint bytes = 4u * vkp_value_words;
  vkp_store_values(number, vkp_address_of(vkp_u64(vkp_push.values_in), first, bytes),
               vkp_address_of(vkp_out_values(to_out), first, bytes), count);
}

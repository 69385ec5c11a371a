// Top k: packs candidates or results, in their order, in one dispatch for each portion, by
// decoupled look-back; the algorithm is in vkprims/device/compact.glsl.
// %VARIANT% KEY word|pair
// %VARIANT% STATE word32|word64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/top_k/plan.glsl"
#include "sort/top_k/results.glsl"
#include "vkprims/device/lookback.glsl"

layout(constant_id = VKP_TOP_K_SPEC_MODE) const uint mode = VKP_TOP_K_RANGE;

VkpSequence sequence;  // for vkp_fold_tile
Taken taken;           // for vkp_flags, where results are selected
VKP_KEY low, high;     // the range of codes, where candidates are selected
uint below;            // elements of this lane seen below the range

uint vkp_flags(VkpPart part, uint existing) {
  if (mode != VKP_TOP_K_RANGE) return taken_flags(part, existing, taken);
  uvec4 cells[vkp_rows];
  vkp_load_part(part, existing, existing, cells);
  uint flags = 0u;
  uint lower = 0u;
  [[unroll]] for (uint i = 0u; i < vkp_batch_marks; ++i) {
    const VKP_KEY code = code_of(key_bits(cells[i / VKP_CELL_ITEMS], i % VKP_CELL_ITEMS));
    if (vkp_key_less(code, low)) {
      lower |= 1u << i;
    } else if (!vkp_key_less(high, code)) {
      flags |= 1u << i;
    }
  }
  below += bitCount(lower & existing);
  return flags;
}

uint vkp_fold_tile(const uint tile) { return vkp_selected(vkp_select(sequence, tile, 0u)); }

uint vkp_seed() { return 0u; }

uvec2 portion_first() { return vkp_shl64(uvec2(push.portion, 0u), VKP_TOP_K_PORTION_SHIFT); }

// Returns the elements of this portion, or none where there is nothing to do.
VkpSequence find_sequence() {
  uvec2 base = vkp_u64(push.in_base);
  uvec2 count = vkp_read_count(push.count);
  if (mode == VKP_TOP_K_RANGE && plan_word(VKP_TOP_K_SAMPLED) == 0u) count = uvec2(0u);
  if (mode == VKP_TOP_K_FROM_INPUT) count = plan_number(VKP_TOP_K_FROM_INPUT64);
  if (mode == VKP_TOP_K_FROM_CANDIDATES) {
    base = vkp_u64(push.candidates);
    count = plan_number(VKP_TOP_K_FROM_CANDIDATES64);
  }
  return VkpSequence(vkp_add64(base, vkp_mul64(portion_first(), VKP_KEY_BYTES)),
                     vkp_clamped_difference(count, portion_first(), VKP_TOP_K_PORTION));
}

Taken find_taken() {
  const bool cut = plan_word(VKP_TOP_K_STATE) == VKP_TOP_K_CUT;
  const uvec2 end = plan_number(VKP_TOP_K_TIES64);
  return Taken(
      plan_code(VKP_TOP_K_LAST64),
      cut ? vkp_clamped_difference(end, portion_first(), VKP_TOP_K_PORTION) : VKP_TOP_K_PORTION);
}

// `before` is the number of elements selected in earlier portions.
VkpPlaces find_places(uvec2 before) {
  const bool range = mode == VKP_TOP_K_RANGE;
  const uvec2 keys = range ? vkp_u64(push.candidates) : vkp_u64(push.out_base);
  const uvec2 indices = range ? vkp_u64(push.candidate_indices) : vkp_u64(push.index_base);
  const uint index_bytes = (vkp_outputs & VKP_COMPACT_WIDE_INDICES) != 0u ? 8u : 4u;
  VkpPlaces places;
  places.moves = true;
  places.numbers = mode != VKP_TOP_K_FROM_CANDIDATES && indices != uvec2(0u);
  places.selected = vkp_add64(keys, vkp_mul64(before, VKP_KEY_BYTES));
  places.rejected = uvec2(0u);
  places.indices = vkp_add64(indices, vkp_mul64(before, index_bytes));
  places.first = portion_first();
  places.values_in = vkp_u64(push.candidate_indices);
  places.values = indices;
  return places;
}

void add_below() {
  const uint total = vkp_scan_subgroups(vkp_sum_of_lanes(below)).total;
  if (gl_LocalInvocationIndex != 0u || total == 0u) return;
  const uint before = atomicAdd(plan().v[VKP_TOP_K_BELOW64], total, gl_ScopeQueueFamily, 0, 0);
  if (before + total < before) {
    atomicAdd(plan().v[VKP_TOP_K_BELOW64 + 1u], 1u, gl_ScopeQueueFamily, 0, 0);
  }
}

void main() {
  sequence = find_sequence();
  if (sequence.count == 0u) return;
  const bool range = mode == VKP_TOP_K_RANGE;
  const uint list = range ? 0u : 1u;
  const uvec2 before = selected_before(list, push.portion);
  taken = find_taken();
  low = plan_code(VKP_TOP_K_LOW64);
  high = plan_code(VKP_TOP_K_HIGH64);
  below = 0u;
  const VkpLookback lookback = VkpLookback(vkp_u64(push.states));
  const uint tiles = vkp_tiles(sequence);
  const uint tile = vkp_take_tile(lookback, tiles);
  if (tile == VKP_NO_TILE) return;
  const VkpSelection selection = vkp_select(sequence, tile, 0u);
  const uint selected = vkp_selected(selection);
  if (range && low != no_bits) add_below();
  uint prefix;
  VkpWalk walk = vkp_look_back(lookback, tile, selected);
  do {
    vkp_walk_on(lookback, walk);
    vkp_stage_tile(sequence, selection, tile);
  } while (!vkp_prefix_known(walk, prefix));
  if (tile == tiles - 1u && gl_LocalInvocationIndex == 0u) {
    VkpWords(selected_address(list, push.portion)).v[0] = prefix + selected;
  }
  if (selected == 0u) return;
  // Candidates that do not fit make the sample useless.
  const uvec2 end = vkp_add64(vkp_add64(before, prefix), selected);
  if (range && vkp_less64(uvec2(push.capacity, 0u), end)) return;
  vkp_place_tile(sequence, find_places(before), selection, tile, prefix, true);
}

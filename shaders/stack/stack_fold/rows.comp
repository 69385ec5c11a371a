// Folds of all items. This is the last dispatch of stack_fold; a subgroup goes over a tile by rows
// of one item for each lane.
//
// An item whose open is in the tile has the fold of that open, followed by the value of the open.
// Where the open is in the same row, such opens make a chain of lanes, and each round reaches twice
// as far along it. Opens of earlier rows have their folds in `out` by then, and items whose stack
// in the tile is empty have them from seeds.comp.
//
// Work: at most log2(subgroup size) rounds a row.
#version 460
// %VARIANT% T u32|f32|rectangle|affine
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_vote : require
#include "stack/stack_fold/tile_codes.glsl"
#include "vkprims/subgroup/subgroup_barrier.glsl"

// Releases what store_out() has stored for a row, and acquires it for load_out() in fold_row() of
// the rows behind. Only other lanes of the same subgroup read it.
void row_barrier() { vkp_subgroup_buffer_barrier(); }

VKP_T value_of_item(Tile t, uint item) {
  const bool exists = item >= t.range.begin && item < t.range.symbols;
  return exists ? load_in(vkp_add64(t.first, item)) : vkp_identity();
}

// Returns the fold before each item of a row; `x` are the values of these items.
VKP_T fold_row(Tile t, uint row, uint code, VKP_T x) {
  const uint item = row + gl_SubgroupInvocationID;
  const bool in_row = code != NO_CODE && code >= row;
  VKP_T fold = vkp_identity();
  if (code == NO_CODE) {
    if (is_seeded(t, item)) fold = load_out(vkp_add64(t.first, item));
  } else if (!in_row) {
    const uvec2 open = vkp_add64(t.first, code);
    fold = vkp_combine(load_out(open), load_in(open));
  }
  uint link = in_row ? code - row : gl_SubgroupInvocationID;
  const VKP_T of_open = vkp_shuffle(x, link);
  if (in_row) fold = of_open;
  bool done = !in_row;
  while (!subgroupAll(done)) {
    const VKP_T before = vkp_shuffle(fold, link);
    const uint packed = subgroupShuffle(link << 1u | (done ? 1u : 0u), link);
    if (!done) {
      fold = vkp_combine(before, fold);
      link = packed >> 1u;
      done = (packed & 1u) != 0u;
    }
  }
  return fold;
}

void fold_tile(uint tile, uvec2 items) {
  const Tile t = load_tile(tile, items);
  uint code = code_of(t, gl_SubgroupInvocationID);
  VKP_T x = value_of_item(t, gl_SubgroupInvocationID);
  for (uint row = 0u; row < t.range.end; row += gl_SubgroupSize) {
    const uint item = row + gl_SubgroupInvocationID;
    // The next row is loaded ahead, as all else waits for what was stored before.
    const uint next_code = code_of(t, item + gl_SubgroupSize);
    const VKP_T next_x = value_of_item(t, item + gl_SubgroupSize);
    const VKP_T fold = fold_row(t, row, code, x);
    if (item >= t.range.begin && item < t.range.end) store_out(vkp_add64(t.first, item), fold);
    row_barrier();
    code = next_code;
    x = next_x;
  }
}

void main() {
  const uvec2 items = item_count();
  for (uint i = gl_SubgroupID; i < VKP_STACK_FOLD_TILES; i += gl_NumSubgroups) {
    const uint tile = vkp_group_index() * VKP_STACK_FOLD_TILES + i;
    if (tile < tiles_of(items)) fold_tile(tile, items);
  }
}

// Adjacent difference: a function of every element and its neighbour.
//
// An invocation treats one 16-byte cell of 4 or 2 elements at once (vkprims/memory/cells.glsl).
// Only one neighbour of these elements lies outside the cell. It comes from the next lane's cell by
// a shuffle, or at the edge of a subgroup from memory, out of a line that a neighbouring subgroup
// loads anyway. Where the first or last cell is not whole, or the input does not start at the same
// place of a cell as the output, single elements take the place of cells in the same scheme.
// %VARIANT% T u32|i32|f32|u64|i64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "elementwise/adjacent_difference/adjacent_difference.abi.h"
#include "vkprims/map_ops.glsl"
#include "vkprims/memory/cells.glsl"
#include "vkprims/subgroup/subgroup.glsl"
#include "vkprims/memory/tile.glsl"

layout(constant_id = VKP_ADJACENT_DIFFERENCE_SPEC_RIGHT) const uint right = 0;
layout(push_constant) uniform Push { AdjacentDifferencePush push; };

// Invocations are numbered by subgroup and lane, because gl_LocalInvocationIndex need not follow
// the lanes.
uint invocation() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

VkpItems items;  // of this tile: items [begin, end) exist, and more may exist before and behind
bool before_exists, behind_exists;

bool has_neighbour(uint item) {
  if (right != 0u) return item + 1u < items.end || behind_exists;
  return item > items.begin || before_exists;
}

// Loads the neighbour of an item of the tile; item -1 is the last one of the tile before.
VKP_T load_neighbour(uint item) {
  if (right != 0u) return vkp_load_element(items.base, item + 1u);
  if (item > 0u) return vkp_load_element(items.base, item - 1u);
  return vkp_load_element(vkp_sub64(items.base, uvec2(VKP_BYTES, 0u)), 0u);
}

// The item of a cell whose neighbour is in another cell, and the lane whose neighbouring cell no
// lane has.
const uint edge_item = right != 0u ? VKP_CELL_ITEMS - 1u : 0u;
uint edge_lane() { return right != 0u ? gl_SubgroupSize - 1u : 0u; }

// Returns x of the next lane, or `edge` where there is none. All lanes of a subgroup call this at
// once.
VKP_T of_next_lane(VKP_T x, VKP_T edge) {
  const uint lane = gl_SubgroupInvocationID;
  const VKP_T next = vkp_shuffle(x, right != 0u ? min(lane + 1u, edge_lane()) : max(lane, 1u) - 1u);
  if (lane == edge_lane()) return edge;
  return next;
}

// Returns the result of a cell. In edge_lane(), the neighbour of edge_item is `edge`, if
// edge_exists. All lanes of a subgroup call this at once.
VkpCell treat_cell(VkpCell cell, VKP_T edge, bool edge_exists) {
  const VKP_T neighbour = of_next_lane(vkp_cell_item(cell, VKP_CELL_ITEMS - 1u - edge_item), edge);
  VkpCell result = cell;
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    if (k == edge_item) {
      if (edge_exists) vkp_set_cell_item(result, k, vkp_binary(vkp_cell_item(cell, k), neighbour));
    } else {
      const uint other = (right != 0u ? k + 1u : k + VKP_CELL_ITEMS - 1u) % VKP_CELL_ITEMS;
      vkp_set_cell_item(result, k, vkp_binary(vkp_cell_item(cell, k), vkp_cell_item(cell, other)));
    }
  }
  return result;
}

void main() {
  const uvec2 count = vkp_read_count(push.count);
  const uvec2 out_base = vkp_u64(push.out_base);
  const uint head = vkp_row_words == 4u ? vkp_cell_head(out_base) : 0u;
  const uint tile = vkp_group_index();
  const uint tile_items = gl_WorkGroupSize.x * vkp_rows * VKP_CELL_ITEMS;
  const uvec2 first = vkp_mul64(tile, tile_items);
  const uint valid = vkp_clamped_difference(vkp_add64(count, head), first, tile_items + 1u);
  if (valid == 0u || count == uvec2(0u)) return;

  const uvec2 from = vkp_mul64(vkp_sub64(first, uvec2(head, 0u)), VKP_BYTES);
  const uvec2 to = vkp_add64(out_base, from);
  items = VkpItems(vkp_add64(vkp_u64(push.in_base), from), tile == 0u ? head : 0u,
                   min(valid, tile_items));
  before_exists = tile != 0u;
  behind_exists = valid > tile_items;
  if (vkp_row_words == 4u && items.begin == 0u && items.end == tile_items) {
    VkpCell cell[vkp_rows];
    VKP_T edge[vkp_rows];
    bool edge_exists[vkp_rows];
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      const uint number = i * gl_WorkGroupSize.x + invocation();
      cell[i] = vkp_load_whole_cell(items.base, number);
      edge[i] = vkp_identity();
      edge_exists[i] = true;
      if (gl_SubgroupInvocationID == edge_lane()) {
        edge_exists[i] = has_neighbour(number * VKP_CELL_ITEMS + edge_item);
        if (edge_exists[i]) edge[i] = load_neighbour(number * VKP_CELL_ITEMS + edge_item);
      }
    }
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      vkp_store_whole_cell(to, i * gl_WorkGroupSize.x + invocation(),
                           treat_cell(cell[i], edge[i], edge_exists[i]));
    }
  } else {
    VKP_T x[vkp_rows * VKP_CELL_ITEMS];
    VKP_T edge[vkp_rows * VKP_CELL_ITEMS];
    [[unroll]] for (uint i = 0u; i < vkp_rows * VKP_CELL_ITEMS; ++i) {
      const uint item = i * gl_WorkGroupSize.x + invocation();
      x[i] = vkp_identity();
      edge[i] = vkp_identity();
      if (item >= items.begin && item < items.end) {
        x[i] = vkp_load_element(items.base, item);
        if (gl_SubgroupInvocationID == edge_lane() && has_neighbour(item)) {
          edge[i] = load_neighbour(item);
        }
      }
    }
    [[unroll]] for (uint i = 0u; i < vkp_rows * VKP_CELL_ITEMS; ++i) {
      const uint item = i * gl_WorkGroupSize.x + invocation();
      const VKP_T neighbour = of_next_lane(x[i], edge[i]);
      if (item >= items.begin && item < items.end) {
        vkp_store_element(to, item, has_neighbour(item) ? vkp_binary(x[i], neighbour) : x[i]);
      }
    }
  }
}

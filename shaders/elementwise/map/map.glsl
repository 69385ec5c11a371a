// Map by a function of a user's: a kernel that vkprims_add_map() builds. It is no .comp, since the
// library itself has no use for it.
//
// A cell is what an invocation handles at once, as in vkprims/device/map.glsl. It has as many
// neighbours as make the largest element of all inputs and outputs up to 16 bytes. The first output
// is seen as cells that are aligned in memory, and so are all others if they start at the same
// place of a cell. Otherwise, and at the edges, elements are handled one by one. An invocation
// reads what it needs before it writes, and no other invocation writes there, so in place is safe.
//
// vkprims_map.glsl is generated. It includes the user's source, and has
//   VKP_OUT0_WORDS, VKP_MAP_ITEMS     words of an element of the first output, elements of a cell
//   VKP_EACH_INPUT(DO)                DO(k, w<k>, its words) for each input
//   VKP_EACH_OUTPUT(DO)               the same for each output
//   struct VkpMapItem, VkpMapResult   members `uint w<k>[its words]`
//   VKP_ARGUMENTS, VKP_ARGUMENT_WORDS their type, with vkp_unpack_arguments(); they may be missing
//   VkpMapResult vkp_map_item(VkpMapItem x, uvec2 index), with arguments behind it if there are any
// Specialization: VKP_SPEC_ROWS, and VKP_SPEC_ROW_WORDS, which is 4 if all cells are aligned, else
// 1.
//
// Most functions are short, and some drivers make a kernel slower for having any call.
// %INLINE% all
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/core.glsl"
#include "vkprims/memory/tile.glsl"
#include "elementwise/map/map.abi.h"

layout(push_constant) uniform VkpPush { MapPush vkp_push; };

#include "vkprims_map.glsl"

// The words of a cell of each input and each output. The first member is for structs without
// others.
#define VKP_MEMBER(K, W, WORDS) uint W[8];
struct VkpInCells {
  uint none;
  VKP_EACH_INPUT(VKP_MEMBER)
};
struct VkpOutCells {
  uint none;
  VKP_EACH_OUTPUT(VKP_MEMBER)
};

// These move cell `cell` of `words` words, a number that is known where they are called. If the
// cells are aligned, they lie at multiples of the largest power of two in their size, up to 16.
void vkp_load_cell(uvec2 base, uint cell, uint words, bool aligned, out uint w[8]) {
  if (words == 2u) {
    const uvec2 v = VkpWords2(base).v[cell];
    w[0] = v.x;
    w[1] = v.y;
  } else if (aligned && words % 4u == 0u) {
    [[unroll]] for (uint i = 0u; i < 2u; ++i) {
      if (4u * i < words) {
        const uvec4 v = VkpWords4(base).v[cell * (words / 4u) + i];
        [[unroll]] for (uint k = 0u; k < 4u; ++k) w[4u * i + k] = v[k];
      }
    }
  } else {
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
      if (i < words) w[i] = VkpWords(base).v[cell * words + i];
    }
  }
}

void vkp_store_cell(uvec2 base, uint cell, uint words, bool aligned, uint w[8]) {
  if (words == 2u) {
    VkpWords2(base).v[cell] = uvec2(w[0], w[1]);
  } else if (aligned && words % 4u == 0u) {
    [[unroll]] for (uint i = 0u; i < 2u; ++i) {
      if (4u * i < words) {
        VkpWords4(base).v[cell * (words / 4u) + i] =
            uvec4(w[4u * i], w[4u * i + 1u], w[4u * i + 2u], w[4u * i + 3u]);
      }
    }
  } else {
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
      if (i < words) VkpWords(base).v[cell * words + i] = w[i];
    }
  }
}

// Returns the address of element `from` of a sequence; before element 0 it wraps.
uvec2 vkp_part_of(const VkpU64 base, const uvec2 from, const uint words) {
  return vkp_add64(vkp_u64(base), vkp_mul64(from, 4u * words));
}

#ifdef VKP_ARGUMENTS
VKP_ARGUMENTS vkp_pushed_arguments() {
  const uvec2 address = vkp_u64(vkp_push.arguments.address);
  uint w[VKP_ARGUMENT_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_ARGUMENT_WORDS; ++i) w[i] = vkp_push.arguments.words[i];
  if (address != uvec2(0u)) {
    [[unroll]] for (uint i = 0u; i < VKP_ARGUMENT_WORDS; ++i) w[i] = VkpWords(address).v[i];
  }
  return vkp_unpack_arguments(w);
}
#define VKP_CALL(X, INDEX) vkp_map_item(X, INDEX, arguments)
#else
#define VKP_CALL(X, INDEX) vkp_map_item(X, INDEX)
#endif

#define VKP_LOAD_CELL(K, W, WORDS)                                                       \
  vkp_load_cell(vkp_part_of(vkp_push.in_base[K], from, WORDS), vkp_move(i),              \
                VKP_MAP_ITEMS * WORDS, true, x[i].W);
#define VKP_TAKE(K, W, WORDS)                                                            \
  [[unroll]] for (uint j = 0u; j < WORDS; ++j) item.W[j] = x[i].W[k * WORDS + j];
#define VKP_PUT(K, W, WORDS)                                                             \
  [[unroll]] for (uint j = 0u; j < WORDS; ++j) y.W[k * WORDS + j] = result.W[j];
#define VKP_STORE_CELL(K, W, WORDS)                                                      \
  vkp_store_cell(vkp_part_of(vkp_push.out_base[K], from, WORDS), vkp_move(i),            \
                 VKP_MAP_ITEMS * WORDS, true, y.W);
#define VKP_LOAD_ITEM(K, W, WORDS)                                                       \
  vkp_load_cell(vkp_part_of(vkp_push.in_base[K], from, WORDS), number, WORDS, false, x[i].W);
#define VKP_STORE_ITEM(K, W, WORDS)                                                      \
  vkp_store_cell(vkp_part_of(vkp_push.out_base[K], from, WORDS), number, WORDS, false, y.W);

void main() {
  const uvec2 count = vkp_read_count(vkp_push.count);
  const uint tile_items = gl_WorkGroupSize.x * vkp_rows * VKP_MAP_ITEMS;
  uint head = 0u;  // elements between the start of a cell and the output
  if (VKP_MAP_ITEMS > 1 && vkp_row_words == 4u) {
    head = vkp_push.out_base[0].lo / (4u * VKP_OUT0_WORDS) % VKP_MAP_ITEMS;
  }
  const uint tile = vkp_group_index();
  const uvec2 first = vkp_mul64(tile, tile_items);
  const uint valid = vkp_clamped_difference(vkp_add64(count, head), first, tile_items);
  if (valid == 0u || count == uvec2(0u)) return;
#ifdef VKP_ARGUMENTS
  const VKP_ARGUMENTS arguments = vkp_pushed_arguments();
#endif

  const uvec2 from = vkp_sub64(first, uvec2(head, 0u));
  VkpMapItem item;
  VkpOutCells y;
  if (vkp_row_words == 4u && valid == tile_items && (tile != 0u || head == 0u)) {
    VkpInCells x[vkp_rows];
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) { VKP_EACH_INPUT(VKP_LOAD_CELL) }
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      [[unroll]] for (uint k = 0u; k < VKP_MAP_ITEMS; ++k) {
        VKP_EACH_INPUT(VKP_TAKE)
        const VkpMapResult result =
            VKP_CALL(item, vkp_add64(from, vkp_move(i) * VKP_MAP_ITEMS + k));
        VKP_EACH_OUTPUT(VKP_PUT)
      }
      VKP_EACH_OUTPUT(VKP_STORE_CELL)
    }
  } else {
    const uint begin = tile == 0u ? head : 0u;
    const uint k = 0u;
    VkpInCells x[vkp_rows * VKP_MAP_ITEMS];
    [[unroll]] for (uint i = 0u; i < vkp_rows * VKP_MAP_ITEMS; ++i) {
      const uint number = vkp_move(i);
      if (number >= begin && number < valid) { VKP_EACH_INPUT(VKP_LOAD_ITEM) }
    }
    [[unroll]] for (uint i = 0u; i < vkp_rows * VKP_MAP_ITEMS; ++i) {
      const uint number = vkp_move(i);
      if (number >= begin && number < valid) {
        VKP_EACH_INPUT(VKP_TAKE)
        const VkpMapResult result = VKP_CALL(item, vkp_add64(from, number));
        VKP_EACH_OUTPUT(VKP_PUT)
        VKP_EACH_OUTPUT(VKP_STORE_ITEM)
      }
    }
  }
}

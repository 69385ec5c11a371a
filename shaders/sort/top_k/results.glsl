// Finds which elements are taken, once the last one is known.
#ifndef TOP_K_RESULTS_GLSL
#define TOP_K_RESULTS_GLSL

#include "sort/top_k/codes.glsl"
#include "vkprims/device/compact.glsl"

struct Taken {
  VKP_KEY last;   // code of the last element taken
  uint ties_end;  // elements with the same code are taken before this position
};

uint taken_flags(VkpPart part, uint existing, Taken taken) {
  uvec4 cells[vkp_rows];
  vkp_load_part(part, existing, existing, cells);
  uint flags = 0u;
  [[unroll]] for (uint i = 0u; i < vkp_batch_marks; ++i) {
    const VKP_KEY code = code_of(key_bits(cells[i / VKP_CELL_ITEMS], i % VKP_CELL_ITEMS));
    const uint position =
        part.first + vkp_part_cell(i / VKP_CELL_ITEMS) * VKP_CELL_ITEMS + i % VKP_CELL_ITEMS;
    if (vkp_key_less(code, taken.last) || (code == taken.last && position < taken.ties_end)) {
      flags |= 1u << i;
    }
  }
  return flags;
}

#endif

// A heap for kernels: it has blocks of 16, 32, 64 … bytes, and for each size a list of those that
// came back.
//
// A dispatch either takes blocks or gives them back, never both, and barriers separate dispatches.
// Therefore:
// - A list is an array and a counter. To take is to count down and read the entry there; to give
//   back is to count up and write it. In a dispatch all count the same way, so no two get the same
//   entry, and an entry is read in another dispatch than the one that wrote it. Nothing is chained
//   and nothing compared, so there is no head that could be taken, come back and look as if it had
//   never gone (ABA).
// - Nobody waits for another or tries again: a block costs a few atomics for each size that has
//   none left.
// An invocation that finds a counter used up puts back what it took off. Until then others find
// even less, and nobody finds more: from the first that finds nothing on, the counter is at most 0
// until the dispatch ends.
#include "heap.abi.h"
#include "vkprims/core.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer HeapAt { HeapState v; };

const uint HEAP_NO_BLOCK = 0xffffffffu;

// Returns the number of a block of size `k`: one that came back, or one that nobody has had.
uint heap_take_block(HeapAt heap, uint k) {
  const int listed = atomicAdd(heap.v.classes[k].listed, -1, gl_ScopeQueueFamily, 0, 0);
  if (listed > 0) {
    const uvec2 list = vkp_add64(vkp_u64(heap.v.lists), vkp_mul64(heap.v.classes[k].list, 4u));
    return VkpWords(vkp_add64(list, vkp_mul64(uint(listed) - 1u, 4u))).v[0];
  }
  atomicAdd(heap.v.classes[k].listed, 1, gl_ScopeQueueFamily, 0, 0);
  const uint used = atomicAdd(heap.v.classes[k].used, 1u, gl_ScopeQueueFamily, 0, 0);
  if (used < heap.v.classes[k].blocks) return used;
  atomicAdd(heap.v.classes[k].used, ~0u, gl_ScopeQueueFamily, 0, 0);  // one less
  return HEAP_NO_BLOCK;
}

// Returns the address of `bytes` bytes, a multiple of 16; 0 if there are none, which is counted.
uvec2 heap_allocate(HeapAt heap, uint bytes) {
  uint k = 0u;
  if (bytes > 1u << HEAP_UNIT_SHIFT) k = uint(findMSB(bytes - 1u)) + 1u - HEAP_UNIT_SHIFT;
  for (; k < HEAP_CLASSES; ++k) {
    const uint block = heap_take_block(heap, k);
    if (block != HEAP_NO_BLOCK) {
      const uvec2 units = vkp_add64(vkp_shl64(uvec2(block, 0u), k), heap.v.classes[k].first);
      return vkp_add64(vkp_u64(heap.v.memory), vkp_shl64(units, HEAP_UNIT_SHIFT));
    }
  }
  atomicAdd(heap.v.failed, 1u, gl_ScopeQueueFamily, 0, 0);
  return uvec2(0u);
}

// Gives back memory that heap_allocate() has given.
void heap_free(HeapAt heap, uvec2 at) {
  const uint unit = vkp_shr64(vkp_sub64(at, vkp_u64(heap.v.memory)), HEAP_UNIT_SHIFT).x;
  uint k = 0u;
  for (uint i = 1u; i < HEAP_CLASSES; ++i) {
    if (heap.v.classes[i].first <= unit) k = i;
  }
  const uint block = (unit - heap.v.classes[k].first) >> k;
  const int listed = atomicAdd(heap.v.classes[k].listed, 1, gl_ScopeQueueFamily, 0, 0);
  // Each block is in the list at most once, so there is room; a block that comes back twice must
  // not do harm.
  if (uint(listed) >= heap.v.classes[k].blocks) return;
  const uvec2 list = vkp_add64(vkp_u64(heap.v.lists), vkp_mul64(heap.v.classes[k].list, 4u));
  VkpWords(vkp_add64(list, vkp_mul64(uint(listed), 4u))).v[0] = block;
}

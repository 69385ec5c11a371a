// Inclusive sums of each block by a tree: O(n) additions, in twice as many steps as doubling takes.
//
// Source: Blelloch, "Prefix Sums and Their Applications", CMU-CS-90-190, 1990; the padding as in
// Harris, Sengupta and Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, chapter 39, 2007.
// The tree lies in place: the node over the words [a, a + 2 s) is kept at a + 2 s - 1, its left
// child at a + s - 1; its right child's place is its own. Invariants: after the up-sweep's step of
// stride s, the node over each 2 s words holds their sum. In the down-sweep a node holds the sum of
// everything before its words, the root 0; it hands that to its left child, and that plus the left
// child's sum to the right one. The leaves then hold the exclusive sums, and each word itself is
// added at the end. In a step every place belongs to one node, so to one invocation; the barriers
// are between the steps.
//
// Shared memory has 32 banks, a word wide; invocations that run together and touch different words
// of one bank take turns. A step touches words 2 s apart: unpadded, 32 invocations would share 32 /
// (2 s) banks, and a single one from s = 16 on. So one word is left out after every 32. Words 2 s
// <= 32 apart then lie on 2 s rows, each a bank further than the last, and fill the gaps that the
// others leave. Words 2 s > 32 apart are 2 s / 32 banks apart, and 1024 words have only 32 rows: no
// two meet.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "scan_levels/block.glsl"

const uint banks = 32u;
shared uint tree[block_words + block_words / banks];

uint place(uint i) { return i + i / banks; }

void main() {
  const Block block = this_block();
  if (block.valid == 0u) return;
  uint word[items];
  for (uint k = 0u; k < items; ++k) {
    const uint i = k * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    word[k] = load_word(block, i);
    tree[place(i)] = word[k];
  }
  // The loops over nodes run equally often in all invocations; the last round may be partly empty.
  for (uint stride = 1u; stride < block_words; stride *= 2u) {
    barrier();
    const uint nodes = block_words / (2u * stride);
    for (uint first = 0u; first < nodes; first += gl_WorkGroupSize.x) {
      const uint node = first + gl_LocalInvocationIndex;
      if (node < nodes) {
        const uint right = place((2u * node + 2u) * stride - 1u);
        tree[right] += tree[place((2u * node + 1u) * stride - 1u)];
      }
    }
  }
  // The root: the last step was this invocation's alone.
  if (gl_LocalInvocationIndex == 0u) tree[place(block_words - 1u)] = 0u;
  for (uint stride = block_words / 2u; stride > 0u; stride /= 2u) {
    barrier();
    const uint nodes = block_words / (2u * stride);
    for (uint first = 0u; first < nodes; first += gl_WorkGroupSize.x) {
      const uint node = first + gl_LocalInvocationIndex;
      if (node < nodes) {
        const uint left = place((2u * node + 1u) * stride - 1u);
        const uint right = place((2u * node + 2u) * stride - 1u);
        const uint left_sum = tree[left];
        tree[left] = tree[right];
        tree[right] += left_sum;
      }
    }
  }
  barrier();
  for (uint k = 0u; k < items; ++k) {
    const uint i = k * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    store_word(block, i, tree[place(i)] + word[k]);
  }
}

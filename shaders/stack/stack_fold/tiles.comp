// Folds over what brackets enclose, as far as they are within a tile, with a workgroup for each
// tile. This is the dispatch of stack_fold behind those of stack_match for such folds.
//
// The symbols of a tile are the leaves of a binary tree of folds in shared memory. A list of ranges
// is folded on it: what each open encloses, up to its close, the next reset or the end of the tile;
// for each close whose open is not in the tile, what is before it; and, as a node of the tree over
// tiles, what is before the first reset. Ranges are made up of at most one node at the left and one
// at the right of each height, which are folded apart, so the order is kept. A range that ends at a
// close has no reset in it, so nodes need not say whether they stop. Invocations take ranges from
// the list, so that no lane waits for others because its own symbol has none.
//
// Closes without an open get the fold of what is before them, too, as only stack_match's answers
// tell them from closes of opens in earlier tiles; enclosed.comp corrects them.
//
// Work: at most 2 * log2(symbols of a tile) nodes for each range, whatever the input.
#version 460
// %VARIANT% T u32|f32|rectangle|affine
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_fold/tree_nodes.glsl"
#include "stack/stack_match/tags.glsl"
#include "vkprims/workgroup/shared_words.glsl"

const uint TILE = BLOCK * tile_blocks;
const uint AT_RESET = 0xffffu;  // the end of a range, where it is the next reset

// Node i has the children 2 i and 2 i + 1, and leaves begin at TILE. Each word has a plane. Indices
// are signed, so that an address is one variable and a constant (vkprims/README.md).
shared uint tree[2u * TILE * VKP_WORDS];
const int PLANE = int(2u * TILE);
// A range has the place of its bracket in the upper half. In the lower half is where it ends if the
// bracket is an open, which is never at 0, and 0 if it is a close.
shared uint ranges[TILE];
shared uint range_count;
shared uint is_close[TILE];  // in the end, for those whose open is not in the tile
shared uint resets[tile_blocks];
shared uint far_opens[tile_blocks];  // for masks_at()
shared uint far_closes[tile_blocks];

VKP_T fold_of(const uint node) {
  uint w[VKP_WORDS];
  [[unroll]] for (int i = 0; i < VKP_WORDS; ++i) {
    w[i] = vkp_load_shared_word(tree[int(node) + PLANE * i]);
  }
  return vkp_unpack(w);
}
void set_fold(const uint node, const VKP_T x) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
  [[unroll]] for (int i = 0; i < VKP_WORDS; ++i) tree[int(node) + PLANE * i] = w[i];
}

VKP_T fold_range(uint from, uint end) {
  VKP_T left = vkp_identity();
  VKP_T right = vkp_identity();
  for (uvec2 node = uvec2(from, end) + TILE; node.x < node.y; node /= 2u) {
    if (node.x % 2u != 0u) left = vkp_combine(left, fold_of(node.x++));
    if (node.y % 2u != 0u) right = vkp_combine(fold_of(--node.y), right);
  }
  return vkp_combine(left, right);
}

// Returns the place of the first reset from a place on, or the end of the tile.
uint next_reset(uint place) {
  uint block = place / BLOCK;
  uint bits = vkp_load_shared_word(resets[block]) & ~0u << place % BLOCK;
  while (bits == 0u && block + 1u < tile_blocks) bits = vkp_load_shared_word(resets[++block]);
  return bits == 0u ? TILE : block * BLOCK + findLSB(bits);
}

// Appends a range to the list. All invocations of the workgroup call this.
void append(const bool exists, const uint range) {
  const uvec4 ballot = subgroupBallot(exists);
  uint at = 0u;
  if (subgroupElect()) at = atomicAdd(range_count, subgroupBallotBitCount(ballot));
  at = subgroupBroadcastFirst(at) + subgroupBallotExclusiveBitCount(ballot);
  if (exists) ranges[at] = range;
}

// Takes in the symbol at a place, and returns the end of its range if it is an open, else 0.
uint load_symbol(uint place, uint first) {
  const uint element = first + place;
  const VKP_T x = load_in(uvec2(element, 0u));
  const uint kind = tag_of(vkp_add64(uvec2(element, 0u), push.head)) & 3u;
  VKP_T own = vkp_identity();
  if (kind <= KIND_OPEN) own = x;
  set_fold(TILE + place, own);
  is_close[place] = kind == KIND_CLOSE ? 1u : 0u;
  if (kind == KIND_RESET) atomicOr(resets[place / BLOCK], 1u << place % BLOCK);
  if (kind == KIND_NONE || kind == KIND_RESET) store_out(uvec2(element, 0u), own);
  if (kind != KIND_OPEN) return 0u;
  const uint close = VkpWords(answer_at(element)).v[0];
  return close == NONE ? AT_RESET : min(close - first, TILE);
}

// Folds a range of the list, or the tile's, whose place is TILE.
void fold_listed(uint tile, uint place, uint given_end) {
  const uint first = tile * TILE;
  const bool is_open = given_end != 0u;
  const bool is_tile = place == TILE;
  uint from = 0u, end = place;
  if (is_open) {
    from = place + 1u - fold_push.with_open;
    end = given_end;
  }
  if (is_tile || given_end == AT_RESET) end = next_reset(is_tile ? 0u : place);
  const VKP_T x = fold_range(from, end);
  if (is_tile) {
    store_node(tile, Node(x, end < TILE));
    return;
  }
  store_out(uvec2(first + place, 0u), x);
  if (!is_open) return;
  const bool is_closed = given_end != AT_RESET;
  if (end == TILE) {
    atomicOr(far_opens[place % tile_blocks], 1u << place / tile_blocks);
    if (is_closed) {
      const uint close = VkpWords(answer_at(first + place)).v[0];
      VkpWords(answer_at(close)).v[0] = first + place;
    }
  } else if (is_closed) {
    store_out(uvec2(first + end, 0u), x);
  }
}

void main() {
  const uint own = gl_LocalInvocationIndex;
  const uint tile = vkp_group_index();
  const uint count = vkp_read_count(push.count).x;
  if (tile >= tile_count()) return;
  const uint first = tile * TILE;
  if (own == 0u) range_count = 0u;
  if (own < tile_blocks) {
    resets[own] = 0u;
    far_opens[own] = 0u;
    far_closes[own] = 0u;
  }
  barrier();
  for (uint begin = 0u; begin < TILE; begin += gl_WorkGroupSize.x) {
    const uint place = begin + own;
    uint end = 0u;
    if (first + place < count) {
      end = load_symbol(place, first);
    } else {
      set_fold(TILE + place, vkp_identity());
      is_close[place] = 0u;
    }
    append(end != 0u, place << 16u | end);
  }
  barrier();
  for (uint begin = 0u; begin < TILE; begin += gl_WorkGroupSize.x) {
    const uint end = ranges[begin + own] & 0xffffu;
    if (begin + own < range_count && end < TILE) is_close[end] = 0u;
  }
  barrier();
  for (uint begin = 0u; begin < TILE; begin += gl_WorkGroupSize.x) {
    const uint place = begin + own;
    const bool is_far = is_close[place] != 0u;
    if (is_far) atomicOr(far_closes[place % tile_blocks], 1u << place / tile_blocks);
    append(is_far, place << 16u);
  }
  for (uint width = TILE / 2u; width != 0u; width /= 2u) {
    for (uint begin = 0u; begin < width; begin += gl_WorkGroupSize.x) {
      const uint node = width + begin + own;
      if (begin + own < width) {
        set_fold(node, vkp_combine(fold_of(2u * node), fold_of(2u * node + 1u)));
      }
    }
    barrier();
  }
  const uint listed = range_count;
  for (uint begin = 0u; begin <= listed; begin += gl_WorkGroupSize.x) {
    const uint i = begin + own;
    uint range = TILE << 16u;
    if (i < listed) range = ranges[i];
    if (i <= listed) fold_listed(tile, range >> 16u, range & 0xffffu);
  }
  barrier();
  if (own < tile_blocks) {
    VkpWords2(masks_at(tile * tile_blocks + own)).v[0] = uvec2(far_opens[own], far_closes[own]);
  }
}

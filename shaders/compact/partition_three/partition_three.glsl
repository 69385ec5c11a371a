// Stable partition into three: the elements of a first, of a second and of a third part, each in
// their order, by a function of a user's. It is the compaction of vkprims/device/compact.glsl with
// two numbers instead of one: what is not of the first or second part is of the third.
//
// VkprimsPredicate.cmake builds the kernels. What is generated has
//   VKP_ITEM_WORDS                             words of an element
//   VKP_ARGUMENTS, VKP_ARGUMENT_WORDS          their type, with vkp_unpack_arguments(); optional
//   uint vkp_part_of(uint w[VKP_ITEM_WORDS], uvec2 index), with arguments behind it if any
#include "compact/compact/compact.abi.h"
#include "compact/partition_three/partition_three.abi.h"
#include "vkprims/core.glsl"
#include "vkprims_predicate.glsl"

// The monoid: numbers of elements of the first and of the second part, below 2^32 in one dispatch.
#define VKP_T uvec2
#define VKP_WORDS 2
void vkp_pack(uvec2 x, out uint w[2]) {
  w[0] = x.x;
  w[1] = x.y;
}
uvec2 vkp_unpack(uint w[2]) { return uvec2(w[0], w[1]); }
uvec2 vkp_identity() { return uvec2(0u); }
uvec2 vkp_combine(const uvec2 left, const uvec2 right) { return left + right; }

#include "vkprims/device/compact_parts.glsl"
#include "compact/compact/pushed.glsl"

// What a subgroup knows of a tile: its flags, with vkp_batch_marks bits for each batch; and for the
// first and the second part, in 16 bits for each batch, how many elements of the batch there are
// before the subgroup's, and in all.
struct Choice {
  uvec2 flags;
  uvec4 before[2];
  uvec4 all[2];
};

Choice choose(const VkpSequence s, const uint tile) {
  Choice x;
  x.flags = uvec2(0u);
  [[unroll]] for (uint k = 0u; k < 2u; ++k) {
    x.before[k] = uvec4(0u);
    x.all[k] = uvec4(0u);
  }
  for (uint batch = 0u; batch < vkp_batches; ++batch) {
    const VkpPart part = vkp_part(s, tile * vkp_batches + batch);
    const uint existing = vkp_existing(part);
    const uvec2 flags = own_parts(part, existing) & existing;
    x.flags |= flags << (batch * vkp_batch_marks);
    [[unroll]] for (uint k = 0u; k < 2u; ++k) {
      x.before[k][vkp_pair(batch)] |= bitCount(flags[k]) << (16u * (batch % 2u));
    }
  }
  [[unroll]] for (uint pair = 0u; pair < (vkp_batches + 1u) / 2u; ++pair) {
    const VkpGroupScan counts = vkp_scan_subgroups(
        uvec2(vkp_sum_of_lanes(x.before[0][pair]), vkp_sum_of_lanes(x.before[1][pair])));
    [[unroll]] for (uint k = 0u; k < 2u; ++k) {
      x.before[k][pair] = counts.before[k];
      x.all[k][pair] = counts.total[k];
    }
  }
  return x;
}

uvec2 chosen_of_batch(Choice x, uint batch) {
  return uvec2(vkp_half(x.all[0], batch), vkp_half(x.all[1], batch));
}

// The numbers of elements of a tile in the first and in the second part.
uvec2 chosen(Choice x) {
  uvec2 total = uvec2(0u);
  for (uint batch = 0u; batch < vkp_batches; ++batch) total += chosen_of_batch(x, batch);
  return total;
}

// One batch of a tile.
struct Batch {
  VkpPart part;
  uvec2 flags;
  uint existing;
  uint first;    // number of its first element
  uint items;    // elements that exist
  uvec2 before;  // elements of the batch in the first and second part before the subgroup's
  uvec2 all;     // and in all
};

Batch batch_of(const VkpSequence s, const Choice x, const uint tile, const uint batch) {
  const uint number = tile * vkp_batches + batch;
  const uint head = vkp_sequence_head(s);
  Batch b;
  b.part = vkp_part(s, number);
  b.existing = vkp_existing(b.part);
  b.flags = uvec2(vkp_marks_of_batch(x.flags.x, batch), vkp_marks_of_batch(x.flags.y, batch)) &
            b.existing;
  b.first = number == 0u ? 0u : number * vkp_group_batch_items() - head;
  const uint end = (number + 1u) * vkp_group_batch_items() - head;
  b.items = b.first < s.count ? min(s.count, end) - b.first : 0u;
  b.before = uvec2(vkp_half(x.before[0], batch), vkp_half(x.before[1], batch));
  b.all = chosen_of_batch(x, batch);
  return b;
}

// Packs a batch in the stage, one part behind the other.
void stage_batch(Batch b) {
  uvec4 cells[vkp_rows];
  vkp_load_part(b.part, b.existing, b.existing, cells);
  uint first[vkp_rows], second[vkp_rows];
  vkp_rank(b.flags.x, b.before.x, first);
  vkp_rank(b.flags.y, b.before.y, second);
  [[unroll]] for (uint row = 0u; row < vkp_rows; ++row) {
    uvec2 rank = uvec2(first[row], second[row]);
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      const uint bit = 1u << (row * VKP_CELL_ITEMS + k);
      const bool in_first = (b.flags.x & bit) != 0u;
      const bool in_second = (b.flags.y & bit) != 0u;
      const uint number = b.part.first + vkp_part_cell(row) * VKP_CELL_ITEMS + k - b.first;
      uint position = b.all.x + b.all.y + number - rank.x - rank.y;
      if (in_first) position = rank.x;
      if (in_second) position = b.all.x + rank.y;
      if ((b.existing & bit) != 0u) {
        [[unroll]] for (uint w = 0u; w < VKP_ITEM_WORDS; ++w) {
          vkp_stage_word(position * VKP_ITEM_WORDS + w, cells[row][k * VKP_ITEM_WORDS + w]);
        }
      }
      rank += uvec2(in_first ? 1u : 0u, in_second ? 1u : 0u);
    }
  }
}

VkpSharedWords portion_words(uint portion) {
  return VkpSharedWords(
      vkp_add64(vkp_u64(push.portions_base), portion * VKP_PARTITION_THREE_PORTION_BYTES));
}

// Numbers of elements in the first and second part.
struct Totals {
  uvec2 first, second;
};

Totals add(const Totals x, const uvec2 numbers) {
  return Totals(vkp_add64(x.first, numbers.x), vkp_add64(x.second, numbers.y));
}

uvec2 chosen_in_portion(uint portion) {
  return uvec2(portion_words(portion).v[1], portion_words(portion).v[2]);
}

// Those of the portions before `portion`.
Totals chosen_before(uint portion) {
  Totals x = Totals(uvec2(0u), uvec2(0u));
  for (uint i = 0u; i < portion; ++i) x = add(x, chosen_in_portion(i));
  return x;
}

void write_counts(Totals x) {
  if (gl_LocalInvocationIndex == 0u) {
    VkpWords2(vkp_u64(push.count_base)).v[0] = x.first;
    VkpWords2(vkp_u64(push.count_base)).v[1] = x.second;
  }
}

// Where a part of this portion begins, if `before` of its elements are in portions before.
uvec2 place_of(const VkpU64 base, const uvec2 before) {
  return vkp_add64(vkp_u64(base), vkp_mul64(before, VKP_ITEM_BYTES));
}

// Stores a tile. `before` elements of the portion are in the first and second part before it;
// `staged` says whether its first batch is staged.
void place_tile(VkpSequence s, Totals of_portions, Choice x, uint tile, uvec2 before, bool staged) {
  const uvec2 others = vkp_sub64(vkp_sub64(portion_first(), of_portions.first), of_portions.second);
  const uvec2 first = place_of(push.out_base, of_portions.first);
  const uvec2 second = place_of(push.index_base, of_portions.second);
  const uvec2 third = place_of(push.rejected_base, others);
  for (uint batch = 0u; batch < vkp_batches; ++batch) {
    const Batch b = batch_of(s, x, tile, batch);
    if (batch != 0u || !staged) stage_batch(b);
    barrier();
    const uvec2 words = b.all * VKP_ITEM_WORDS;
    const uint both = words.x + words.y;
    const uint rest = b.items * VKP_ITEM_WORDS - both;
    vkp_unstage(0u, words.x, words.x, vkp_add64(first, vkp_mul64(before.x, VKP_ITEM_BYTES)));
    vkp_unstage(words.x, words.y, words.y, vkp_add64(second, vkp_mul64(before.y, VKP_ITEM_BYTES)));
    vkp_unstage(both, rest, rest,
                vkp_add64(third, vkp_mul64(b.first - before.x - before.y, VKP_ITEM_BYTES)));
    barrier();
    before += b.all;
  }
}

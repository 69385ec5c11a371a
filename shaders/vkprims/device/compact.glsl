// Stable compaction: moves the selected elements of a sequence one behind the other, in their
// order, and, if wanted, the others likewise.
//
// Source: D. Merrill's selection in CUB (DeviceSelect). Tile aggregates are numbers of selected
// elements; what comes before a tile is found by look-back (lookback.glsl) or was scanned before.
// As in scan_strip.glsl, a tile is read twice: while the tile waits, a lane keeps only one bit for
// each of its elements. Elements are loaded again only where they are moved, packed in shared
// memory (the stage), and stored by aligned rows of 16 bytes.
//
// A tile is VKP_COMPACT_SPEC_BATCHES batches, one behind the other. A part is what one subgroup has
// of a batch: VKP_SPEC_ROWS rows of one 16-byte cell per lane. Sequences of elements of 1 or 2
// words may begin at any element of a cell; elements of the first and last cell that do not belong
// to the sequence are never touched.
//
// Needs VKP_ITEM_WORDS (1, 2 or 4), and anywhere in the shader
//   uint vkp_flags(VkpPart part, uint existing)   bit row * VKP_CELL_ITEMS + k: whether element k
//                                  of this lane's cell of that row is selected. Bits of elements
//                                  that do not exist (vkp_existing()) do not matter. The bits must
//                                  be the same whichever workgroup asks. Called by all invocations
// Specialization: VKP_SPEC_ROWS, VKP_COMPACT_SPEC_BATCHES (at most 8, and at most 32 flags a lane),
// and the constants of compact.h.
#ifndef VKPRIMS_COMPACT_GLSL
#define VKPRIMS_COMPACT_GLSL

#extension GL_KHR_shader_subgroup_ballot : require

#include "vkprims/core.glsl"

// The monoid: numbers of elements, which are below 2^32 in one dispatch.
#define VKP_T uint
#define VKP_WORDS 1
void vkp_pack(uint x, out uint w[1]) { w[0] = x; }
uint vkp_unpack(uint w[1]) { return w[0]; }
uint vkp_identity() { return 0u; }
uint vkp_combine(const uint left, const uint right) { return left + right; }

#include "vkprims/device/compact_parts.glsl"

// Where results go.
struct VkpPlaces {
  bool moves, numbers;       // whether elements are wanted, and whether their numbers are
  uvec2 selected, rejected;  // elements
  uvec2 indices;             // numbers of the selected elements, u32 or u64
  uvec2 first;               // the number of element 0
  uvec2 values_in, values;   // a second sequence, whose elements go where those of the first go
};

uint vkp_flags(VkpPart part, uint existing);

// What a subgroup knows of a tile: its flags, with vkp_batch_marks bits for each batch; and, in 16
// bits for each batch, how many elements of the batch are selected before the subgroup's part, and
// in all.
struct VkpSelection {
  uint flags;
  uint earlier;  // elements of this lane's that are selected in batches before the tile
  uvec4 before;
  uvec4 selected;
};

// Selects in a tile. A workgroup that finds by itself what comes before its tile has `skipped`
// batches before it counted as well, for others this is 0.
VkpSelection vkp_select(const VkpSequence s, const uint tile, const uint skipped) {
  VkpSelection x = VkpSelection(0u, 0u, uvec4(0u), uvec4(0u));
  for (uint turn = 0u; turn < skipped + vkp_batches; ++turn) {
    const uint batch = turn - skipped;
    const VkpPart part = vkp_part(s, tile * vkp_batches + batch);
    const uint existing = vkp_existing(part);
    const uint flags = vkp_flags(part, existing) & existing;
    if (turn < skipped) {
      x.earlier += bitCount(flags);
      continue;
    }
    x.flags |= flags << (batch * vkp_batch_marks);
    x.before[vkp_pair(batch)] |= bitCount(flags) << (16u * (batch % 2u));
  }
  [[unroll]] for (uint pair = 0u; pair < (vkp_batches + 1u) / 2u; ++pair) {
    const VkpGroupScan counts = vkp_scan_subgroups(vkp_sum_of_lanes(x.before[pair]));
    x.before[pair] = counts.before;
    x.selected[pair] = counts.total;
  }
  return x;
}

uint vkp_selected(VkpSelection s) {
  uint total = 0u;
  for (uint batch = 0u; batch < vkp_batches; ++batch) total += vkp_half(s.selected, batch);
  return total;
}

// One batch of a tile.
struct VkpBatch {
  VkpPart part;
  uint flags, existing;
  uint first;     // number of its first element
  uint before;    // elements of the batch selected before the part
  uint selected;  // elements of the batch selected in all
  uint all;       // elements of the batch that exist
};

VkpBatch vkp_batch(const VkpSequence s, const VkpSelection selection, const uint tile,
                   const uint batch) {
  const uint number = tile * vkp_batches + batch;
  const uint head = vkp_sequence_head(s);
  VkpBatch b;
  b.part = vkp_part(s, number);
  b.existing = vkp_existing(b.part);
  b.flags = vkp_marks_of_batch(selection.flags, batch) & b.existing;
  b.first = number == 0u ? 0u : number * vkp_group_batch_items() - head;
  b.before = vkp_half(selection.before, batch);
  b.selected = vkp_half(selection.selected, batch);
  const uint end = (number + 1u) * vkp_group_batch_items() - head;
  b.all = b.first < s.count ? min(s.count, end) - b.first : 0u;
  return b;
}

// Packs a batch in the stage: the selected elements, then, if they are wanted, the others.
void vkp_stage_elements(VkpBatch b) {
  const bool others = (vkp_outputs & VKP_COMPACT_REJECTED) != 0u;
  uvec4 cells[vkp_rows];
  vkp_load_part(b.part, others ? b.existing : b.flags, b.existing, cells);
  uint ranks[vkp_rows];
  vkp_rank(b.flags, b.before, ranks);
  [[unroll]] for (uint row = 0u; row < vkp_rows; ++row) {
    uint rank = ranks[row];
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      const uint bit = 1u << (row * VKP_CELL_ITEMS + k);
      const bool selected = (b.flags & bit) != 0u;
      uint position = rank;
      if (others && !selected) {
        position =
            b.selected + (b.part.first + vkp_part_cell(row) * VKP_CELL_ITEMS + k - b.first) - rank;
      }
      if (selected || (others && (b.existing & bit) != 0u)) {
        [[unroll]] for (uint w = 0u; w < VKP_ITEM_WORDS; ++w) {
          vkp_stage_word(position * VKP_ITEM_WORDS + w, cells[row][k * VKP_ITEM_WORDS + w]);
        }
      }
      if (selected) ++rank;
    }
  }
}

// Stores what belongs to the elements whose numbers are staged, 1, 2 or 4 `words` each: either the
// number itself, or the element of the second sequence. A lane moves one word at a time, so that
// neighbouring lanes read neighbouring words wherever neighbouring elements are selected, whatever
// the alignment is.
void vkp_store_column(VkpPlaces places, uint staged, uint before, bool numbers, uint words) {
  const uvec2 base =
      vkp_add64(numbers ? places.indices : places.values, vkp_mul64(before, 4u * words));
  for (uint first = 0u; first < staged * words; first += 4u * gl_WorkGroupSize.x) {
    uint values[4];
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      const uint word = first + i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
      if (word >= staged * words) continue;
      const uint item = word >> (words / 2u);
      const uint part = word & (words - 1u);
      const uint number = vkp_staged(item);
      if (numbers) {
        values[i] = vkp_add64(places.first, number)[part];
      } else {
        values[i] = VkpWords(vkp_add64(places.values_in, vkp_mul64(number, 4u * words))).v[part];
      }
    }
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      const uint word = first + i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
      if (word < staged * words) VkpWords(base).v[word] = values[i];
    }
  }
}

// Stores the numbers and the elements of the second sequence of a tile, for as many batches at once
// as the stage holds, at least one.
void vkp_place_columns(VkpSequence s, VkpPlaces places, VkpSelection selection, uint tile,
                       uint before) {
  const uint index_words = (vkp_outputs & VKP_COMPACT_WIDE_INDICES) != 0u ? 2u : 1u;
  const uint value_words = vkp_outputs / VKP_COMPACT_VALUE_WORDS;
  uint staged = 0u;
  for (uint batch = 0u; batch < vkp_batches; ++batch) {
    const VkpBatch b = vkp_batch(s, selection, tile, batch);
    uint ranks[vkp_rows];
    vkp_rank(b.flags, b.before, ranks);
    vkp_stage_numbers(b.flags, ranks, b.part.first, staged);
    staged += b.selected;
    const bool last = batch + 1u == vkp_batches;
    if (last || staged + vkp_half(selection.selected, batch + 1u) > vkp_stage_words()) {
      barrier();
      if (places.numbers) vkp_store_column(places, staged, before, true, index_words);
      if (value_words != 0u) vkp_store_column(places, staged, before, false, value_words);
      barrier();
      before += staged;
      staged = 0u;
    }
  }
}

// Packs the first batch of a tile. This needs nothing from other tiles, so it is done while the
// tile waits for them.
void vkp_stage_tile(VkpSequence s, VkpSelection selection, uint tile) {
  vkp_stage_elements(vkp_batch(s, selection, tile, 0u));
}

// Stores a tile. `before` elements are selected before it; `staged` says whether its first batch is
// staged, if elements are wanted.
void vkp_place_tile(VkpSequence s, VkpPlaces places, VkpSelection selection, uint tile, uint before,
                    bool staged) {
  uint placed = before;
  for (uint batch = 0u; batch < vkp_batches; ++batch) {
    const VkpBatch b = vkp_batch(s, selection, tile, batch);
    if (places.moves) {
      if (batch != 0u || !staged) vkp_stage_elements(b);
      barrier();
      const uint selected = b.selected * VKP_ITEM_WORDS;
      vkp_unstage(0u, selected, selected,
                  vkp_add64(places.selected, vkp_mul64(placed, VKP_ITEM_BYTES)));
      if ((vkp_outputs & VKP_COMPACT_REJECTED) != 0u) {
        const uint others = (b.all - b.selected) * VKP_ITEM_WORDS;
        vkp_unstage(selected, others, others,
                    vkp_add64(places.rejected, vkp_mul64(b.first - placed, VKP_ITEM_BYTES)));
      }
      barrier();
    }
    placed += b.selected;
  }
  if (places.numbers || vkp_outputs >= VKP_COMPACT_VALUE_WORDS) {
    vkp_place_columns(s, places, selection, tile, before);
  }
}

#endif

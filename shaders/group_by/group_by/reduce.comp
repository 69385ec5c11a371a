// Aggregates each group as far as a tile has it. The rows of a tile are loaded in the order of the
// sort, unless values have been sorted with the keys, and handed over in shared memory, so that
// each invocation gets rows that are neighbours in that order. It folds them one by one and
// finishes groups that begin and end among them. A segmented scan gives the other groups that end
// in the tile what comes before. The first of these may have begun in earlier tiles: that group,
// and the rows behind the last end, are left for fix_up.comp.
//
// A group ends where the next one begins; the last group ends with the rows.
// %VARIANT% FAMILY stats|places|distinct|moments|moments64
// %VARIANT% VALUE word|pair
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "group_by/group_by/accumulators.glsl"
#include "group_by/group_by/tile.glsl"

// Each row has a place. There is an unused word after each invocation's run, to avoid bank
// conflicts.
const uint PLACES = VKP_GROUP_BY_TILE + VKP_GROUP_BY_WORKGROUP;
uint place(uint i) { return i + i / VKP_GROUP_BY_ROWS; }

shared uint low_words[PLACES];
#if VKP_KEY_WORDS == 2
shared uint high_words[PLACES];
#endif
#if defined(VKP_FAMILY_places)
shared uint row_numbers[PLACES];
#endif
shared uint valid_rows[VKP_GROUP_BY_TILE / 32];
#if defined(VKP_FAMILY_distinct)
shared uint new_values[VKP_GROUP_BY_TILE / 32];
#endif

#if defined(VKP_FAMILY_distinct)
// A value is new where it differs from that of the row before. Nulls are not counted, and come
// last.
bool is_new(uint i) {
  if (i == 0u) return true;
  const uint row = load_word(vkp_u64(push.order), i - 1u);
  const uint own = load_word(vkp_u64(push.order), i);
  return group_key(load_bits(vkp_u64(push.column), row)) !=
         group_key(load_bits(vkp_u64(push.column), own));
}
#endif

void stage(uint begin, uint count) {
  const uint own = vkp_invocation();
  if (own < VKP_GROUP_BY_TILE / 32u) {
    valid_rows[own] = 0u;
#if defined(VKP_FAMILY_distinct)
    new_values[own] = 0u;
#endif
  }
  barrier();
  uint row[VKP_GROUP_BY_ROWS];
  [[unroll]] for (uint k = 0u; k < VKP_GROUP_BY_ROWS; ++k) {
    const uint i = k * VKP_GROUP_BY_WORKGROUP + own;
    row[k] = 0u;
    if (!ordered) row[k] = begin + i;
    if (ordered && i < count) row[k] = load_word(vkp_u64(push.order), begin + i);
  }
  BITS bits[VKP_GROUP_BY_ROWS];
  [[unroll]] for (uint k = 0u; k < VKP_GROUP_BY_ROWS; ++k) {
    bits[k] = NO_BITS;
    if (k * VKP_GROUP_BY_WORKGROUP + own < count) bits[k] = load_bits(vkp_u64(push.column), row[k]);
  }
  [[unroll]] for (uint k = 0u; k < VKP_GROUP_BY_ROWS; ++k) {
    const uint i = k * VKP_GROUP_BY_WORKGROUP + own;
#if VKP_KEY_WORDS == 1
    low_words[place(i)] = bits[k];
#else
    low_words[place(i)] = bits[k].x;
    high_words[place(i)] = bits[k].y;
#endif
#if defined(VKP_FAMILY_places)
    row_numbers[place(i)] = row[k];
#endif
    if (nullable && i < count && is_valid(vkp_u64(push.validity), row[k])) {
      atomicOr(valid_rows[i / 32u], 1u << (i % 32u));
    }
#if defined(VKP_FAMILY_distinct)
    if (i < count && is_new(begin + i)) atomicOr(new_values[i / 32u], 1u << (i % 32u));
#endif
  }
  barrier();
}

VKP_T staged(uint i) {
  uint row = 0u;
#if defined(VKP_FAMILY_places)
  row = row_numbers[place(i)];
#endif
#if VKP_KEY_WORDS == 1
  return row_of(low_words[place(i)], row);
#else
  return row_of(uvec2(low_words[place(i)], high_words[place(i)]), row);
#endif
}

uint bits_of_rows(uint word, uint first) {
  return bitfieldExtract(word, int(first % 32u), VKP_GROUP_BY_ROWS);
}

void store_fold(const uint tile, const uint which, const VKP_T x) {
  vkp_store_element(vkp_add64(vkp_segmented_record(pushed_work(), tile), 8u), which, x);
}
void store_ends_before(uint tile, uint ends) {
  VkpWords2(vkp_segmented_record(pushed_work(), tile)).v[0] = uvec2(ends, 0u);
}

void main() {
  const uint rows = vkp_read_count(push.rows).x;
  const uint tile = vkp_group_index();
  const uint begin = tile * VKP_GROUP_BY_TILE;
  if (begin >= rows) return;
  const uint count = min(rows - begin, VKP_GROUP_BY_TILE);
  const bool last = rows - begin <= VKP_GROUP_BY_TILE;
  const uint first = vkp_invocation() * VKP_GROUP_BY_ROWS;
  const Heads heads = heads_of_tile(vkp_u64(push.heads), tile, tile == 0u ? 1u : 0u);
  uint ends = 0u;
  if (tile != 0u) ends = load_word(vkp_u64(push.counts), tile - 1u) - 1u;
  stage(begin, count);

  uint used =
      first < count ? 0xffu >> (VKP_GROUP_BY_ROWS - min(count - first, VKP_GROUP_BY_ROWS)) : 0u;
  if (nullable) used &= bits_of_rows(valid_rows[first / 32u], first);
#if defined(VKP_FAMILY_distinct)
  uint begins = heads.bits;
  if (tile == 0u && first == 0u) begins |= 1u;
  used &= begins | bits_of_rows(new_values[first / 32u], first);
#endif
  uint group = ends + heads.before;
  bool closed = false;
  VKP_T opening = vkp_identity();
  VKP_T x = vkp_identity();
  [[dont_unroll]] for (uint k = 0u; k < VKP_GROUP_BY_ROWS; ++k) {
    const VKP_T row = staged(first + k);
    if ((heads.bits >> k & 1u) != 0u) {
      if (closed) {
        vkp_finish(uvec2(group, 0u), x);
      } else {
        opening = x;
      }
      ++group;
      closed = true;
      x = vkp_identity();
    }
    if ((used >> k & 1u) != 0u) x = vkp_combine(x, row);
  }
  const VkpLaneTails lanes = vkp_scan_lane_tails(VkpLaneTail(closed, x));
  const VkpLaneTails all = vkp_scan_subgroup_tails(lanes.total);
  if (closed) {
    const VkpLaneTail before = vkp_join(all.before, lanes.before);
    const VKP_T total = vkp_combine(before.value, opening);
    if (before.closed) {
      vkp_finish(uvec2(ends + heads.before, 0u), total);
    } else {
      store_fold(tile, 0u, total);
    }
  }
  if (vkp_invocation() != 0u) return;
  store_ends_before(tile, ends);
  if (!last) {
    store_fold(tile, 1u, all.total.value);
  } else {
    const uint groups = load_word(vkp_u64(push.counts), tile);
    store_fold(tile, 1u, vkp_identity());
    if (all.total.closed) {
      vkp_finish(uvec2(groups - 1u, 0u), all.total.value);
    } else {
      store_fold(tile, 0u, all.total.value);
    }
    store_ends_before(tile + 1u, groups);
    VkpWords2(vkp_add64(vkp_u64(push.scratch), VKP_SEGMENTED_TILES_OFFSET)).v[0] =
        uvec2(tile + 1u, 0u);
    VkpWords(vkp_add64(vkp_u64(push.scratch), VKP_SEGMENTED_FINISHED_OFFSET)).v[0] = 0u;
  }
}

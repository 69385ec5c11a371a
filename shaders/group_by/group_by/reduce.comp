// Aggregates each group as far as a tile has it. The rows of a tile are loaded in the order of the
// sort, unless values have been sorted with the keys, and handed over in shared memory, so that
// each invocation gets rows that are neighbours in that order. It folds them one by one and
// finishes groups that begin and end among them. A segmented scan gives the other groups that end
// in the tile what comes before. The first of these may have begun in earlier tiles: that group,
// and the rows behind the last end, are left for fix_up.comp.
//
// A group ends where the next one begins; the last group ends with the rows.
//
// Where a tile has many groups, and all of them are short, an invocation folds whole groups
// instead, so that neighbours among invocations store the results of neighbouring groups.
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

// The families that are used most have this, for values of one word. It takes shared memory, which
// costs sums of u64 more than it gains, and 4 KB of a module.
#if VKP_KEY_WORDS == 1 && (defined(VKP_FAMILY_stats) || defined(VKP_FAMILY_moments64))
#define SHORT_GROUPS 1
shared uint part_firsts[VKP_GROUP_BY_TILE + 2];
shared uint longest_part;
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

// Notes what fix_up.comp needs to know of a tile. `ends` groups end before it.
void note_tile(const uint tile, const uint ends, const bool last) {
  store_ends_before(tile, ends);
  if (!last) return;
  store_fold(tile, 1u, vkp_identity());
  store_ends_before(tile + 1u, load_word(vkp_u64(push.counts), tile));
  VkpWords2(vkp_add64(vkp_u64(push.scratch), VKP_SEGMENTED_TILES_OFFSET)).v[0] =
      uvec2(tile + 1u, 0u);
  VkpWords(vkp_add64(vkp_u64(push.scratch), VKP_SEGMENTED_FINISHED_OFFSET)).v[0] = 0u;
}

#if defined(SHORT_GROUPS)
// Heads cut a tile into parts: the first one goes on with a group of earlier tiles, and the last
// one may go on. Returns false, and does nothing, unless parts are many and all are short.
bool fold_short_groups(const uint tile, const uint count, const bool last, const Heads heads,
                       const uint ends) {
  const uint parts = heads.all + 1u;
  if (parts < VKP_GROUP_BY_MANY) return false;
  const uint own = vkp_invocation();
  uint part = heads.before;
  [[dont_unroll]] for (uint k = 0u; k < VKP_GROUP_BY_ROWS; ++k) {
    if ((heads.bits >> k & 1u) != 0u) part_firsts[++part] = own * VKP_GROUP_BY_ROWS + k;
  }
  if (own == 0u) {
    part_firsts[0] = 0u;
    part_firsts[parts] = count;
    longest_part = 0u;
  }
  barrier();
  uint rows = 0u;
  [[dont_unroll]] for (uint k = 0u; k <= VKP_GROUP_BY_ROWS; ++k) {
    const uint i = min(k * VKP_GROUP_BY_WORKGROUP + own, parts - 1u);
    rows = max(rows, part_firsts[i + 1u] - part_firsts[i]);
  }
  atomicMax(longest_part, rows);
  barrier();
  const uint longest = longest_part;
  if (longest > VKP_GROUP_BY_SHORT) return false;
  [[dont_unroll]] for (uint k = 0u; k <= VKP_GROUP_BY_ROWS; ++k) {
    const uint number = k * VKP_GROUP_BY_WORKGROUP + own;
    const uint i = min(number, parts - 1u);
    const uint first = part_firsts[i], end = part_firsts[i + 1u];
    VKP_T x = vkp_identity();
    [[dont_unroll]] for (uint t = 0u; t < longest; ++t) {
      const uint r = min(first + t, VKP_GROUP_BY_TILE - 1u);
      const VKP_T row = staged(r);
      bool used = first + t < end;
      if (nullable) used = used && (valid_rows[r / 32u] >> r % 32u & 1u) != 0u;
      if (used) x = vkp_combine(x, row);
    }
    if (number >= parts) continue;
    if (number == 0u) {
      store_fold(tile, 0u, x);
    } else if (number + 1u < parts || last) {
      vkp_finish(uvec2(ends + number, 0u), x);
    } else {
      store_fold(tile, 1u, x);
    }
  }
  if (own == 0u) note_tile(tile, ends, last);
  return true;
}
#endif

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
#if defined(SHORT_GROUPS)
  if (fold_short_groups(tile, count, last, heads, ends)) return;
#endif

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
  if (!last) {
    store_fold(tile, 1u, all.total.value);
  } else if (all.total.closed) {
    vkp_finish(uvec2(load_word(vkp_u64(push.counts), tile) - 1u, 0u), all.total.value);
  } else {
    store_fold(tile, 0u, all.total.value);
  }
  note_tile(tile, ends, last);
}

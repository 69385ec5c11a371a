// How often a text that overlaps itself is in another, each time behind the one before: which of its occurrences are taken depends on
// all that come before them. What of that has to be known of a stretch of bytes has a constant size, so that it can be scanned.
//
// Let the text have n bytes and q be its least period. An occurrence that comes less than n bytes behind the one before overlaps it. If
// their distance is at most n - q it is q, as else the text would have a shorter period (N. Fine, H. Wilf, "Uniqueness theorems
// for periodic functions", 1965). Occurrences at distances of q make up a run, where 2 q <= n: of a run of which the first one is taken
// every m-th one is, m = n / q rounded up. The next run may begin within the last occurrence of this one, at a distance of more
// than n - q: if that is taken, the first of the next run is not but the second is; if an earlier one is taken, the first is. A
// run of one that is not taken hinders nobody, as two such distances are n at least. So all that a run has to know is whether
// the last one of the run before was taken and overlaps: one bit.
//
// Needs
//   uvec2 marks_of_part(VkpText t, uint begin, uint end)   of the first kind: where the text begins, see long_sums.glsl
#ifndef STRINGS_CHAINS_GLSL
#define STRINGS_CHAINS_GLSL

// Of a stretch of bytes. Where there is more than one run, what happens between the first one and the last one depends on whether the
// last occurrence of the first run is taken (index 1) or not (0).
struct Chain {
  uint first, last;  // occurrences, as bytes of the row; or NO_OCCURRENCE
  uint of_first;     // how many the first run has; bit 31: there is no other
  uint of_last;      // … the last run; bit 31: the stretch begins with a row
  uint taken[2];     // of all runs between; bit 31: the first one of the last run is not taken
};
const uint NO_OCCURRENCE = 0xffffffffu;
const uint FLAG = 0x80000000u;

#define VKP_T Chain
#define VKP_WORDS 6
void vkp_pack(Chain x, out uint w[6]) { w = uint[](x.first, x.last, x.of_first, x.of_last, x.taken[0], x.taken[1]); }
Chain vkp_unpack(uint w[6]) { return Chain(w[0], w[1], w[2], w[3], uint[](w[4], w[5])); }
Chain vkp_identity() { return Chain(NO_OCCURRENCE, 0u, 0u, 0u, uint[](0u, 0u)); }

Chain vkp_combine(Chain left, Chain right);

#include "strings/long_rows.glsl"

// Of the text, by the host.
uint text_period() { return uint(arguments().v.stop); }
uint run_step() { return (arguments().v.text_bytes - 1u) / text_period() + 1u; }

// How many of a run are taken, if its first one is (`from` 0) or is not (1); and whether its last one is.
uint taken_of_run(uint from, uint occurrences, out bool takes_last) {
  const uint step = run_step();
  const uint n = occurrences > from ? (occurrences - from - 1u) / step + 1u : 0u;
  takes_last = n != 0u && from + (n - 1u) * step + 1u == occurrences;
  return n;
}

Chain vkp_combine(Chain left, Chain right) {
  const uint begins_row = left.of_last & FLAG;
  if ((right.of_last & FLAG) != 0u) return right;
  if (left.first == NO_OCCURRENCE || right.first == NO_OCCURRENCE) {
    if (left.first == NO_OCCURRENCE) left = right;
    left.of_last |= begins_row;
    return left;
  }
  const uint distance = right.first - left.last;
  const bool same_run = distance == text_period() && 2u * text_period() <= arguments().v.text_bytes;
  const bool left_sole = (left.of_first & FLAG) != 0u;
  const bool right_sole = (right.of_first & FLAG) != 0u;
  const uint end_of_left = left.of_last & ~FLAG;
  const uint begin_of_right = right.of_first & ~FLAG;
  Chain x;
  x.first = left.first;
  x.last = right.last;
  if (same_run && (left_sole || right_sole)) {
    x.of_first = left_sole ? (left.of_first & ~FLAG) + begin_of_right | right.of_first & FLAG : left.of_first;
    x.of_last = (right_sole ? end_of_left + (right.of_last & ~FLAG) : right.of_last) | begins_row;
    x.taken[0] = left_sole ? right.taken[0] : left.taken[0];
    x.taken[1] = left_sole ? right.taken[1] : left.taken[1];
    return x;
  }
  x.of_first = left.of_first & ~FLAG;
  x.of_last = right.of_last | begins_row;
  [[unroll]] for (uint y = 0u; y < 2u; ++y) {
    uint n = 0u;
    bool takes_last = y != 0u;
    uint from = 0u;
    if (!left_sole) {
      n = left.taken[y] & ~FLAG;
      n += taken_of_run(left.taken[y] >> 31, end_of_left + (same_run ? begin_of_right : 0u), takes_last);
    }
    if (!same_run) {
      from = uint(takes_last && distance < arguments().v.text_bytes);
      if (!right_sole) n += taken_of_run(from, begin_of_right, takes_last);
    }
    if (!right_sole) {
      const uint of_right = takes_last ? right.taken[1] : right.taken[0];
      n += of_right & ~FLAG;
      from = of_right >> 31;
    }
    x.taken[y] = n | from << 31;
  }
  return x;
}

// How many are taken from the beginning of a row on.
uint taken_of(Chain x) {
  if (x.first == NO_OCCURRENCE) return 0u;
  bool takes_last;
  const uint n = taken_of_run(0u, x.of_first & ~FLAG, takes_last);
  if ((x.of_first & FLAG) != 0u) return n;
  const uint between = takes_last ? x.taken[1] : x.taken[0];
  return n + (between & ~FLAG) + taken_of_run(between >> 31, x.of_last & ~FLAG, takes_last);
}

Chain occurrence_at(uint place) { return Chain(place, place, 1u | FLAG, 1u, uint[](0u, 0u)); }

// Of a part, from the marks of its bytes.
Chain chain_of_marks(uint marks, uint begin) {
  Chain x = vkp_identity();
  for (; marks != 0u; marks &= marks - 1u) x = vkp_combine(x, occurrence_at(begin + uint(findLSB(marks))));
  return x;
}

#include "vkprims/elements.glsl"
#include "vkprims/workgroup.glsl"

uint own() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }
Chain fold_of_team(Chain x) { return vkp_fold_subgroups(vkp_subgroup_fold(x)); }

// Of what comes before unit `k` of a row; of all of it before the one behind its last.
Chain chain_before(LongRow x, uint k) {
  return k == 0u ? vkp_identity() : vkp_load_element(sums_address(), x.first + k);
}

#endif

// A whole kernel that makes a column whose rows are written byte by byte: see tiles.glsl and
// stage.glsl.
//
// A row is made of parts, which stand in a line (line.glsl). Each part is made once to count its
// bytes, and again to write them in every window that it reaches into. Where no row has more than
// one part, the counts of rows tell where parts lie; otherwise parts are counted again for that.
// Bytes of a tile are counted in 32 bits.
//
// The includer defines:
// - VKP_STRING_ROW: a struct of what is known of a row, in registers.
// - bool vkp_evaluate(uint row, out VKP_STRING_ROW x): returns false for a null row. It is called
//   again for rows of a tile in the way.
// - uint vkp_parts(VKP_STRING_ROW x): returns how many parts a row has; or VKP_ONE_PART.
// - void vkp_write_part(VKP_STRING_ROW x, uint part, inout VkpWriter w): puts the bytes of a part,
//   the same ones whenever it is called.
#ifndef VKPRIMS_STRINGS_GENERATE_GLSL
#define VKPRIMS_STRINGS_GENERATE_GLSL

#include "vkprims/strings/line.glsl"
#include "vkprims/strings/stage.glsl"

#ifdef VKP_ONE_PART
uint vkp_parts(VKP_STRING_ROW x) { return 1u; }
#endif

VkpLine vkp_line_of(const VKP_STRING_ROW x, const bool valid) {
  uint parts = 0u;
  if (valid) parts = vkp_parts(x);
  return vkp_line_of(parts);
}

// A part that this lane makes.
struct VkpPart {
  VKP_STRING_ROW row;
  uint owner;  // lane whose row it is
  uint part;
  bool here;   // the line is not over
};

// Returns part `i` of a line. `x` is the row of this lane, number `row`.
VkpPart vkp_part_at(VkpLine line, uint i, VKP_STRING_ROW x, uint row) {
  VkpPart p;
  p.here = i < line.parts;
  p.owner = 0u;  // number of rows that end before the part
  for (uint step = vkp_lane_count() / 2u; step != 0u; step /= 2u) {
    const uint end = subgroupShuffle(line.end, p.owner + step - 1u);
    if (end <= i) p.owner += step;
  }
  const uint first = subgroupShuffle(line.end, max(p.owner, 1u) - 1u);
  p.part = p.owner == 0u ? i : i - first;
  p.row = x;
  if (p.here && p.owner != gl_SubgroupInvocationID) {
    vkp_evaluate(row - gl_SubgroupInvocationID + p.owner, p.row);
  }
  return p;
}

uint vkp_bytes_of_part(const VkpPart p) {
  VkpWriter w = VkpWriter(0, 0u, true);
  if (p.here) vkp_write_part(p.row, p.part, w);
  return uint(w.at);
}

uint vkp_bytes_of_row(inout VKP_STRING_ROW x, uint row, bool valid) {
  const VkpLine line = vkp_line_of(x, valid);
  uint before = 0u;  // bytes of the parts before `first`
  uint upto = 0u;    // bytes of the parts before line.end
  for (uint first = 0u; vkp_any_lane(first < line.parts); first += vkp_lane_count()) {
    const VkpPart p = vkp_part_at(line, first + gl_SubgroupInvocationID, x, row);
    const uint sum = vkp_sum_upto_lane(vkp_bytes_of_part(p));
    const uint last = line.end - 1u - first;
    const uint upto_last = subgroupShuffle(sum, min(last, vkp_lane_count() - 1u));
    if (line.end > first && last < vkp_lane_count()) upto = before + upto_last;
    before += subgroupShuffle(sum, vkp_lane_count() - 1u);
  }
  const uint previous = subgroupShuffle(upto, max(gl_SubgroupInvocationID, 1u) - 1u);
  return gl_SubgroupInvocationID == 0u ? upto : upto - previous;
}

// These say where the line of each row of lanes goes on in the next window: the parts that are done
// with, and the bytes of the tile before.
uint vkp_next_part[VKP_STRINGS_ROWS];
uint vkp_next_byte[VKP_STRINGS_ROWS];

// Stages what the window has of a row of lanes. `begin` and `end` are the bytes of the tile before
// the row of this lane and with it; `left_out` are those of long rows of lanes before. The line
// begins with part `first`, before which there are `before` bytes, without those of long rows; both
// go on to the next window.
void vkp_stage_line(VKP_STRING_ROW x, uint row, bool valid, uint begin, uint end, uint left_out,
                    uint window, inout uint first, inout uint before) {
  const VkpLine line = vkp_line_of(x, valid);
  const uint line_end = subgroupShuffle(end, vkp_lane_count() - 1u);
  const uint window_end = window + VKP_WINDOW_BYTES;
  bool goes_on = before < window_end && line_end > window;
  while (vkp_any_lane(goes_on && first < line.parts)) {
    const VkpPart p = vkp_part_at(line, first + gl_SubgroupInvocationID, x, row);
    uint part_begin = subgroupShuffle(begin, p.owner);
    uint part_end = subgroupShuffle(end, p.owner);
    uint upto = line_end;
    uint next_before = line_end;
    if (!line.sole) {
      const uint bytes = vkp_bytes_of_part(p);
      part_end = before + vkp_sum_upto_lane(bytes);
      next_before = subgroupShuffle(part_end, vkp_lane_count() - 1u);
      if (vkp_any_lane(left_out != 0u)) part_end += subgroupShuffle(left_out, p.owner);
      part_begin = part_end - bytes;
      upto = subgroupShuffle(part_end, vkp_lane_count() - 1u);
    }
    if (p.here && part_begin < window_end && part_end > window) {
      VkpWriter w = VkpWriter(int(part_begin - window), 0u, false);
      vkp_write_part(p.row, p.part, w);
      vkp_end_bytes(w);
    }
    // Parts of which something is left are made again in the next window.
    goes_on = upto <= window_end;
    if (goes_on) {
      first += vkp_lane_count();
      before = next_before;
    }
  }
}

void vkp_stage_rows(VkpRowTile t, uint tile, uint window) {
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint start = subgroupShuffle(t.before[r], 0u);
    if (window == 0u) {
      vkp_next_part[r] = 0u;
      vkp_next_byte[r] = start;
    }
    uint left_out = 0u;
    if (t.has_long_rows) {
      const uint bytes = vkp_is_long_row(t, r) ? t.bytes[r] : 0u;
      left_out = vkp_sum_upto_lane(bytes) - bytes;
    }
    vkp_stage_line(t.row[r], tile * vkp_tile_rows() + vkp_place_in_tile(r), vkp_is_own_row(t, r),
                   t.before[r], t.before[r] + t.bytes[r], left_out, window, vkp_next_part[r],
                   vkp_next_byte[r]);
  }
}

void vkp_generate() { vkp_run_string_tiles(); }

#endif

// Parts of rows that lanes make independently of each other. Those of a row of lanes stand in a
// line, of which every lane takes the next one, so that a row of megabytes keeps all lanes busy and
// none of them for long. Their bytes are put together by words (writer.glsl).
#ifndef VKPRIMS_STRINGS_LINE_GLSL
#define VKPRIMS_STRINGS_LINE_GLSL

#include "vkprims/strings/row_tiles.glsl"
#include "vkprims/strings/writer.glsl"

// The parts of a row of lanes in a line: this lane's row ends before part `end` of it.
struct VkpLine {
  uint end;
  uint parts;  // parts of all rows
  bool sole;   // no row has two parts
};

VkpLine vkp_line_of(const uint parts) {
  VkpLine line;
  line.end = vkp_sum_upto_lane(parts);
  line.parts = subgroupShuffle(line.end, vkp_lane_count() - 1u);
  line.sole = subgroupBallot(parts > 1u) == uvec4(0u);
  return line;
}

#endif

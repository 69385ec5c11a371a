// Counts the lines that each segment becomes, if its shape can be seen.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "curves.glsl"

void main() {
  f = frame.v;
  const uint i = vkp_item();
  if (i == 0u) f.line_begins.v[0] = 0u;
  if (i >= f.segments_in_all) return;
  const Segment segment = f.segments.v[i];
  uint lines = 0u;
  if (f.item_of_op.v[segment.op] != NOTHING) {
    const Op op = f.ops.v[segment.op];
    if (has_shape(tag_of(op))) {
      lines = lines_of(load_curve(segment), segment.tag, f.matrices.v[segment.op], op);
    }
  }
  f.line_counts.v[i] = lines;
}

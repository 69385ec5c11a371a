// Counts the edges that each line becomes: one in a fill, and those of polygons in a stroke.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "strokes.glsl"

void main() {
  f = frame.v;
  const uint i = vkp_item();
  if (i >= f.results.v.lines) return;
  const uint op_index = f.segments.v[f.line_segments.v[i]].op;
  const Op op = f.ops.v[op_index];
  f.edge_counts.v[i] =
      is_stroke(op) ? edges_of(load_stroke_line(i, op, f.matrices.v[op_index])) : 1u;
}

// Makes edges in the coordinates of the picture, and counts the tiles that each of them crosses.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "strokes.glsl"
#include "tiles_of_edges.glsl"

ivec2 to_units(vec2 p) {
  return ivec2(round(clamp(p, vec2(-131072.0), vec2(131072.0)) * float(UNITS)));
}

void main() {
  f = frame.v;
  const uint i = vkp_item();
  if (i == 0u) f.crossing_begins.v[0] = 0u;
  if (i >= f.results.v.edges) return;
  const uint line = f.edge_lines.v[i];
  const uint op_index = f.segments.v[f.line_segments.v[line]].op;
  const Op op = f.ops.v[op_index];
  const Matrix matrix = f.matrices.v[op_index];
  vec4 local = f.lines.v[line];
  if (is_stroke(op)) {
    local = stroke_edge(load_stroke_line(line, op, matrix), f.edge_ranks.v[i]);
  }
  const ivec4 edge =
      ivec4(to_units(apply(matrix, local.xy)), to_units(apply(matrix, local.zw)));
  const uint item = f.item_of_op.v[op_index];
  f.edges.v[i] = edge;
  f.edge_items.v[i] = item;
  f.crossing_counts.v[i] = crossings_of(crossed_by(edge, f.items.v[item]));
}

// Makes the lines that segments are flattened to, in the coordinates of their shape.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "curves.glsl"

void main() {
  f = frame.v;
  const uint i = vkp_item();
  if (i == 0u) f.edge_begins.v[0] = 0u;
  if (i >= f.results.v.lines) return;
  const uint at = f.line_segments.v[i];
  const Curve c = load_curve(f.segments.v[at]);
  const uint rank = f.line_ranks.v[i];
  const float n = float(f.line_counts.v[at]);
  f.lines.v[i] = vec4(point_at(c, float(rank) / n), point_at(c, float(rank + 1u) / n));
}

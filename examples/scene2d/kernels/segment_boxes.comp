// Finds a box of each segment in whole pixels: that of its control points, and what a stroke adds.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "curves.glsl"

// Edges are rounded, so they may lie outside of what is computed here, by less than this.
const float MARGIN = 1.0 / 512.0;

// How far a stroke reaches, in half line widths.
float reach(Op op) {
  const uint cap = op.style >> 10u & 3u, join = op.style >> 12u & 3u;
  return max(join == 0u ? max(op.values[2], 1.0) : 1.0, cap == 2u ? sqrt(2.0) : 1.0);
}

void main() {
  f = frame.v;
  const uint i = vkp_item();
  if (i >= f.segments_in_all) return;
  const Segment segment = f.segments.v[i];
  const Op op = f.ops.v[segment.op];
  const Matrix matrix = f.matrices.v[segment.op];
  const Curve c = load_curve(segment);
  const vec2 p0 = apply(matrix, c.p0), p1 = apply(matrix, c.p1), p2 = apply(matrix, c.p2),
             p3 = apply(matrix, c.p3);
  float margin = MARGIN;
  if (is_stroke(op)) {
    // The length of a stretched vector is at most that of both columns times its own.
    margin += 0.5 * op.values[1] * reach(op) * sqrt(2.0) * scale_of(matrix);
  }
  // Whole pixels: a clip and a shape that only meet in a pixel both cover a part of it.
  f.segment_boxes.v[i] = vec4(floor(min(min(p0, p1), min(p2, p3)) - margin),
                              ceil(max(max(p0, p1), max(p2, p3)) + margin));
}

// Segments of paths, and the lines that they are flattened to.

const float TOLERANCE = 0.05;  // of flattening, in pixels
const uint MAX_LINES = 1024u;  // of a segment
const float PI = 3.14159265;

// Control points, of which the curve has degree + 1.
struct Curve { vec2 p0, p1, p2, p3; uint degree; };

Curve load_curve(Segment segment) {
  const uint at = segment.point;  // that of the segment's first point; the pen is the one before
  Curve curve;
  curve.p0 = f.points.v[at - 1u];
  curve.degree = 1u;
  if (segment.tag == TAG_CLOSE || segment.tag == TAG_END) {
    curve.p1 = f.points.v[f.subpaths.v[segment.subpath].first_point];
  } else {
    curve.p1 = f.points.v[at];
    curve.degree = segment.tag - 1u;
  }
  curve.p2 = curve.degree >= 2u ? f.points.v[at + 1u * uint(curve.degree >= 2u)] : curve.p1;
  curve.p3 = curve.degree >= 3u ? f.points.v[at + 2u * uint(curve.degree >= 3u)] : curve.p2;
  return curve;
}

// One line ends where the next one begins, so this must not depend on who computes it.
vec2 point_at(Curve c, float t) {
  const float s = 1.0 - t;
  if (c.degree == 1u) return t == 1.0 ? c.p1 : c.p0;
  if (t == 1.0) return c.p3;
  precise vec2 p = s * s * c.p0 + 2.0 * s * t * c.p1 + t * t * c.p2;
  if (c.degree == 3u) {
    p = s * s * s * c.p0 + 3.0 * s * s * t * c.p1 + 3.0 * s * t * t * c.p2 + t * t * t * c.p3;
  }
  return p;
}

// How far a matrix stretches at most one of the axes.
float scale_of(Matrix m) { return sqrt(max(m.a * m.a + m.b * m.b, m.c * m.c + m.d * m.d)); }

// The angle between neighbouring lines of round joins and caps, for half a line width in pixels.
float round_step(float half_width) { return min(0.5 * PI, sqrt(8.0 * TOLERANCE / half_width)); }

// How many steps an angle needs. Angles that are a multiple of the step must not have one more by
// an error of rounding.
uint steps_of(float angle, float step) {
  return uint(clamp(ceil(angle / step - 1.0 / 1024.0), 1.0, float(MAX_LINES)));
}

// The angle from direction u to v, 0 … pi; 0 if one of them has no length.
float turn(vec2 u, vec2 v) {
  const float sine = abs(u.x * v.y - u.y * v.x), cosine = dot(u, v);
  return sine == 0.0 && cosine == 0.0 ? 0.0 : atan(sine, cosine);
}

// The sum of the turns between the legs of the control polygon that have a length.
float turns(Curve c) {
  const vec2 u = c.p1 - c.p0, v = c.p2 - c.p1, w = c.p3 - c.p2;
  if (c.degree == 2u || w == vec2(0.0)) return turn(u, v);
  if (v == vec2(0.0)) return turn(u, w);
  return turn(u, v) + turn(v, w);
}

// How many lines a segment becomes, and with which rules: PICTURE.md, "Flattening".
uint lines_of(Curve c, uint tag, Matrix matrix, Op op) {
  if (c.p0 == c.p1 && c.p1 == c.p2 && c.p2 == c.p3) return 0u;
  if (c.degree == 1u) return tag == TAG_END && is_stroke(op) ? 0u : 1u;
  const float d0 = length(apply_linear(matrix, c.p0 - 2.0 * c.p1 + c.p2));
  const float d1 = length(apply_linear(matrix, c.p1 - 2.0 * c.p2 + c.p3));
  float n = ceil(c.degree == 2u ? sqrt(d0 / (4.0 * TOLERANCE))
                                : sqrt(3.0 * max(d0, d1) / (4.0 * TOLERANCE)));
  if (is_stroke(op)) {
    n = max(n, float(steps_of(turns(c), round_step(0.5 * op.values[1] * scale_of(matrix)))));
  }
  return uint(clamp(n, 1.0, float(MAX_LINES)));
}

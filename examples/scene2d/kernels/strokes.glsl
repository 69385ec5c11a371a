// The polygons that the lines of a stroke become: PICTURE.md, "Strokes".
//
// Edges of a line are numbered: its body has 4, then come those of the cap at its beginning, and
// those of the join or the cap at its end.
#include "curves.glsl"

struct Polygon { uint kind, edges; };  // one of POLYGON_…, and how many edges it has
const uint POLYGON_NONE = 0u, POLYGON_CAP = 1u, POLYGON_BEVEL = 2u, POLYGON_MITER = 3u,
           POLYGON_ROUND = 4u;

// A line of a stroke and what is round about it.
struct StrokeLine {
  vec2 p, q;               // with square caps longer than the line itself
  vec2 direction, normal;  // normal is half the width long
  vec2 next;               // the direction of the line behind a join
  Polygon first, last;     // the cap at p, the join or cap at q
};

vec2 direction_of(vec4 line) {
  const vec2 d = line.zw - line.xy;
  const float size = length(d);
  return size > 0.0 ? d / size : vec2(1.0, 0.0);
}

Polygon join_polygon(Op op, vec2 u, vec2 v, bool in_curve, float step) {
  const float sine = u.x * v.y - u.y * v.x, cosine = dot(u, v);
  if (abs(sine) < 1e-6 && cosine > 0.0) return Polygon(POLYGON_NONE, 0u);
  const uint join = in_curve ? 1u : op.style >> 12u & 3u;
  if (join == 1u) {
    return Polygon(POLYGON_ROUND, steps_of(atan(abs(sine), cosine), step) + 2u);
  }
  const float limit = op.values[2];
  if (join == 0u && 2.0 <= limit * limit * (1.0 + cosine)) return Polygon(POLYGON_MITER, 4u);
  return Polygon(POLYGON_BEVEL, 3u);
}

Polygon cap_polygon(Op op, float step) {
  if ((op.style >> 10u & 3u) != 1u) return Polygon(POLYGON_NONE, 0u);
  return Polygon(POLYGON_CAP, steps_of(PI, step) + 1u);
}

StrokeLine load_stroke_line(uint line, Op op, Matrix matrix) {
  const uint at = f.line_segments.v[line];
  const Subpath subpath = f.subpaths.v[f.segments.v[at].subpath];
  const uint first_line = f.line_begins.v[subpath.first_segment];
  const uint last_line = f.line_begins.v[subpath.last_segment + 1u] - 1u;
  const vec4 pq = f.lines.v[line];
  const float half_width = 0.5 * op.values[1];
  const float step = round_step(half_width * scale_of(matrix));

  StrokeLine s;
  s.p = pq.xy;
  s.q = pq.zw;
  s.direction = direction_of(pq);
  s.normal = half_width * vec2(-s.direction.y, s.direction.x);
  s.first = Polygon(POLYGON_NONE, 0u);
  const bool is_closed = subpath.is_closed != 0u;
  const bool is_square = (op.style >> 10u & 3u) == 2u;
  if (line == first_line && !is_closed) {
    s.first = cap_polygon(op, step);
    if (is_square) s.p -= half_width * s.direction;
  }
  if (line == last_line && !is_closed) {
    s.last = cap_polygon(op, step);
    if (is_square) s.q += half_width * s.direction;
  } else {
    // Lines that there was no room for are not there; their item is left out.
    const uint next = line == last_line ? first_line : min(line + 1u, f.line_room - 1u);
    s.next = direction_of(f.lines.v[next]);
    s.last = join_polygon(op, s.direction, s.next, f.line_segments.v[next] == at && next > line,
                          step);
  }
  return s;
}

uint edges_of(StrokeLine s) { return 4u + s.first.edges + s.last.edges; }

// Corner k of a cap at p whose half circle begins at p + normal and goes by way of p + beyond.
vec2 cap_corner(vec2 p, vec2 normal, vec2 beyond, uint edges, uint k) {
  const float a = PI * float(k) / float(edges - 1u);
  precise const vec2 corner = p + normal * cos(a) + beyond * sin(a);
  return corner;
}

vec2 join_corner(StrokeLine s, uint k) {
  const vec2 next_normal = length(s.normal) * vec2(-s.next.y, s.next.x);
  const bool turns_back = s.direction.x * s.next.y - s.direction.y * s.next.x < 0.0;
  const vec2 u = turns_back ? s.normal : -next_normal;  // the outer ends, in this order
  const vec2 v = turns_back ? next_normal : -s.normal;
  if (k == 0u) return s.q;
  if (k == 1u) return s.q + u;
  if (k == s.last.edges - 1u) return s.q + v;
  precise vec2 corner = s.q + (u + v) / (1.0 + dot(s.direction, s.next));
  if (s.last.kind != POLYGON_MITER) {
    // From u to v is always against the sense of x to y; a half turn goes by way of the direction.
    const float a = turn(u, v) * float(k - 1u) / float(s.last.edges - 2u);
    corner = s.q + vec2(u.x * cos(a) + u.y * sin(a), u.y * cos(a) - u.x * sin(a));
  }
  return corner;
}

// Edge k of a line: from xy to zw.
vec4 stroke_edge(StrokeLine s, uint k) {
  if (k < 4u) {
    const vec2 corners[4] = vec2[](s.p + s.normal, s.q + s.normal, s.q - s.normal, s.p - s.normal);
    return vec4(corners[k], corners[(k + 1u) & 3u]);
  }
  k -= 4u;
  const vec2 beyond = length(s.normal) * s.direction;
  if (k < s.first.edges) {
    const uint n = s.first.edges;
    return vec4(cap_corner(s.p, -s.normal, -beyond, n, k),
                cap_corner(s.p, -s.normal, -beyond, n, (k + 1u) % n));
  }
  k -= s.first.edges;
  const uint n = s.last.edges, next = (k + 1u) % n;
  if (s.last.kind == POLYGON_CAP) {
    return vec4(cap_corner(s.q, s.normal, beyond, n, k),
                cap_corner(s.q, s.normal, beyond, n, next));
  }
  return vec4(join_corner(s, k), join_corner(s, next));
}

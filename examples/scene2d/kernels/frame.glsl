// What all kernels share: the arrays of the frame, and the number of an invocation.
#include "vkprims/kernel.glsl"
#include "item.glsl"
#include "tags.glsl"

struct Matrix { float a, b, c, d, e, f; };
struct Op { uint style, paint; float values[6]; };
struct Paint {
  uint kind, spread, first_stop, stops;
  float colour[4];
  float x0, y0, x1, y1, radius;
  Matrix matrix;
};
struct Stop { float at, r, g, b, a; };
struct Segment { uint tag, point, op, subpath; };
struct Subpath { uint first_segment, first_point, last_segment, is_closed; };
// What a draw paints with: colour is premultiplied and times the opacity, or (0, 0, 0, opacity);
// to_paint leads from pixels to the coordinates of a gradient.
struct Brush { vec4 colour; Matrix to_paint; uint paint, kind; };
// An item in a tile, as the last kernel reads it.
struct Entry {
  uint kind;  // KIND_… | CLASS_… << 4 | ENTRY_…
  uint subject, edges_begin, edges;
  int backdrop;
};

layout(buffer_reference, std430, buffer_reference_align = 8) buffer Points { vec2 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Ops { Op v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Paints { Paint v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Stops { Stop v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer PathCountsArray {
  PathCounts v[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Segments { Segment v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Subpaths { Subpath v[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Matrices { Matrix v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Boxes { vec4 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Items { Item v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Brushes { Brush v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Entries { Entry v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Lines { vec4 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Edges { ivec4 v[]; };

#include "frame.h"

layout(buffer_reference, std430, buffer_reference_align = 8) buffer FrameBlock { Frame v; };

layout(push_constant) uniform Push { FrameBlock frame; };

Frame f;  // main() begins with f = frame.v

// A point that ends one edge and begins another has to be the same point wherever it is computed.
vec2 apply(Matrix m, vec2 p) {
  precise const vec2 result = vec2(m.a * p.x + m.c * p.y + m.e, m.b * p.x + m.d * p.y + m.f);
  return result;
}
vec2 apply_linear(Matrix m, vec2 p) { return vec2(m.a * p.x + m.c * p.y, m.b * p.x + m.d * p.y); }

uint tag_of(Op op) { return op.style & 15u; }
bool is_even_odd(Op op) { return (op.style >> 8u & 1u) != 0u; }
bool is_stroke(Op op) { return (op.style >> 14u & 1u) != 0u; }
bool has_shape(uint tag) { return tag == TAG_DRAW || tag == TAG_BEGIN_CLIP; }
bool begins(uint tag) { return tag == TAG_BEGIN_CLIP || tag == TAG_BEGIN_LAYER; }
bool ends(uint tag) { return tag == TAG_END_CLIP || tag == TAG_END_LAYER; }

uvec2 low_and_high(uint packed) { return uvec2(packed & 0xffffu, packed >> 16u); }

// Decides which tiles each operation touches: its own box inside the clips that hold. An end has
// the tiles of what it ends, so in each tile's list brackets match.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

// The matrix that leads back; all zero if there is none.
Matrix inverse_of(Matrix m) {
  const float determinant = m.a * m.d - m.b * m.c;
  if (determinant == 0.0) return Matrix(0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
  const float s = 1.0 / determinant;
  return Matrix(m.d * s, -m.b * s, -m.c * s, m.a * s, (m.c * m.f - m.d * m.e) * s,
                (m.b * m.e - m.a * m.f) * s);
}

Matrix product(Matrix o, Matrix i) {
  return Matrix(o.a * i.a + o.c * i.b, o.b * i.a + o.d * i.b, o.a * i.c + o.c * i.d,
                o.b * i.c + o.d * i.d, o.a * i.e + o.c * i.f + o.e, o.b * i.e + o.d * i.f + o.f);
}

Brush make_brush(uint op_index) {
  const Op op = f.ops.v[op_index];
  const Paint paint = f.paints.v[op.paint];
  Brush brush;
  brush.paint = op.paint;
  brush.kind = paint.kind;
  brush.to_paint = inverse_of(product(f.matrices.v[op_index], paint.matrix));
  const float alpha = op.values[0] * (paint.kind == 0u ? paint.colour[3] : 1.0);
  brush.colour = vec4(0.0, 0.0, 0.0, alpha);
  if (paint.kind == 0u) {
    brush.colour.rgb = vec3(paint.colour[0], paint.colour[1], paint.colour[2]) * alpha;
  }
  return brush;
}

void main() {
  f = frame.v;
  const uint i = vkp_item();
  if (i >= f.ops_in_all) return;
  const uint tag = tag_of(f.ops.v[i]);
  const uint subject = ends(tag) ? f.clip_match.v[i] : i;
  Item item = Item(i, subject, 0u, 0u);
  f.item_of_op.v[i] = NOTHING;
  if ((tag == TAG_DRAW || begins(tag) || ends(tag)) && subject != NOTHING) {
    const vec4 clip = f.clip_boxes.v[subject];
    const vec4 own = tag == TAG_DRAW ? f.op_boxes.v[subject] : f.clip_values.v[subject];
    const vec2 size = vec2(f.width, f.height);
    const vec2 low = clamp(max(clip.xy, own.xy), vec2(0.0), size);
    const vec2 high = clamp(min(clip.zw, own.zw), vec2(0.0), size);
    if (low.x < high.x && low.y < high.y) {
      const uvec2 first = uvec2(low) / TILE_SIZE;
      const uvec2 last = (uvec2(ceil(high)) + (TILE_SIZE - 1)) / TILE_SIZE;
      item.first_tile = first.x | first.y << 16u;
      item.last_tile = last.x | last.y << 16u;
      if (tag == TAG_DRAW) f.brushes.v[i] = make_brush(i);
    }
  }
  f.op_items.v[i] = item;
}

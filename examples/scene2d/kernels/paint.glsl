// The colour of a paint at a point: PICTURE.md, "Gradients".

float spread_out(float t, uint spread) {
  if (spread == 0u) return t;
  if (spread == 2u) return t - floor(t);
  return 1.0 - abs(1.0 - (t - 2.0 * floor(0.5 * t)));
}

float gradient_at(Paint paint, vec2 p) {
  const vec2 centre = vec2(paint.x0, paint.y0), other = vec2(paint.x1, paint.y1);
  if (paint.kind == 1u) {
    const vec2 d = other - centre;
    return dot(d, d) == 0.0 ? 1.0 : dot(p - centre, d) / dot(d, d);
  }
  const vec2 q = p - other, e = centre - other;
  const float a = paint.radius * paint.radius - dot(e, e), b = dot(q, e);
  if (a <= 0.0) return 1.0;
  const float root = sqrt(b * b + a * dot(q, q));
  return b > 0.0 ? dot(q, q) / (root + b) : (root - b) / a;  // nothing is cancelled
}

vec4 colour_of(Stop stop) { return vec4(stop.r, stop.g, stop.b, stop.a); }

// The premultiplied colour of a gradient at the middle of a pixel, without the opacity.
vec4 gradient_colour(Brush brush, vec2 pixel) {
  const Paint paint = f.paints.v[brush.paint];
  const Matrix m = brush.to_paint;
  const bool is_singular = m.a * m.d - m.b * m.c == 0.0;
  const float t =
      spread_out(is_singular ? 1.0 : gradient_at(paint, apply(m, pixel)), paint.spread);
  // Find the first stop behind t.
  uint low = 0u, high = paint.stops;
  while (low < high) {
    const uint middle = (low + high) / 2u;
    if (f.stops.v[paint.first_stop + middle].at <= t) low = middle + 1u; else high = middle;
  }
  const Stop before = f.stops.v[paint.first_stop + max(low, 1u) - 1u];
  const Stop behind = f.stops.v[paint.first_stop + min(low, paint.stops - 1u)];
  float share = 0.0;
  if (behind.at > before.at) share = clamp((t - before.at) / (behind.at - before.at), 0.0, 1.0);
  const vec4 colour = mix(colour_of(before), colour_of(behind), share);
  return vec4(colour.rgb * colour.a, colour.a);
}

// The smallest rectangle that contains both, for the boxes of shapes.
struct Bounds { float x0, y0, x1, y1; };
#define VKP_T Bounds
#define VKP_COMMUTES

Bounds vkp_identity() { return Bounds(1e30, 1e30, -1e30, -1e30); }

Bounds vkp_combine(Bounds left, Bounds right) {
  return Bounds(min(left.x0, right.x0), min(left.y0, right.y0), max(left.x1, right.x1),
                max(left.y1, right.y1));
}

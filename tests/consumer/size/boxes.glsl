// The union of boxes.
struct Box { float x0, y0, x1, y1; };
#define VKP_T Box
const float far = 1e30;
Box vkp_identity() { return Box(far, far, -far, -far); }
Box vkp_combine(Box a, Box b) {
  return Box(min(a.x0, b.x0), min(a.y0, b.y0), max(a.x1, b.x1), max(a.y1, b.y1));
}

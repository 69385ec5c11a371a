// What tags of a scene count, four of them in a word.

// Segments are lines, curves, and the ends of subpaths.
struct PathCounts { uint ops, segments, points, subpaths; };

const uint TAG_MOVE = 1u, TAG_LINE = 2u, TAG_QUAD = 3u, TAG_CUBIC = 4u, TAG_CLOSE = 5u,
           TAG_END = 6u;
const uint TAG_PUSH_TRANSFORM = 8u, TAG_POP_TRANSFORM = 9u, TAG_BEGIN_CLIP = 10u,
           TAG_END_CLIP = 11u, TAG_BEGIN_LAYER = 12u, TAG_END_LAYER = 13u, TAG_DRAW = 14u;

PathCounts count_tag(uint tag) {
  const bool is_op = tag >= TAG_PUSH_TRANSFORM;
  return PathCounts(uint(is_op), uint(tag >= TAG_LINE && !is_op),
                    0x394u >> 2u * tag & 3u,  // two bits for each tag
                    uint(tag == TAG_MOVE));
}

PathCounts add(PathCounts a, PathCounts b) {
  return PathCounts(a.ops + b.ops, a.segments + b.segments, a.points + b.points,
                    a.subpaths + b.subpaths);
}

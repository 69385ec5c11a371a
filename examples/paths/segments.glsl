// What a renderer has to know of each segment of its paths, from packed tags.
//
// A tag is a segment: bit 0 says that it begins a path, bit 1 that it has the next transform, and
// bits 2 … 16 and 17 … 31 how far the pen moves in x and y.

// What several segments that follow each other do.
struct Walk {
  uint paths, transforms;  // how many begin
  ivec2 pen;               // how far it moves in all
  ivec4 box;               // least and greatest x and y in the last path, from where the pen was
};
#define VKP_T Walk

Walk vkp_identity() {
  return Walk(0u, 0u, ivec2(0), ivec4(1 << 30, 1 << 30, -(1 << 30), -(1 << 30)));
}

Walk vkp_combine(Walk left, Walk right) {
  ivec4 box = right.box + left.pen.xyxy;
  if (right.paths == 0u) {  // the path of left goes on
    box = ivec4(min(left.box.xy, box.xy), max(left.box.zw, box.zw));
  }
  return Walk(left.paths + right.paths, left.transforms + right.transforms, left.pen + right.pen,
              box);
}

// A tag comes in, and the index of its path, that of its transform and the box of its path up to
// here go out. There is no array of Walk in memory.
#define VKP_IN uint
Walk vkp_load(uint tag, uvec2 index) {
  const ivec2 pen = ivec2(bitfieldExtract(int(tag), 2, 15), int(tag) >> 17);
  return Walk(tag & 1u, tag >> 1u & 1u, pen, pen.xyxy);
}

struct Segment {
  uint path, transform;
  ivec4 box;
};
#define VKP_OUT Segment
Segment vkp_store(Walk exclusive, Walk inclusive, uvec2 index) {
  return Segment(inclusive.paths - 1u, inclusive.transforms, inclusive.box);
}

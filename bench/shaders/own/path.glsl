// Tags of the segments of paths, as in a renderer: where the points of a segment are follows from
// the tags before it. Bits 0 … 2 of a tag are its number of points, bit 3 says whether a path ends,
// bit 4 whether the transform changes.
struct Path {
  uint points, paths, transforms, points_of_path;
};
#define VKP_T Path

Path vkp_identity() { return Path(0u, 0u, 0u, 0u); }
Path vkp_combine(Path left, Path right) {
  return Path(left.points + right.points, left.paths + right.paths,
              left.transforms + right.transforms,
              right.points_of_path + (right.paths == 0u ? left.points_of_path : 0u));
}

#define VKP_IN uint
Path vkp_load(uint tag, uvec2 index) {
  const uint points = tag & 7u;
  const uint ends = tag >> 3u & 1u;
  return Path(points, ends, tag >> 4u & 1u, ends == 1u ? 0u : points);
}

#define VKP_OUT uint
uint vkp_store(Path exclusive, Path inclusive, uvec2 index) {
  return exclusive.points ^ exclusive.points_of_path ^ inclusive.transforms << 16u;
}

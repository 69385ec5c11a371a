// Tags of the segments of paths, as in a renderer: where the points and transforms of a segment are
// follows from the tags before it.
//
// A tag has the points of its segment in bits 0 … 2, whether a path ends in bit 3, and whether the
// transform changes in bit 4.
struct Path {
  uint points, paths, transforms;
  uint points_of_path;  // since the last end of a path
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
  return exclusive.points ^ exclusive.points_of_path << 8u ^ inclusive.transforms << 20u ^ index.x;
}

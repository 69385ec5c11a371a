// How much of everything comes before each word of tags: the monoid of the first scan.
#include "tags.glsl"

#define VKP_T PathCounts
#define VKP_COMMUTES

PathCounts vkp_identity() { return PathCounts(0u, 0u, 0u, 0u); }

PathCounts vkp_combine(PathCounts left, PathCounts right) { return add(left, right); }

#define VKP_IN uint
PathCounts vkp_load(uint tags, uvec2 index) {
  return add(add(count_tag(tags & 15u), count_tag(tags >> 8u & 15u)),
             add(count_tag(tags >> 16u & 15u), count_tag(tags >> 24u & 15u)));
}

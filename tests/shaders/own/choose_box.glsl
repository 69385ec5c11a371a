// Boxes of 16 bytes with an area, by the number of the element.
struct Box {
  ivec2 low, high;
};

bool vkp_predicate(Box box, uvec2 index, int wanted) {
  return all(lessThan(box.low, box.high)) != ((int(index.x) & wanted) != 0);
}

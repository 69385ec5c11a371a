// The numbers of the first and the last element with the largest key, and how many there are. An
// element is made of a key and a weight; what is stored is a pair.
struct Span {
  float key;
  uint first, last;
  int weight;
  double sum;
};
#define VKP_T Span

Span vkp_identity() { return Span(-1.0, 0u, 0u, 0, 0.0); }

Span vkp_combine(Span left, Span right) {
  Span x = left;
  if (right.key > left.key) {
    x = right;
  } else if (right.key == left.key) {
    x.last = right.last;
    x.weight = left.weight + right.weight;
  }
  x.sum = left.sum + right.sum;
  return x;
}

struct Item {
  float key;
  int weight;
};
#define VKP_IN Item
Span vkp_load(Item item, uvec2 index) {
  return Span(item.key, index.x, index.x, item.weight, double(item.weight));
}

#define VKP_OUT ivec3
ivec3 vkp_store(Span exclusive, Span inclusive, uvec2 index) {
  return ivec3(inclusive.last, inclusive.weight, int(exclusive.sum));
}

// Groups ascend; in a group the heaviest comes first.
struct Item {
  uint group;
  float weight;
};
#define VKP_T Item
bool vkp_less(Item a, Item b) {
  if (a.group != b.group) return a.group < b.group;
  return a.weight > b.weight;
}

// What the functions have in common.
struct Ball {
  float height;
  uint number;
};

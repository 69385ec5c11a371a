// An operation that paints: which one, whose shape or layer it begins or ends, and which tiles it
// touches.
struct Item {
  uint op;
  uint subject;     // the operation itself, or what it ends
  uint first_tile;  // x | y << 16
  uint last_tile;   // the ones behind the last; 0: it cannot be seen
};

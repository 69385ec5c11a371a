// What the maps of this program share.
struct Box {
  uint left, top, right, bottom;  // in pixels; right and bottom are the first ones outside
};

const uint TILE = 16u;  // pixels

// The tiles that a box touches are a rectangle of so many columns and rows; a box is not empty.
uint columns(Box box) { return (box.right - 1u) / TILE - box.left / TILE + 1u; }
uint rows(Box box) { return (box.bottom - 1u) / TILE - box.top / TILE + 1u; }

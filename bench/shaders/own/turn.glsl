// A struct of 32 bytes.
struct Body {
  uvec4 at, moves;
};

Body vkp_map(Body body, uvec2 index) { return Body(body.at + body.moves, body.moves ^ index.x); }

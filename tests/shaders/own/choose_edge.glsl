// Edges of a graph that go up.
struct Edge {
  uint from, to;
};

bool vkp_predicate(Edge edge, uvec2 index) { return edge.from < edge.to; }

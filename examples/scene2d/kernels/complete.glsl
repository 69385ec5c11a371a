// Whether there was room for all that belongs to an item. What is not complete is left out, so
// that the rest of the picture is right.
bool is_complete(Item item) {
  const Results r = f.results.v;
  if ((r.line_report.code | r.edge_report.code | r.crossing_report.code) == 0u) return true;
  const uint last_line = f.line_begins.v[f.op_segments.v[item.subject + 1u]];
  if (last_line > f.line_room) return false;
  const uint last_edge = f.edge_begins.v[last_line];
  if (last_edge > f.edge_room) return false;
  return f.crossing_begins.v[last_edge] <= f.crossing_room;
}

// Takes the stream of tags apart: which segments there are, where subpaths and shapes begin, and
// the symbols of the two stacks. An invocation treats a word of four tags.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

const uint SYMBOL_OPEN = 1u, SYMBOL_CLOSE = 2u;  // vkprims::StackTag

void decode_op(uint tag, PathCounts at) {
  const uint i = at.ops;
  f.op_segments.v[i + 1u] = at.segments;
  f.transform_symbols.v[i] = tag == TAG_PUSH_TRANSFORM  ? SYMBOL_OPEN
                             : tag == TAG_POP_TRANSFORM ? SYMBOL_CLOSE
                                                        : 0u;
  if (tag == TAG_PUSH_TRANSFORM) {
    const float m[6] = f.ops.v[i].values;
    f.transforms.v[i] = Matrix(m[0], m[1], m[2], m[3], m[4], m[5]);
  }
  // Clips and layers are of one type: an end ends the innermost of them.
  f.clip_symbols.v[i] = begins(tag) ? SYMBOL_OPEN : ends(tag) ? SYMBOL_CLOSE : 0u;
}

void main() {
  f = frame.v;
  const uint word = vkp_item();
  if (word == 0u) f.op_segments.v[0] = 0u;
  if (word >= f.words) return;
  PathCounts at = f.counts_before.v[word];
  for (uint k = 0u; k < 4u; ++k) {
    const uint tag = f.tags.v[word] >> 8u * k & 15u;
    if (tag >= TAG_PUSH_TRANSFORM) {
      decode_op(tag, at);
    } else if (tag == TAG_MOVE) {
      f.subpaths.v[at.subpaths].first_segment = at.segments;
      f.subpaths.v[at.subpaths].first_point = at.points;
    } else if (tag != 0u) {
      f.segments.v[at.segments] = Segment(tag, at.points, at.ops, at.subpaths - 1u);
      if (tag == TAG_CLOSE || tag == TAG_END) {
        f.subpaths.v[at.subpaths - 1u].last_segment = at.segments;
        f.subpaths.v[at.subpaths - 1u].is_closed = uint(tag == TAG_CLOSE);
      }
    }
    at = add(at, count_tag(tag));
  }
}

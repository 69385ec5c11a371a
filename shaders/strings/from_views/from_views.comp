// Rows that are views into bytes, with an offset and a length each. A view that reaches past the
// bytes is cut; a stated length means null.
// %VARIANT% STATE word64|word32
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/strings/strings.glsl"
#include "strings/views.glsl"

#define MOST_PIECES 1u
#define PIECES_OF_A

struct Row {
  VkpText text;
};

// The lengths lie where the offsets of a second column would.
bool evaluate(uint row, out Row x) {
  return view_at(push.a, vkp_u64(push.b.offsets), row, arguments().v.flags, x.text);
}

VkpText piece(const Row x, const uint row, const uint k) { return x.text; }

#include "vkprims/strings/pieces.glsl"

void main() { rope(); }

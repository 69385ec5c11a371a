// Rows that are views into bytes, with an offset and a length each. A view that reaches past the
// bytes is cut; a stated length means null.
// %VARIANT% STATE word32|word64
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/strings/strings.glsl"
#include "strings/views.glsl"

#define VKP_MOST_PIECES 1u
#define VKP_PIECES_OF_A

#define VKP_STRING_ROW Row
struct Row {
  VkpText text;
};

// The lengths lie where the offsets of a second column would.
bool vkp_evaluate(uint row, out Row x) {
  return view_at(vkp_push.a, vkp_u64(vkp_push.b.offsets), row, vkp_arguments().v.flags, x.text);
}

VkpText vkp_piece(const Row x, const uint row, const uint k) { return x.text; }

#include "vkprims/strings/pieces.glsl"

void main() { vkp_rope(); }

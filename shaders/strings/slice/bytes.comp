// Whole rows backward, or every second character of them either way, where all characters are
// single bytes: then they are ropes of one piece a row, whose units are turned around or thinned
// out.
//
// Whether that holds is seen while it is done: a tile that finds a byte other than ASCII, or has no
// room for all of its bytes, which are not looked at then, says so in the arguments, and
// slice/step.comp, which follows, makes all of the result again.
// %VARIANT% STATE word32|word64
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/strings/strings.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint steps = 0;  // the sum of these flags
#define VKP_BACKWARD ((steps & VKP_STRINGS_BACKWARD) != 0u)
#define VKP_EVERY_SECOND ((steps & VKP_STRINGS_EVERY_SECOND) != 0u)

#define VKP_MOST_PIECES 1u
#define VKP_PIECES_OF_A
#define VKP_IS_ATTEMPT

#define VKP_STRING_ROW Row
struct Row {
  VkpText text;
};

bool vkp_evaluate(uint row, out Row x) {
  x.text = vkp_row_text(vkp_push.a, row);
  return vkp_valid(vkp_push.a, row);
}

VkpText vkp_piece(const Row x, const uint row, const uint k) {
  if (!VKP_BACKWARD) return x.text;
  return VkpText(~vkp_sub64(vkp_add64(x.text.at, x.text.bytes), uvec2(1u, 0u)), x.text.bytes);
}

uint all_bytes = 0u;  // bits that any of the bytes has
#define VKP_SEES_BYTES
void vkp_see_bytes(uvec4 x) { all_bytes |= x.x | x.y | x.z | x.w; }

#include "vkprims/strings/pieces.glsl"

void main() {
  vkp_rope();
  if (vkp_any_lane((all_bytes & 0x80808080u) != 0u)) vkp_give_up();
}

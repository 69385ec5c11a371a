// Says what each clip and layer confines its contents to: a clip to the box of its shape.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

void main() {
  f = frame.v;
  const uint i = vkp_item();
  if (i >= f.ops_in_all) return;
  const bool confines = tag_of(f.ops.v[i]) == TAG_BEGIN_CLIP && f.infinite_boxes == 0u;
  f.clip_values.v[i] = confines ? f.op_boxes.v[i] : vec4(-1e30, -1e30, 1e30, 1e30);
}

#extension GL_GOOGLE_include_directive : require
#include "ball.glsl"

Ball vkp_map(uint height, uvec2 index, float distance) {
  return Ball(float(height) - distance, index.x);
}

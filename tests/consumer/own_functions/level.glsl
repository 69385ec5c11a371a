#extension GL_GOOGLE_include_directive : require
#include "ball.glsl"

// Balls on the ground, high ones, and others.
uint vkp_part(Ball ball, uvec2 index) {
  return ball.height == 0.0 ? 0u : ball.height >= 1000.0 ? 1u : 2u;
}

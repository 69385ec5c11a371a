#extension GL_GOOGLE_include_directive : require
#include "ball.glsl"

bool vkp_predicate(Ball ball, uvec2 index, float height) { return ball.height >= height; }

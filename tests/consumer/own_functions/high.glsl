#extension GL_GOOGLE_include_directive : require
#include "ball.glsl"

bool vkp_predicate(Ball ball, uvec2 index) { return ball.height >= 1000.0; }

#extension GL_GOOGLE_include_directive : require
#include "ball.glsl"
#define VKP_T Ball

bool vkp_less(Ball a, Ball b) { return a.height > b.height; }

// Folds of segments over the test monoids: the last dispatch.
// %VARIANT% MONOID bicyclic|wide|illegal
#version 460
#extension GL_GOOGLE_include_directive : require
#include "monoids/segmented.glsl"

void main() { vkp_segmented_fix_up(pushed_work()); }

// Bernoulli trials as bytes of 1 and 0. The algorithms are in trials.glsl and cells.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "cells.glsl"
#include "trials.glsl"

// Spreads four bits to bytes: the product has bit k in place 8 k, the lowest place of a byte.
uint bytes_of(uint ones) { return (ones & 0xfu) * 0x00204081u & 0x01010101u; }

uvec4 random_cell(VkpRng rng, uvec2 cell) {
  const uint ones = random_trials(rng, cell, 16u, rounds, push.threshold) & push.ones;
  return uvec4(bytes_of(ones), bytes_of(ones >> 4), bytes_of(ones >> 8), bytes_of(ones >> 12));
}

void main() { random_cells(); }

// A struct of 32 bytes, another size of input, and three results, one of which may lie in place.
#extension GL_GOOGLE_include_directive : require
#include "particle.glsl"

void vkp_map(Particle p, uint wind, uvec2 index, uvec4 bounds, out Particle moved,
             out uvec3 at, out uint alive) {
  moved = p;
  moved.at = (p.at + p.moves + wind) & bounds.xyz;
  moved.life = p.life - min(p.life, 1u);
  at = moved.at ^ index.x;
  alive = moved.life != 0u ? bounds.w : 0u;
}

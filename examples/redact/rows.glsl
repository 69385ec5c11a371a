// What the kernels with an invocation for each row share.
#include "redact.abi.h"
#include "vkprims/core.glsl"

layout(push_constant) uniform PushBlock { RedactPush push; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer PieceAt { Piece v; };

uint invocation() { return vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

PieceAt piece_of(uint row) { return PieceAt(vkp_add64(vkp_u64(push.pieces), vkp_mul64(row, 12u))); }

void store_piece(uint row, uvec2 at, uint bytes) {
  piece_of(row).v = Piece(VkpU64(at.x, at.y), bytes);
}

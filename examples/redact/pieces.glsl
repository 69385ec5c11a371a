// Makes a column of rows that lie anywhere: vkp_arguments().v.indices is the address of a Piece for
// each.
#include "redact.abi.h"

#define VKP_PIECES_ELSEWHERE  // in slots or a heap

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer PieceAt { Piece v; };

struct Row {
  VkpText text;
};

bool vkp_evaluate(uint row, out Row x) {
  const uvec2 pieces = vkp_u64(vkp_arguments().v.indices);
  const Piece p = PieceAt(vkp_add64(pieces, vkp_mul64(row, 12u))).v;
  x.text = VkpText(vkp_u64(p.at), p.bytes);
  return x.text.at != uvec2(0u);
}

VkpText vkp_piece(const Row x, const uint row, const uint k) { return x.text; }

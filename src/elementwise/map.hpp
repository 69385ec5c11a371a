// The host side of shaders/vkprims/device/map.glsl: elements of at most 8 bytes.
#pragma once

#include <algorithm>

#include "blocks/tile.hpp"
#include "vkprims/transform.hpp"

namespace vkprims {

/// Checks that elements of `type` have the function `op`.
inline Status check_map_op(const char* primitive, Type type, MapOp op) {
  const bool bitwise = (op >= MapOp::bit_and && op <= MapOp::bit_xor) || op == MapOp::shift_left ||
                       op == MapOp::shift_right || op == MapOp::bit_not;
  if (!bitwise || (type != Type::f32 && type != Type::f64)) return {};
  return Status::error(Status::invalid_argument,
                       "%s: op is %s, which needs an integer type, not %s", primitive, name_of(op),
                       name_of(type));
}

/// The elements that an invocation treats at once.
struct MapCell {
  std::uint32_t in_bytes, out_bytes;  // of an element

  std::uint32_t items() const { return 16 / std::max(in_bytes, out_bytes); }
  /// The number of elements in the first cell of `out` that do not belong to `out`.
  std::uint64_t head(VkDeviceAddress out) const { return out % (items() * out_bytes) / out_bytes; }
  /// Whether the cells of a sequence of operands start where those of `out` do.
  bool aligned(VkDeviceAddress in, VkDeviceAddress out) const {
    return (in - head(out) * in_bytes) % (items() * in_bytes) == 0;
  }
  /// A workgroup for each tile, whose first cell may be used in part.
  Grid grid(const Tuning& tuning, const Count& count, const Scratch& scratch = {}) const {
    const std::uint64_t cells = std::uint64_t{tuning.workgroup_size} * tuning.stream_rows;
    return {count, cells * items() - (items() - 1), scratch};
  }
};

}  // namespace vkprims

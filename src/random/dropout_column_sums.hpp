// Sums of the columns of a matrix: the host side of shaders/random/dropout/column_sums.comp.
#pragma once

#include "runtime/commands.hpp"
#include "vkprims/dropout.hpp"

namespace vkprims {

struct Matrix {
  DropoutType type;
  Count count;  // elements; the last row may be shorter
  std::uint32_t columns, pitch;
};

/// Scratch for the sums of chunks of rows.
VkDeviceSize column_sums_bytes(const DeviceState& state, const Matrix& matrix);

/// Adds two dispatches: the first leaves the sums of chunks of rows in scratch, the second adds
/// these up. `elements` is where they have been written.
Status add_column_sums(Commands& commands, const Matrix& matrix, const Operand& elements,
                       const Operand& sums, VkDeviceAddress scratch);

}  // namespace vkprims

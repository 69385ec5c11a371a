// Sums of the columns of a matrix: the host side of shaders/random/dropout/column_sums.comp.
#pragma once

#include "runtime/record.hpp"
#include "vkprims/dropout.hpp"

namespace vkprims {

struct Matrix {
  DropoutType type;
  Count count;  // elements; the last row may be shorter
  std::uint32_t columns, pitch;
};

/// Scratch for the sums of chunks of rows.
VkDeviceSize column_sums_bytes(const DeviceState& state, const Matrix& matrix);

/// Two dispatches: the first leaves the sums of chunks of rows in scratch, the second adds these
/// up.
class ColumnSums {
 public:
  /// `flags` are those of cells.glsl.
  Status get(DeviceState& state, DropoutType type, std::uint32_t flags, bool may_compile);
  void record(CommandStream& stream, const DeviceState& state, const Matrix& matrix,
              const Access& elements, VkDeviceAddress scratch, const Access& sums) const;

 private:
  VkPipeline partial_ = VK_NULL_HANDLE, total_ = VK_NULL_HANDLE;
};

}  // namespace vkprims

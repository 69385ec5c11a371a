#include "random/dropout_column_sums.hpp"

#include <algorithm>
#include <bit>

#include "random/dropout/dropout.abi.h"
#include "runtime/push.hpp"
#include "spirv/dropout_column_sums.hpp"
#include "runtime/validate.hpp"
#include "runtime/arithmetic.hpp"

namespace vkprims {
namespace {

constexpr const Spirv* kPartial[] = {
    &spirv::dropout_column_sums_f32_partial, &spirv::dropout_column_sums_f16_partial,
    &spirv::dropout_column_sums_bf16_partial, &spirv::dropout_column_sums_f64_partial};
constexpr const Spirv* kTotal[] = {
    &spirv::dropout_column_sums_f32_total, &spirv::dropout_column_sums_f16_total,
    &spirv::dropout_column_sums_bf16_total, &spirv::dropout_column_sums_f64_total};

constexpr std::uint64_t kChunkRows = 256;  // a chunk has at least so many
constexpr std::uint64_t kMaxChunks = 1024;

struct Shape {
  std::uint32_t lanes;         // log2 of the columns of a workgroup
  std::uint64_t blocks;        // of columns
  std::uint64_t rows, chunks;  // rows of a chunk, and number of chunks
};

Shape shape_of(const DeviceState& state, const Matrix& matrix) {
  const std::uint32_t most = std::min(state.tuning.workgroup_size, std::bit_ceil(matrix.columns));
  const std::uint64_t rows = ceil_div(matrix.count.max, matrix.columns);
  Shape shape{};
  shape.lanes = static_cast<std::uint32_t>(std::countr_zero(most));
  shape.blocks = ceil_div(matrix.columns, most);
  shape.rows = std::max(kChunkRows, ceil_div(rows, kMaxChunks));
  shape.chunks = ceil_div(rows, shape.rows);
  return shape;
}

}  // namespace

VkDeviceSize column_sums_bytes(const DeviceState& state, const Matrix& matrix) {
  const VkDeviceSize sum_bytes = matrix.type == DropoutType::f64 ? 8 : 4;
  return shape_of(state, matrix).chunks * matrix.columns * sum_bytes;
}

Status ColumnSums::get(DeviceState& state, DropoutType type, std::uint32_t flags,
                       bool may_compile) {
  const auto index = static_cast<std::size_t>(type);
  Specialization constants{.workgroup_size = state.tuning.workgroup_size, .row_words = 1};
  constants.own[VKP_DROPOUT_SPEC_FLAGS - VKP_SPEC_FIRST_OWN] = flags;
  VKPRIMS_TRY(state.pipelines.get(state.vk, *kPartial[index], constants, may_compile, partial_));
  return state.pipelines.get(state.vk, *kTotal[index], constants, may_compile, total_);
}

void ColumnSums::record(CommandStream& stream, const DeviceState& state, const Matrix& matrix,
                        const Access& elements, VkDeviceAddress scratch, const Access& sums) const {
  const Shape shape = shape_of(state, matrix);
  const VkDeviceSize scratch_bytes = column_sums_bytes(state, matrix);
  abi::DropoutColumnsPush push{.in_base = push_u64(elements.view.address),
                               .out_base = push_u64(scratch),
                               .count = push_count(matrix.count),
                               .columns = matrix.columns,
                               .pitch = matrix.pitch,
                               .rows = static_cast<std::uint32_t>(shape.rows),
                               .lanes = shape.lanes};
  OldGrid grid;
  grid.groups = shape.blocks * shape.chunks;
  if (shape.chunks) {
    stream.dispatch(partial_, push, grid,
                    {reads(matrix.count), elements, writes(scratch, scratch_bytes)});
  }
  push.in_base = push.out_base;
  push.out_base = push_u64(sums.view.address);
  push.pitch = matrix.columns;
  grid.groups = shape.blocks;
  stream.dispatch(total_, push, grid, {reads(matrix.count), reads(scratch, scratch_bytes), sums});
}

}  // namespace vkprims

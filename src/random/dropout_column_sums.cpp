#include "random/dropout_column_sums.hpp"

#include <algorithm>
#include <bit>

#include "random/dropout/dropout.abi.h"
#include "random/dropout_elements.hpp"
#include "runtime/arithmetic.hpp"
#include "runtime/push.hpp"
#include "spirv/dropout_column_sums.hpp"

namespace vkprims {
namespace {

constexpr std::size_t kPartial = 0, kTotal = 1;  // positions of the modules
constexpr std::uint64_t kChunkRows = 256;        // a chunk has at least so many
constexpr std::uint64_t kMaxChunks = 1024;

struct Plan {
  std::uint32_t lanes;         // log2 of the columns of a workgroup
  std::uint64_t blocks;        // of columns
  std::uint64_t rows, chunks;  // rows of a chunk, and number of chunks
};

Plan plan_of(const DeviceState& state, const Matrix& matrix) {
  const std::uint32_t most = std::min(state.tuning.workgroup_size, std::bit_ceil(matrix.columns));
  const std::uint64_t rows = ceil_div(matrix.count.max, matrix.columns);
  Plan plan{};
  plan.lanes = static_cast<std::uint32_t>(std::countr_zero(most));
  plan.blocks = ceil_div(matrix.columns, most);
  plan.rows = std::max(kChunkRows, ceil_div(rows, kMaxChunks));
  plan.chunks = ceil_div(rows, plan.rows);
  return plan;
}

}  // namespace

VkDeviceSize column_sums_bytes(const DeviceState& state, const Matrix& matrix) {
  const VkDeviceSize sum_bytes = matrix.type == DropoutType::f64 ? 8 : 4;
  return plan_of(state, matrix).chunks * matrix.columns * sum_bytes;
}

Status add_column_sums(Commands& commands, const Matrix& matrix, const Operand& elements,
                       const Operand& sums, VkDeviceAddress scratch) {
  const DeviceState& state = commands.state();
  const Plan plan = plan_of(state, matrix);
  const VkDeviceSize bytes = column_sums_bytes(state, matrix);
  const auto type = static_cast<std::size_t>(matrix.type);
  const Operand count = operand_of(matrix.count);
  Specialization constants{.workgroup_size = state.tuning.workgroup_size, .row_words = 1};
  constants.set(VKP_DROPOUT_SPEC_FLAGS, dropout_half_flag(state, matrix.type));
  abi::DropoutColumnsPush push{.in_base = push_u64(elements),
                               .out_base = push_u64(scratch),
                               .count = push_count(matrix.count),
                               .columns = matrix.columns,
                               .pitch = matrix.pitch,
                               .rows = static_cast<std::uint32_t>(plan.rows),
                               .lanes = plan.lanes};
  VKPRIMS_TRY(commands.dispatch(
      spirv::dropout_column_sums(type, kPartial), constants, push, Grid(plan.blocks * plan.chunks),
      {count, reads(elements.address(), elements.need), writes(scratch, bytes)}));
  push.in_base = push.out_base;
  push.out_base = push_u64(sums);
  push.pitch = matrix.columns;
  return commands.dispatch(spirv::dropout_column_sums(type, kTotal), constants, push,
                           Grid(plan.blocks), {count, reads(scratch, bytes), sums});
}

}  // namespace vkprims

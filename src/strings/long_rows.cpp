#include "strings/long_rows.hpp"

#include <algorithm>

#include "push.hpp"
#include "spirv/strings_long_rows.hpp"
#include "strings/call.hpp"
#include "strings/long_rows.abi.h"

namespace vkprims::strings {

Status get_long_rows(DeviceState& state, bool may_compile, LongRowsPipeline& pipeline) {
  return state.pipelines.get(state.vk, spirv::strings_long_rows,
                             {.workgroup_size = state.tuning.workgroup_size}, may_compile,
                             pipeline.table);
}

void record_long_rows(CommandStream& stream, const DeviceState& state,
                      const LongRowsPipeline& pipeline, const StringColumnView& column,
                      VkDeviceAddress table, const Independent* independent) {
  const abi::LongRowsPush push{.column = push_strings(column),
                               .table = push_u64(table),
                               .rows = static_cast<abi::uint>(column.rows)};
  const std::uint64_t workgroup = state.tuning.workgroup_size;
  Grid grid;
  grid.groups = (milestones(column.chars.bytes) + workgroup - 1) / workgroup;
  stream.dispatch(pipeline.table, push, grid,
                  {reads(column.offsets.address, column.offsets.bytes),
                   reads(column.validity.address, column.validity.bytes),
                   writes(table, long_row_table_bytes(column.chars.bytes))},
                  independent);
}

}  // namespace vkprims::strings

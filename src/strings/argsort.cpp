// The host side of the primitive strings::argsort.
#include "vkprims/strings/argsort.hpp"

#include <algorithm>

#include "runtime/push.hpp"
#include "sort/sort_passes.hpp"
#include "spirv/strings_argsort_blocks.hpp"
#include "spirv/strings_argsort_keys.hpp"
#include "spirv/strings_argsort_mark.hpp"
#include "spirv/strings_argsort_merge.hpp"
#include "spirv/strings_argsort_scatter.hpp"
#include "spirv/strings_argsort_ties.hpp"
#include "strings/argsort/argsort.abi.h"
#include "strings/call.hpp"
#include "strings/interned.hpp"
#include "vkprims/select.hpp"
#include "runtime/arithmetic.hpp"

namespace vkprims::strings {
namespace {

constexpr const char* kName = "strings::argsort";

// The sort of all rows by their keys.
SortJob job_of(const ArgsortStringsDesc& desc, std::uint64_t rows) {
  return {.primitive = kName,
          .type = Type::u64,
          .order = SortOrder::ascending,
          .float_order = FloatOrder::by_bits,
          .begin_bit = 0,
          .end_bit = 64,
          .count = rows,
          .schedule = desc.schedule,
          .value_words = 1,
          .make_indices = true,
          .keep_keys = true};
}

// The selection of the rows that tie.
SelectDesc selection_of(const ArgsortStringsDesc& desc, std::uint64_t rows) {
  return {.by = SelectBy::bytes, .count = rows, .schedule = desc.schedule};
}

// Where things are in scratch. Later steps reuse the places of what earlier ones have left.
struct Plan {
  std::uint64_t rows;
  VkDeviceSize keys, sort;    // in use until rows are sorted by keys
  VkDeviceSize ties, select;  // in use until those that tie are selected
  VkDeviceSize sorted_keys;   // in use until there are records
  VkDeviceSize records, spare;
  VkDeviceSize positions;
  VkDeviceSize marks, mark_bytes, interned;  // bytes 0: no row is long
  ScratchNeed need;
};

Plan plan_of(const Device& device, const ArgsortStringsDesc& desc, std::uint64_t rows,
             std::uint64_t chars_bytes) {
  const auto aligned = [](VkDeviceSize bytes) { return ceil_div(bytes, 16) * 16; };
  const VkDeviceSize records = rows * VKP_ARGSORT_RECORD_BYTES;
  const VkDeviceSize sort = sort_need(*device.state(), job_of(desc, rows)).bytes;
  const VkDeviceSize select = select_scratch(device, selection_of(desc, rows)).bytes;
  Plan plan{};
  plan.rows = rows;
  plan.keys = plan.ties = plan.records = VKP_ARGSORT_HEADER_BYTES;
  plan.sort = plan.keys + aligned(8 * rows);
  plan.select = plan.ties + aligned(rows);
  plan.spare = plan.sorted_keys =
      aligned(std::max({plan.sort + sort, plan.select + select, plan.records + records}));
  plan.positions = plan.spare + records;
  plan.marks = aligned(plan.positions + 4 * rows);
  plan.interned = plan.marks;
  const VkDeviceSize interned = interned_bytes(chars_bytes, desc.longest_row_bytes);
  if (interned) {
    plan.mark_bytes = bit_bytes(rows);
    plan.interned = aligned(plan.marks + plan.mark_bytes);
  }
  if (rows) plan.need.bytes = plan.interned + interned;
  return plan;
}

struct ArgsortPipelines {
  VkPipeline keys, ties, mark, intern, blocks, merge, scatter;
};

Specialization wide_constants(const DeviceState& state) {
  return {.workgroup_size =
              std::min<std::uint32_t>(state.tuning.workgroup_size, VKP_STRINGS_WORKGROUP)};
}

Status get_pipelines(DeviceState& state, bool may_compile, ArgsortPipelines& pipelines) {
  const auto get = [&](const Spirv& spirv, const Specialization& constants, VkPipeline& pipeline) {
    return state.pipelines.get(state.vk, spirv, constants, may_compile, pipeline);
  };
  const Specialization wide = wide_constants(state);
  const Specialization tile{.workgroup_size = VKP_ARGSORT_WORKGROUP};
  VKPRIMS_TRY(get(spirv::strings_argsort_keys, wide, pipelines.keys));
  VKPRIMS_TRY(get(spirv::strings_argsort_ties, wide, pipelines.ties));
  VKPRIMS_TRY(get(spirv::strings_argsort_mark, tile, pipelines.mark));
  VKPRIMS_TRY(get_intern_pipeline(state, may_compile, pipelines.intern));
  VKPRIMS_TRY(get(spirv::strings_argsort_blocks, tile, pipelines.blocks));
  VKPRIMS_TRY(get(spirv::strings_argsort_merge, tile, pipelines.merge));
  return get(spirv::strings_argsort_scatter, tile, pipelines.scatter);
}

class Recording {
 public:
  Recording(const Device& device, const ArgsortStringsDesc& desc,
            const ArgsortStringsBuffers& buffers, const Plan& plan)
      : device_(device),
        state_(*device.state()),
        desc_(desc),
        buffers_(buffers),
        plan_(plan),
        order_{buffers.indices.address, 4 * plan.rows},
        sorted_keys_(part(plan.sorted_keys, 8 * plan.rows)),
        positions_(part(plan.positions, 4 * plan.rows)),
        tied_(part(0, 8)),
        records_(part(plan.records, VKP_ARGSORT_RECORD_BYTES * plan.rows)),
        spare_(part(plan.spare, VKP_ARGSORT_RECORD_BYTES * plan.rows)),
        long_rows_{.in = buffers.in,
                   .scratch = buffers.scratch,
                   .offset = plan.interned,
                   .mark_bytes = plan.mark_bytes},
        column_(accesses_of({.primitive = kName, .a = {"in", buffers.in}})) {
    const std::uint32_t descending =
        desc.order == SortOrder::descending ? VKP_ARGSORT_DESCENDING : 0;
    const std::uint32_t first = desc.nulls == NullOrder::first ? VKP_ARGSORT_NULLS_FIRST : 0;
    push_ = {.column = push_strings(buffers.in),
             .keys = push_u64(buffers.scratch.address + plan.keys),
             .sorted_keys = push_u64(sorted_keys_.address),
             .ties = push_u64(buffers.scratch.address + plan.ties),
             .order = push_u64(order_.address),
             .positions = push_u64(positions_.address),
             .tied = push_u64(tied_.address),
             .records = push_u64(records_.address),
             .spare = push_u64(spare_.address),
             .interned = push_u64(plan.mark_bytes ? long_rows_.address() : 0),
             .rows = static_cast<abi::uint>(plan.rows),
             .format = descending + first,
             .pass = 0};
  }

  Status run(VkCommandBuffer cmd) {
    const bool may_compile = state_.info.pipelines == PipelinePolicy::lazy;
    VKPRIMS_TRY(get_pipelines(state_, may_compile, pipelines_));
    VKPRIMS_TRY(sort_by_keys(cmd, may_compile));
    VKPRIMS_TRY(record_barrier(cmd, device_));
    const BufferView ties = part(plan_.ties, plan_.rows);
    VKPRIMS_TRY(record_select(cmd, device_, selection_of(desc_, plan_.rows),
                              {.in = {},
                               .flags = ties,
                               .indices = positions_,
                               .selected_count = tied_,
                               .scratch = scratch(plan_.select, plan_.spare)}));
    VKPRIMS_TRY(record_barrier(cmd, device_));
    return sort_ties(cmd, may_compile);
  }

 private:
  BufferView part(VkDeviceSize offset, VkDeviceSize bytes) const {
    return {buffers_.scratch.address + offset, bytes};
  }
  Scratch scratch(VkDeviceSize offset, VkDeviceSize end) const {
    const Scratch& s = buffers_.scratch;
    return {s.buffer, s.offset + offset, s.address + offset, end - offset};
  }
  static Access reads(const BufferView& v) { return vkprims::reads(v.address, v.bytes); }
  static Access writes(const BufferView& v) { return vkprims::writes(v.address, v.bytes); }
  // What is noted about the blocks of long rows; nothing if no row is long.
  Access notes() const { return plan_.mark_bytes ? long_rows_.notes() : Access{}; }
  Access interned() const {
    const BufferView view = plan_.mark_bytes ? long_rows_.all().view : BufferView{};
    return reads(view);
  }
  std::vector<Access> with_column(std::initializer_list<Access> others) const {
    std::vector<Access> all = column_;
    all.insert(all.end(), others);
    return all;
  }

  // Sorts all rows by their keys, and finds which of them tie.
  Status sort_by_keys(VkCommandBuffer cmd, bool may_compile) {
    const std::uint64_t n = plan_.rows;
    const std::uint32_t group = wide_constants(state_).workgroup_size;
    const BufferView keys = part(plan_.keys, 8 * n);
    SortPasses passes;
    VKPRIMS_TRY(passes.get(state_, job_of(desc_, n),
                           {keys.address, sorted_keys_.address, 0, order_.address,
                            scratch(plan_.sort, plan_.sorted_keys)},
                           may_compile));
    OldGrid rows, ties;
    rows.groups = ceil_div(n, group);
    ties.groups = ceil_div(n, std::uint64_t{group} * VKP_ARGSORT_TIE_KEYS);
    CommandStream stream(state_, cmd, "by keys");
    if (plan_.mark_bytes) clear_interned(stream, long_rows_);
    stream.dispatch(pipelines_.keys, push_, rows,
                    std::span<const Access>(with_column({writes(keys), notes()})));
    passes.record(stream);
    stream.dispatch(pipelines_.ties, push_, ties,
                    {reads(sorted_keys_), writes(part(plan_.ties, ceil_div(n, 4) * 4))});
    return {};
  }

  // Sorts the rows that tie among themselves. How many there are is known on the GPU: merges that
  // they do not need leave at once.
  Status sort_ties(VkCommandBuffer cmd, bool may_compile) {
    OldGrid grid;
    VKPRIMS_TRY(make_grid(state_, {plan_.rows, tied_.address, CountWidth::u64}, VKP_ARGSORT_TILE,
                          scratch(VKP_ARGSORT_GRID_OFFSET, VKP_ARGSORT_HEADER_BYTES), may_compile,
                          grid));
    CommandStream stream(state_, cmd, "ties");
    stream.prepare(grid);
    grid.computed = true;
    if (plan_.mark_bytes) {
      stream.dispatch(pipelines_.mark, push_, grid,
                      std::span<const Access>(
                          with_column({reads(tied_), reads(positions_), reads(order_), notes()})));
      intern_blocks(stream, state_, pipelines_.intern, long_rows_);
    }
    stream.dispatch(
        pipelines_.blocks, push_, grid,
        std::span<const Access>(with_column({reads(tied_), reads(positions_), reads(order_),
                                             reads(sorted_keys_), interned(), writes(records_)})));
    abi::StringsArgsortPush push = push_;
    for (; std::uint64_t{VKP_ARGSORT_TILE} << push.pass < plan_.rows; ++push.pass) {
      stream.dispatch(pipelines_.merge, push, grid,
                      std::span<const Access>(with_column(
                          {reads(tied_), interned(), writes(records_), writes(spare_)})));
    }
    stream.dispatch(
        pipelines_.scatter, push_, grid,
        {reads(tied_), reads(positions_), reads(records_), reads(spare_), writes(order_)});
    return {};
  }

  const Device& device_;
  DeviceState& state_;
  const ArgsortStringsDesc& desc_;
  const ArgsortStringsBuffers& buffers_;
  const Plan& plan_;
  const BufferView order_, sorted_keys_, positions_, tied_, records_, spare_;
  const InternedBlocks long_rows_;
  const std::vector<Access> column_;
  abi::StringsArgsortPush push_{};
  ArgsortPipelines pipelines_{};
};

Status check_desc(const ArgsortStringsDesc& desc) {
  VKPRIMS_TRY(check_enum(kName, "order", desc.order, SortOrder::descending));
  VKPRIMS_TRY(check_enum(kName, "nulls", desc.nulls, NullOrder::first));
  return check_enum(kName, "schedule", desc.schedule, Schedule::multi_pass);
}

}  // namespace

ScratchNeed argsort_scratch(const Device& device, const ArgsortStringsDesc& desc,
                            std::uint64_t rows, std::uint64_t chars_bytes) {
  if (!device || rows > kMaxStringRows || !check_desc(desc)) return {};
  return plan_of(device, desc, rows, chars_bytes).need;
}

Status record_argsort(VkCommandBuffer cmd, const Device& device, const ArgsortStringsDesc& desc,
                      const ArgsortStringsBuffers& buffers) {
  VKPRIMS_RECORD_CALL(kName, cmd, device);
  VKPRIMS_TRY(check_desc(desc));
  std::vector<Argument> arguments;
  VKPRIMS_TRY(check_column(kName, {"in", buffers.in}, arguments));
  const std::uint64_t rows = buffers.in.rows;
  const Plan plan = plan_of(device, desc, rows, buffers.in.chars.bytes);
  arguments.push_back({"indices", buffers.indices, 4 * rows, 4, true, "", "in.rows"});
  arguments.push_back(argument_of(buffers.scratch, plan.need));
  VKPRIMS_TRY(check_arguments(kName, std::span<const Argument>(arguments)));
  if (rows == 0) return {};
  {
    const Rehearsal rehearsal;
    VKPRIMS_TRY(Recording(device, desc, buffers, plan).run(cmd));
  }
  const CommandStream label(*device.state(), cmd);
  return Recording(device, desc, buffers, plan).run(cmd);
}

Status warm_up(const Device& device, const ArgsortStringsDesc& desc) {
  VKPRIMS_WARM_UP_CALL(kName, device);
  VKPRIMS_TRY(check_desc(desc));
  DeviceState& state = *device.state();
  ArgsortPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, true, pipelines));
  VKPRIMS_TRY(warm_up_sort(state, job_of(desc, kMaxStringRows)));
  VKPRIMS_TRY(warm_up(device, selection_of(desc, kMaxStringRows)));
  OldGrid grid;
  return make_grid(state, {kMaxStringRows, 16, CountWidth::u64}, VKP_ARGSORT_TILE, {}, true, grid);
}

}  // namespace vkprims::strings

// The host side of the primitive strings::dictionary_encode.
#include "vkprims/strings/dictionary_encode.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>

#include "compact/compact.hpp"
#include "runtime/push.hpp"
#include "spirv/strings_dictionary_codes.hpp"
#include "spirv/strings_dictionary_firsts.hpp"
#include "spirv/strings_dictionary_insert.hpp"
#include "spirv/strings_dictionary_insert_long.hpp"
#include "spirv/strings_dictionary_ranks.hpp"
#include "strings/bits.hpp"
#include "strings/call.hpp"
#include "strings/dictionary/dictionary.abi.h"
#include "strings/interned.hpp"

namespace vkprims::strings {
namespace {

constexpr const char* kName = "strings::dictionary_encode";

// These rows go into the table before all others, so that the others find there what is frequent.
// Nearly all of them then only look, where otherwise everything that runs at first would try to be
// the first.
constexpr std::uint64_t kFirstRows = 1024;

std::uint64_t slots_of(std::uint64_t rows) {
  return std::bit_ceil(std::max<std::uint64_t>(2 * rows, 4));
}

Compaction compaction_of(const DictionaryEncodeDesc& desc, std::uint64_t rows) {
  return {.primitive = kName,
          .type = Type::u32,
          .item_bytes = 4,
          .source = VKP_COMPACT_BYTES,
          .count = rows,
          .index_width = IndexWidth::u32,
          .schedule = desc.schedule};
}

// Offsets in scratch. The size of the grid of ranks.comp comes first.
struct Plan {
  VkDeviceSize table = 0, firsts = 0, found = 0, compaction = 0;
  VkDeviceSize interned = 0, interned_bytes = 0;  // 0: no row is long
  ScratchNeed need;
};

Plan plan_of(const DeviceState& state, const DictionaryEncodeDesc& desc, std::uint64_t rows,
             std::uint64_t chars_bytes) {
  Plan plan;
  VkDeviceSize end = kGridScratchBytes;
  const auto take = [&](VkDeviceSize bytes) {
    const VkDeviceSize begin = end;
    end += (bytes + 15) / 16 * 16;
    return begin;
  };
  plan.table = take(4 * slots_of(rows));
  plan.firsts = take(rows);
  plan.found = take(4 * rows);
  plan.compaction = take(compaction_scratch(state, compaction_of(desc, rows)).bytes);
  plan.interned_bytes = rows ? interned_bytes(chars_bytes, desc.longest_row_bytes) : 0;
  plan.interned = take(plan.interned_bytes);
  plan.need.bytes = end;
  return plan;
}

struct Pipelines {
  VkPipeline insert = VK_NULL_HANDLE, intern = VK_NULL_HANDLE, insert_long = VK_NULL_HANDLE,
             firsts = VK_NULL_HANDLE, ranks = VK_NULL_HANDLE, codes = VK_NULL_HANDLE;
};

Status get_pipelines(DeviceState& state, bool may_compile, Pipelines& pipelines) {
  const auto get = [&](const Spirv& spirv, VkPipeline& pipeline) {
    return state.pipelines.get(state.vk, spirv, {.workgroup_size = state.tuning.workgroup_size},
                               may_compile, pipeline);
  };
  VKPRIMS_TRY(get(spirv::strings_dictionary_insert, pipelines.insert));
  VKPRIMS_TRY(get_intern_pipeline(state, may_compile, pipelines.intern));
  VKPRIMS_TRY(get(spirv::strings_dictionary_insert_long, pipelines.insert_long));
  VKPRIMS_TRY(get(spirv::strings_dictionary_firsts, pipelines.firsts));
  VKPRIMS_TRY(get(spirv::strings_dictionary_ranks, pipelines.ranks));
  return get(spirv::strings_dictionary_codes, pipelines.codes);
}

std::uint64_t capacity_of(const DictionaryEncodeDesc& desc, std::uint64_t rows) {
  return desc.capacity.value_or(rows);
}

Status check_desc(const DictionaryEncodeDesc& desc) {
  VKPRIMS_TRY(check_enum(kName, "order", desc.order, DictionaryOrder::first_appearance));
  VKPRIMS_TRY(check_enum(kName, "schedule", desc.schedule, Schedule::multi_pass));
  if (desc.capacity.value_or(0) <= kMaxStringRows) return {};
  return Status::error(Status::invalid_argument,
                       "%s: capacity is %" PRIu64 ", at most %" PRIu64 " (2^31 - 1) is allowed",
                       kName, *desc.capacity, kMaxStringRows);
}

Status check_buffers(const DictionaryEncodeDesc& desc, const DictionaryEncodeBuffers& b,
                     const ScratchNeed& need) {
  std::vector<Argument> arguments;
  VKPRIMS_TRY(check_column(kName, {"in", b.in}, arguments));
  const std::uint64_t n = b.in.rows;
  const auto wanted = [](const BufferView& v, VkDeviceSize bytes) { return v.address ? bytes : 0; };
  arguments.push_back({"codes", b.codes, 4 * n, 4, true, "", "in.rows"});
  arguments.push_back(
      {"validity", b.validity, wanted(b.validity, bit_bytes(n)), 4, true, "", "in.rows"});
  arguments.push_back({"rows", b.rows, wanted(b.rows, 4 * capacity_of(desc, n)), 4, true});
  arguments.push_back(argument_of_u64("distinct_count", b.distinct_count));
  arguments.push_back(argument_of_report(b.report));
  arguments.push_back(argument_of(b.scratch, need));
  return check_arguments(kName, std::span<const Argument>(arguments));
}

class Recording {
 public:
  Recording(const Device& device, const DictionaryEncodeDesc& desc,
            const DictionaryEncodeBuffers& buffers, const Plan& plan)
      : device_(device), state_(*device.state()), desc_(desc), b_(buffers), plan_(plan) {}

  Status run(VkCommandBuffer cmd) {
    const bool may_compile = state_.info.pipelines == PipelinePolicy::lazy;
    VKPRIMS_TRY(get_pipelines(state_, may_compile, pipelines_));
    const Scratch& scratch = b_.scratch;
    const Count count{rows_, b_.distinct_count.address, CountWidth::u64};
    OldGrid of_codes;
    VKPRIMS_TRY(
        make_grid(state_, count, state_.tuning.workgroup_size, scratch, may_compile, of_codes));
    if (rows_) insert(cmd);
    VKPRIMS_TRY(validity(cmd));
    if (rows_) VKPRIMS_TRY(record_barrier(cmd, device_));
    VKPRIMS_TRY(record_compaction(
        cmd, state_, compaction_of(desc_, rows_),
        {.flags = part(plan_.firsts, rows_),
         .indices = part(plan_.found, 4 * rows_),
         .count_name = "distinct_count",
         .count = b_.distinct_count,
         .scratch = {scratch.buffer, scratch.offset + plan_.compaction,
                     scratch.address + plan_.compaction, plan_.interned - plan_.compaction}}));
    if (rows_ == 0) return {};
    VKPRIMS_TRY(record_barrier(cmd, device_, BarrierBefore::compute_and_indirect));
    number(cmd, of_codes);
    return {};
  }

 private:
  // Fills the table, and then finds which rows are the first of their kind.
  void insert(VkCommandBuffer cmd) {
    const VkDeviceSize table_bytes = 4 * slots_of(rows_);
    CommandStream stream(state_, cmd);
    stream.fill(b_.scratch, plan_.table, table_bytes, ~0u);
    if (plan_.interned_bytes) clear_interned(stream, long_rows_);
    for (std::uint64_t begin = 0; begin < rows_;) {
      const std::uint64_t end = begin ? rows_ : std::min(rows_, kFirstRows);
      dispatch(stream, pipelines_.insert, grid(end - begin), begin, end,
               {table(), codes(), interned()});
      begin = end;
    }
    if (plan_.interned_bytes) {
      intern_blocks(stream, state_, pipelines_.intern, long_rows_);
      dispatch(stream, pipelines_.insert_long, grid(rows_), 0, rows_,
               {table(), codes(), interned()});
    }
    dispatch(stream, pipelines_.firsts, grid((rows_ + 3) / 4), 0, rows_,
             {table(), codes(), writes(b_.scratch.address + plan_.firsts, (rows_ + 3) / 4 * 4)});
  }

  // Makes the codes of the first rows, and from these the codes of all rows.
  void number(VkCommandBuffer cmd, const OldGrid& of_codes) {
    CommandStream stream(state_, cmd);
    const BufferView found = part(plan_.found, 4 * rows_);
    const VkDeviceSize row_bytes = b_.rows.address ? 4 * capacity_of(desc_, rows_) : 0;
    dispatch(stream, pipelines_.ranks, of_codes, 0, rows_,
             {reads(b_.distinct_count.address, 8), reads(found.address, found.bytes), codes(),
              table(), writes(b_.rows.address, row_bytes),
              writes(b_.report.address, b_.report.address ? sizeof(DeviceReport) : 0)});
    dispatch(stream, pipelines_.codes, grid(rows_), 0, rows_, {table(), codes()});
  }

  Status validity(VkCommandBuffer cmd) {
    if (!b_.validity.address || rows_ == 0) return {};
    VKPRIMS_TRY(record_barrier(cmd, device_));
    const BufferView all = b_.in.validity;
    return record_bits(cmd, state_, {all, {}, rows_, b_.in.first_bit}, b_.validity.address);
  }

  BufferView part(VkDeviceSize offset, VkDeviceSize bytes) const {
    return {b_.scratch.address + offset, bytes};
  }
  OldGrid grid(std::uint64_t items) const {
    OldGrid result;
    result.groups = (items + state_.tuning.workgroup_size - 1) / state_.tuning.workgroup_size;
    return result;
  }
  Access table() const { return writes(b_.scratch.address + plan_.table, 4 * slots_of(rows_)); }
  Access codes() const { return writes(b_.codes.address, 4 * rows_); }
  Access interned() const { return plan_.interned_bytes ? long_rows_.all() : Access{}; }
  void dispatch(CommandStream& stream, VkPipeline pipeline, const OldGrid& of, std::uint64_t begin,
                std::uint64_t end, std::vector<Access> accesses) const {
    const auto rows = static_cast<std::uint32_t>(rows_);
    const abi::DictionaryPush push{
        .a = push_strings(b_.in),
        .codes = push_u64(b_.codes.address),
        .table = push_u64(b_.scratch.address + plan_.table),
        .firsts = push_u64(b_.scratch.address + plan_.firsts),
        .found = push_u64(b_.scratch.address + plan_.found),
        .count = push_u64(b_.distinct_count.address),
        .out_rows = push_u64(b_.rows.address),
        .report = push_u64(b_.report.address),
        .interned = push_u64(plan_.interned_bytes ? long_rows_.address() : 0),
        .begin = static_cast<std::uint32_t>(begin),
        .end = static_cast<std::uint32_t>(end),
        .slot_mask = static_cast<std::uint32_t>(slots_of(rows_) - 1),
        .row_mask = std::bit_ceil(rows + 1) - 1,
        .seed = desc_.seed,
        .capacity = static_cast<std::uint32_t>(capacity_of(desc_, rows_))};
    for (const BufferView& view : {b_.in.offsets, b_.in.chars, b_.in.validity}) {
      if (view.address) accesses.push_back(reads(view.address, view.bytes));
    }
    stream.dispatch(pipeline, push, of, std::span<const Access>(accesses));
  }

  const Device& device_;
  DeviceState& state_;
  const DictionaryEncodeDesc& desc_;
  const DictionaryEncodeBuffers& b_;
  const Plan& plan_;
  const std::uint64_t rows_ = b_.in.rows;
  const InternedBlocks long_rows_{
      .in = b_.in, .scratch = b_.scratch, .offset = plan_.interned, .seed = desc_.seed};
  Pipelines pipelines_;
};

}  // namespace

ScratchNeed dictionary_encode_scratch(const Device& device, const DictionaryEncodeDesc& desc,
                                      std::uint64_t rows, std::uint64_t chars_bytes) {
  if (!device || rows > kMaxStringRows || !check_desc(desc)) return {};
  return plan_of(*device.state(), desc, rows, chars_bytes).need;
}

Status record_dictionary_encode(VkCommandBuffer cmd, const Device& device,
                                const DictionaryEncodeDesc& desc,
                                const DictionaryEncodeBuffers& buffers) {
  VKPRIMS_RECORD_CALL(kName, cmd, device);
  VKPRIMS_TRY(check_desc(desc));
  const ScratchNeed need =
      dictionary_encode_scratch(device, desc, buffers.in.rows, buffers.in.chars.bytes);
  VKPRIMS_TRY(check_buffers(desc, buffers, need));
  const Plan plan = plan_of(*device.state(), desc, buffers.in.rows, buffers.in.chars.bytes);
  {
    const Rehearsal rehearsal;
    VKPRIMS_TRY(Recording(device, desc, buffers, plan).run(cmd));
  }
  const CommandStream label(*device.state(), cmd);
  return Recording(device, desc, buffers, plan).run(cmd);
}

Status warm_up(const Device& device, const DictionaryEncodeDesc& desc) {
  VKPRIMS_WARM_UP_CALL(kName, device);
  VKPRIMS_TRY(check_desc(desc));
  DeviceState& state = *device.state();
  Pipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, true, pipelines));
  VKPRIMS_TRY(warm_up_bits(state));
  OldGrid grid;
  VKPRIMS_TRY(make_grid(state, {kMaxStringRows, 8, CountWidth::u64}, state.tuning.workgroup_size,
                        {}, true, grid));
  return warm_up_compaction(state, compaction_of(desc, 1));
}

}  // namespace vkprims::strings

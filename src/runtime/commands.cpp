#include "runtime/commands.hpp"

#include <cstdio>
#include <cstring>

#include "runtime/arithmetic.hpp"
#include "runtime/fill_scratch/fill_scratch.abi.h"
#include "runtime/push.hpp"
#include "spirv/dispatch_args.hpp"
#include "spirv/fill_scratch.hpp"

namespace vkprims {
namespace {

constexpr std::uint64_t kMaxGroupsPerDimension = 65535;
// Below this many workgroups, surplus ones cost less than a dispatch that computes the grid.
constexpr std::uint64_t kLargestSurplusGrid = 4096;

// More bytes than these are always filled by vkCmdFillBuffer.
constexpr VkDeviceSize kFewBytes = 4096;

constexpr VkPipelineStageFlags kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
constexpr VkAccessFlags kShaderAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;

void begin_label(const DeviceState& state, VkCommandBuffer cmd, const char* name) {
  if (!state.vk.vkCmdBeginDebugUtilsLabelEXT || !state.vk.vkCmdEndDebugUtilsLabelEXT) return;
  const VkDebugUtilsLabelEXT info{.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                  .pLabelName = name};
  state.vk.vkCmdBeginDebugUtilsLabelEXT(cmd, &info);
}

void end_label(const DeviceState& state, VkCommandBuffer cmd) {
  if (!state.vk.vkCmdBeginDebugUtilsLabelEXT || !state.vk.vkCmdEndDebugUtilsLabelEXT) return;
  state.vk.vkCmdEndDebugUtilsLabelEXT(cmd);
}

}  // namespace

bool grid_is_indirect(const Count& count, std::uint64_t items_per_group) {
  return count.address && ceil_div(count.max, items_per_group) > kLargestSurplusGrid;
}

Grid::Grid(const Count& items, std::uint64_t items_each, const Scratch& room)
    : groups(ceil_div(items.max, items_each)),
      is_indirect(grid_is_indirect(items, items_each)),
      count(items),
      items_per_group(items_each),
      scratch(room) {}

Status Commands::prepare(std::initializer_list<Grid*> grids) {
  static constexpr Independent kOtherSize{"the sizes of grids are disjoint parts of scratch"};
  const Independent* independent = nullptr;
  for (Grid* grid : grids) {
    if (!grid->is_indirect || grid->is_computed) continue;
    grid->is_computed = true;
    const abi::DispatchArgsPush push{.args = push_u64(grid->scratch.address),
                                     .count = push_count(grid->count),
                                     .first = push_u64(grid->first),
                                     .items = push_u64(grid->items_per_group),
                                     .inverse = push_u64(~std::uint64_t{0} / grid->items_per_group),
                                     .least = 1,
                                     .commands = 1};
    VKPRIMS_TRY(dispatch(
        spirv::dispatch_args, kFirstInvocation, push, Grid(1),
        {operand_of(grid->count), writes(grid->scratch.address, kGridScratchBytes)}, independent));
    independent = &kOtherSize;
  }
  return {};
}

Commands::Command& Commands::append(Kind kind, std::span<const Access> accesses,
                                    const Independent* independent) {
  Command& command =
      size_ < kRoom ? *new (room_ + size_ * sizeof(Command)) Command : more_.emplace_back();
  ++size_;
  command.kind = kind;
  command.is_independent = independent != nullptr;
  command.groups = 0;
  command.first_access = static_cast<std::uint32_t>(accesses_.size());
  if (state_.observer.on_command) {
    accesses_.insert(accesses_.end(), accesses.begin(), accesses.end());
  }
  command.accesses = static_cast<std::uint32_t>(accesses_.size()) - command.first_access;
  return command;
}

Status Commands::dispatch_bytes(const Spirv& spirv, const Specialization& constants,
                                const void* push, std::uint32_t push_bytes, const Grid& grid,
                                std::span<const Access> accesses, const Independent* independent) {
  if (grid.groups == 0 && use_ == Use::record) return {};
  if (grid.is_indirect && !grid.is_computed) {
    Grid own = grid;
    VKPRIMS_TRY(prepare(own));
  }
  VkPipeline pipeline = VK_NULL_HANDLE;
  const bool may_compile = use_ == Use::warm_up || state_.info.pipelines == PipelinePolicy::lazy;
  VKPRIMS_TRY(state_.pipelines.get(state_.vk, primitive_, spirv, constants, may_compile, pipeline));
  if (!is_kept()) return {};
  Command& command = append(grid.is_indirect ? Kind::indirect_dispatch : Kind::dispatch, accesses,
                            grid.is_indirect ? nullptr : independent);
  command.push_bytes = static_cast<std::uint8_t>(push_bytes);
  command.name = spirv.name;
  command.pipeline = pipeline;
  command.groups = grid.groups;
  command.y = grid.y;
  command.z = grid.z;
  if (grid.is_indirect) {
    command.buffer = grid.scratch.buffer;
    command.offset = grid.scratch.offset;
    if (state_.observer.on_command) {
      accesses_.push_back({{grid.scratch.address, kGridScratchBytes}, false, true});
      ++command.accesses;
    }
  }
  std::memcpy(command.push, push, push_bytes);
  return {};
}

Status Commands::fill(const Scratch& scratch, VkDeviceSize offset, VkDeviceSize bytes,
                      std::uint32_t word, const Independent* independent) {
  const Access access = writes(scratch.address + offset, bytes);
  if (bytes == 0) return {};
  if (state_.dispatches_fills && bytes <= kFewBytes) {
    const abi::FillScratchPush push{.base = push_u64(access.view.address),
                                    .words = static_cast<abi::uint>(bytes / 4),
                                    .word = word};
    return dispatch(spirv::fill_scratch, {.workgroup_size = tuning().workgroup_size}, push, Grid(1),
                    {access}, independent);
  }
  if (!is_kept()) return {};
  Command& command = append(Kind::fill, {&access, 1}, independent);
  command.buffer = scratch.buffer;
  command.offset = scratch.offset + offset;
  command.bytes = bytes;
  command.word = word;
  return {};
}

Status Commands::warm_up_fill() {
  constexpr Scratch kAny{.address = 16, .bytes = 4};
  return state_.dispatches_fills ? fill(kAny, 0, 4) : Status();
}

void Commands::write(const Scratch& scratch, VkDeviceSize offset, const void* data,
                     VkDeviceSize bytes, const Independent* independent) {
  if (!is_kept() || bytes == 0) return;
  const Access access = writes(scratch.address + offset, bytes);
  Command& command = append(Kind::write, {&access, 1}, independent);
  command.buffer = scratch.buffer;
  command.offset = scratch.offset + offset;
  command.bytes = bytes;
  command.first_data = static_cast<std::uint32_t>(data_.size());
  const auto* from = static_cast<const std::byte*>(data);
  data_.insert(data_.end(), from, from + bytes);
}

void Commands::label(const char* name) {
  if (!is_kept()) return;
  append(name ? Kind::begin_label : Kind::end_label, {}, nullptr).name = name;
}

// Records one command after another.
struct Commands::Recorder {
  // What a command does to memory.
  struct Use {
    VkPipelineStageFlags stages;
    VkAccessFlags accesses;
  };
  static Use use_of(Kind kind) {
    if (kind == Kind::dispatch) return {kCompute, kShaderAccess};
    if (kind == Kind::indirect_dispatch) {
      return {kCompute | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
              kShaderAccess | VK_ACCESS_INDIRECT_COMMAND_READ_BIT};
    }
    return {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};
  }

  static bool is_update(const Command& c) {
    return c.bytes == 4 || (c.word == 0 && c.bytes <= kFewBytes);
  }
  static const char* name_of(const Command& c) {
    if (c.kind == Kind::dispatch || c.kind == Kind::indirect_dispatch) return c.name;
    const bool fills = c.kind == Kind::fill && !is_update(c);
    return fills ? "vkCmdFillBuffer" : "vkCmdUpdateBuffer";
  }

  const Commands& commands;
  const DeviceState& state;
  VkCommandBuffer cmd;
  VkPipelineStageFlags pending_stages = 0;  // of commands since the last barrier
  VkAccessFlags pending_writes = 0;

  // Records the barrier before a command, which is also that of the independent commands behind it,
  // and tells the observer of the command.
  void begin(std::size_t i) {
    const Command& c = commands.at(i);
    if (pending_stages && !c.is_independent) {
      Use use = use_of(c.kind);
      for (std::size_t k = i + 1; k < commands.size_ && commands.at(k).is_independent; ++k) {
        const Use next = use_of(commands.at(k).kind);
        use = {use.stages | next.stages, use.accesses | next.accesses};
      }
      const VkMemoryBarrier memory{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = pending_writes,
                                   .dstAccessMask = use.accesses};
      state.vk.vkCmdPipelineBarrier(cmd, pending_stages, use.stages, 0, 1, &memory, 0, nullptr, 0,
                                    nullptr);
      pending_stages = 0;
      pending_writes = 0;
    }
    if (!state.observer.on_command) return;
    state.observer.on_command(
        state.observer.user, cmd,
        {name_of(c), c.groups, commands.accesses_.data() + c.first_access, c.accesses});
  }

  void bind(const Command& c) {
    state.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, c.pipeline);
    if (c.push_bytes == 0) return;
    state.vk.vkCmdPushConstants(cmd, state.pipelines.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                c.push_bytes, c.push);
  }

  void dispatch(const Command& c) {
    bind(c);
    if (c.y) return state.vk.vkCmdDispatch(cmd, static_cast<std::uint32_t>(c.groups), c.y, c.z);
    const std::uint64_t y = ceil_div(c.groups, kMaxGroupsPerDimension);
    state.vk.vkCmdDispatch(cmd, static_cast<std::uint32_t>(ceil_div(c.groups, y)),
                           static_cast<std::uint32_t>(y), 1);
  }

  void dispatch_indirect(const Command& c) {
    bind(c);
    state.vk.vkCmdDispatchIndirect(cmd, c.buffer, c.offset);
  }

  void fill(const Command& c) {
    static constexpr std::byte kZeros[kFewBytes] = {};
    if (is_update(c)) {
      state.vk.vkCmdUpdateBuffer(cmd, c.buffer, c.offset, c.bytes,
                                 c.bytes == 4 ? static_cast<const void*>(&c.word) : kZeros);
    } else {
      state.vk.vkCmdFillBuffer(cmd, c.buffer, c.offset, c.bytes, c.word);
    }
  }

  void write(const Command& c) {
    state.vk.vkCmdUpdateBuffer(cmd, c.buffer, c.offset, c.bytes,
                               commands.data_.data() + c.first_data);
  }

  void record(std::size_t i) {
    const Command& c = commands.at(i);
    if (c.kind == Kind::begin_label) return begin_label(state, cmd, c.name);
    if (c.kind == Kind::end_label) return end_label(state, cmd);
    begin(i);
    if (c.kind == Kind::dispatch || c.kind == Kind::indirect_dispatch) {
      pending_stages |= kCompute;
      pending_writes |= VK_ACCESS_SHADER_WRITE_BIT;
    } else {
      pending_stages |= VK_PIPELINE_STAGE_TRANSFER_BIT;
      pending_writes |= VK_ACCESS_TRANSFER_WRITE_BIT;
    }
    if (c.kind == Kind::dispatch) dispatch(c);
    if (c.kind == Kind::indirect_dispatch) dispatch_indirect(c);
    if (c.kind == Kind::fill) fill(c);
    if (c.kind == Kind::write) write(c);
  }
};

void Commands::record(VkCommandBuffer cmd) const {
  if (size_ == 0) return;
  char name[80];
  std::snprintf(name, sizeof name, "vkprims %s", primitive_);
  begin_label(state_, cmd, name);
  const RecordHook& hook = state_.info.on_record;
  if (hook.function) hook.function(hook.user, cmd, primitive_, true);
  Recorder recorder{*this, state_, cmd};
  for (std::size_t i = 0; i < size_; ++i) recorder.record(i);
  if (hook.function) hook.function(hook.user, cmd, primitive_, false);
  end_label(state_, cmd);
}

}  // namespace vkprims

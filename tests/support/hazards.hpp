// Finds hazards between commands of one command buffer: two accesses of the same bytes, at least
// one of them a write, without a barrier between that covers both. This replaces synchronization
// validation, which cannot see accesses through device addresses.
#pragma once

#include <cinttypes>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/operand.hpp"
#include "vkprims/access.hpp"

namespace vkprims::test {

class HazardChecker {
 public:
  void reset() { *this = {}; }

  /// Announces the accesses of the command that is recorded next.
  void announce(const Access* accesses, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (accesses[i].view.bytes) announced_.push_back(accesses[i]);
    }
  }

  /// Says that the announced command was recorded, in these stages with these kinds of access.
  void command(const char* name, VkPipelineStageFlags stages, VkAccessFlags kinds) {
    ++commands_;
    for (const Access& now : announced_) {
      const VkPipelineStageFlags now_in = stages_of(now, stages);
      const VkAccessFlags now_by = kinds_of(now, kinds);
      check_promise(name, now, now_in, now_by);
      for (const Past& past : past_) {
        if (!overlaps(past.access.view, now.view) || !(past.access.writes || now.writes)) continue;
        const bool ordered = (past.ordered_before & now_in) == now_in;
        const bool visible = !past.access.writes || (past.visible_to & now_by) == now_by;
        if (!ordered || !visible) report(past, name, now);
      }
    }
    for (const Access& now : announced_) {
      past_.push_back({now, name, stages_of(now, stages), kinds_of(now, kinds), 0, 0, false});
    }
    announced_.clear();
  }

  /// Announces the operands of a call, whose commands follow.
  void call(const char* primitive, std::span<const Operand> operands) {
    // A call may have several lists of operands.
    if (std::exchange(commands_before_, commands_) != commands_) views_.clear();
    call_ = primitive;
    if (call_access(primitive).empty()) return;  // functions and kernels of an application
    for (const Operand& operand : operands) {
      if (operand.need == 0) continue;
      const ViewAccess access = access_of_operand(primitive, operand);
      if (access.stages == 0) {
        text_ += std::string(primitive) + " has no entry of " + operand.name + " in access.hpp\n";
      }
      views_.push_back({{operand.address(), operand.need}, access});
    }
  }

  void barrier(VkPipelineStageFlags from, VkAccessFlags written, VkPipelineStageFlags to,
               VkAccessFlags kinds) {
    // The first scope of a barrier includes logically earlier stages.
    constexpr VkPipelineStageFlags kVertex = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    if (from & VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT) from |= kVertex;
    if (from & (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | kVertex)) {
      from |= VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
    }
    for (Past& past : past_) {
      // Barriers chain: if one has ordered an access before a stage, the next from that stage
      // orders it, too.
      if (!((past.stages | past.ordered_before) & from)) continue;
      past.ordered_before |= to;
      if ((past.stages & from) && (past.kinds & written)) past.available = true;
      if (past.available) past.visible_to |= kinds;
    }
  }

  /// The text is empty if there were no hazards.
  const std::string& hazards() const { return text_; }
  std::size_t commands() const { return commands_; }

 private:
  struct View {
    BufferView range;
    ViewAccess promised;
  };

  // Columns of strings have one list, for inputs and outputs by any name; spans of views have one
  // entry.
  static ViewAccess access_of_operand(const char* primitive, const Operand& operand) {
    const std::span<const ViewAccess> call = call_access(primitive);
    const std::string_view name = operand.name;
    const ViewAccess found = access_of(call, name.substr(0, name.find('[')));
    if (found.stages) return found;
    const bool is_map = std::string_view(primitive) == "map";  // whose views have any names
    if (operand.writes) return access_of(call, is_map ? "out" : "outputs");
    return access_of(call, is_map ? "in" : "inputs");
  }

  // Compares what a command does to a view with what access.hpp says. A shader that writes may also
  // read, which is not known here.
  void check_promise(const char* name, const Access& now, VkPipelineStageFlags stages,
                     VkAccessFlags kinds) {
    constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    const VkAccessFlags did = now.writes ? kinds & kWrites : kinds & ~kWrites;
    VkPipelineStageFlags may_stages = 0;
    VkAccessFlags may = 0;
    const View* last = nullptr;
    for (const View& view : views_) {
      if (!overlaps(view.range, now.view)) continue;
      may_stages |= view.promised.stages;
      may |= view.promised.accesses;
      last = &view;
    }
    if (!last || ((stages & ~may_stages) == 0 && (did & ~may) == 0)) return;
    text_ += std::string(call_) + ": " + name + " does what access.hpp does not say to ";
    text_ += std::string(last->promised.view) + "\n";
  }

  struct Past {
    Access access;
    const char* name;
    VkPipelineStageFlags stages;
    VkAccessFlags kinds;
    VkPipelineStageFlags ordered_before;
    VkAccessFlags visible_to;
    bool available;  // whether some barrier has named its writes
  };

  // An indirect dispatch reads its size in one stage, and its shader's data in another.
  static VkPipelineStageFlags stages_of(const Access& access, VkPipelineStageFlags stages) {
    constexpr VkPipelineStageFlags kIndirect = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
    return access.indirect ? kIndirect : stages & ~kIndirect;
  }
  static VkAccessFlags kinds_of(const Access& access, VkAccessFlags kinds) {
    constexpr VkAccessFlags kIndirect = VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
    return access.indirect ? kIndirect : kinds & ~kIndirect;
  }

  static bool overlaps(const BufferView& a, const BufferView& b) {
    return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
  }

  void report(const Past& past, const char* name, const Access& now) {
    char line[256];
    std::snprintf(line, sizeof line,
                  "%s %s 0x%" PRIx64 " + %" PRIu64 " after %s %s it without a barrier\n", name,
                  now.writes ? "writes" : "reads", now.view.address, now.view.bytes, past.name,
                  past.access.writes ? "wrote" : "read");
    text_ += line;
  }

  const char* call_ = "";    // whose commands are recorded
  std::vector<View> views_;  // of the call
  std::size_t commands_before_ = 0;
  std::vector<Access> announced_;
  std::vector<Past> past_;
  std::string text_;
  std::size_t commands_ = 0;
};

}  // namespace vkprims::test

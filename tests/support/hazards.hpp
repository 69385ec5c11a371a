// Finds hazards between commands of one command buffer: two accesses of the same bytes, at least
// one of them a write, without a barrier between that covers both. This replaces synchronization
// validation, which cannot see accesses through device addresses.
#pragma once

#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

#include "runtime/device_state.hpp"

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

  void barrier(VkPipelineStageFlags from, VkAccessFlags written, VkPipelineStageFlags to,
               VkAccessFlags kinds) {
    // The first scope of a barrier includes logically earlier stages.
    if (from & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) from |= VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
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

  std::vector<Access> announced_;
  std::vector<Past> past_;
  std::string text_;
  std::size_t commands_ = 0;
};

}  // namespace vkprims::test

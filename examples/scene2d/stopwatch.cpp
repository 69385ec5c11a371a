// A pool of timestamps.
#include "stopwatch.hpp"

namespace scene2d {
namespace {

constexpr std::uint32_t kQueries = 256;

}  // namespace

void Stopwatch::begin(Gpu& gpu, VkCommandBuffer cmd) {
  if (!pool_) {
    const VkQueryPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                     .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                     .queryCount = kQueries};
    check(vkCreateQueryPool(gpu.device(), &info, nullptr, &pool_), "vkCreateQueryPool");
  }
  names_.clear();
  cmd_ = cmd;
  vkCmdResetQueryPool(cmd, pool_, 0, kQueries);
  mark("");
}

void Stopwatch::mark(const char* part) {
  if (!cmd_ || names_.size() == kQueries) return;
  const auto query = static_cast<std::uint32_t>(names_.size());
  vkCmdWriteTimestamp(cmd_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_, query);
  names_.emplace_back(stage_, part);
}

void Stopwatch::end() { cmd_ = VK_NULL_HANDLE; }

void Stopwatch::on_record(void* self, VkCommandBuffer, const char* primitive, bool begins) {
  auto* const stopwatch = static_cast<Stopwatch*>(self);
  if (!begins && stopwatch->calls_) stopwatch->mark(primitive);
}

std::vector<Stopwatch::Time> Stopwatch::read(Gpu& gpu) const {
  std::vector<std::uint64_t> ticks(names_.size());
  if (ticks.empty()) return {};
  check(vkGetQueryPoolResults(gpu.device(), pool_, 0, static_cast<std::uint32_t>(ticks.size()),
                              8 * ticks.size(), ticks.data(), 8,
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
  std::vector<Time> times;
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    const double ticks_between = static_cast<double>(ticks[i] - ticks[i - 1]);
    times.push_back(
        {names_[i].first, names_[i].second, ticks_between * gpu.nanoseconds_per_tick() * 1e-6});
  }
  return times;
}

void Stopwatch::destroy(Gpu& gpu) {
  vkDestroyQueryPool(gpu.device(), pool_, nullptr);
  pool_ = VK_NULL_HANDLE;
}

}  // namespace scene2d

// The flag --commands.
#include "commands.hpp"

#include <cinttypes>
#include <cstdio>
#include <stdexcept>

#include "runtime/device_state.hpp"

namespace vkprims::bench {
namespace {

constexpr std::size_t kUntimed = 5, kTimed = 21;  // executions of a row
constexpr std::uint32_t kQueries = 8192;

struct Step {
  const char* name;
  std::uint64_t groups;
};

// Is told of all commands while it exists, and puts timestamps between them.
class Watch {
 public:
  explicit Watch(Session& session) : session_(session) {
    const VkQueryPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                     .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                     .queryCount = kQueries};
    check_vk(session.vk().vkCreateQueryPool(session.context().vk_device(), &info, nullptr, &pool_),
             "vkCreateQueryPool");
    session.device().state()->observer = {on_command, this};
  }
  ~Watch() {
    session_.device().state()->observer = {};
    session_.vk().vkDestroyQueryPool(session_.context().vk_device(), pool_, nullptr);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // The commands of one execution.
  const std::vector<Step>& steps_of(const Case& c) {
    steps_.clear();
    session_.run(c);
    return steps_;
  }
  // The seconds of each of so many commands, which are those of an execution.
  std::vector<double> times_of(const Case& c, std::size_t commands);

 private:
  static void on_command(void* self, VkCommandBuffer cmd, const RecordedCommand& command) {
    auto& watch = *static_cast<Watch*>(self);
    if (watch.stamps_) {
      watch.stamp(cmd);
    } else {
      watch.steps_.push_back({command.name, command.groups});
    }
  }
  // The time at which all that was recorded before has ended.
  void stamp(VkCommandBuffer cmd) {
    if (next_ == kQueries) throw std::logic_error("--commands: an execution has more commands");
    session_.vk().vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_, next_++);
  }

  Session& session_;
  VkQueryPool pool_ = VK_NULL_HANDLE;
  std::uint32_t next_ = 0;  // query
  bool stamps_ = false;
  std::vector<Step> steps_;
};

std::vector<double> Watch::times_of(const Case& c, std::size_t commands) {
  session_.raise_clocks();
  next_ = 0;
  session_.context().run([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      session_.vk().vkCmdResetQueryPool(cmd, pool_, 0, kQueries);
      for (std::size_t i = 0; i < kUntimed + kTimed; ++i) {
        full_barrier(session_.vk(), cmd);
        stamps_ = i >= kUntimed;
        throw_if_error(c.record(cmd));
        if (stamps_) stamp(cmd);
      }
    });
  });
  stamps_ = false;
  const std::uint64_t wanted = kTimed * (commands + 1);
  if (next_ != wanted) throw std::logic_error("--commands: an execution has other commands");
  std::vector<std::uint64_t> ticks(wanted);
  check_vk(session_.vk().vkGetQueryPoolResults(session_.context().vk_device(), pool_, 0, next_,
                                               8 * ticks.size(), ticks.data(), 8,
                                               VK_QUERY_RESULT_64_BIT),
           "vkGetQueryPoolResults");
  std::vector<double> times;
  for (std::size_t k = 0; k < commands; ++k) {
    std::vector<double> samples;
    for (std::size_t i = k; i < ticks.size(); i += commands + 1) {
      samples.push_back(session_.seconds_between(ticks[i], ticks[i + 1]));
    }
    times.push_back(median_of(samples));
  }
  return times;
}

void print(Session& session, const Entry& entry) {
  session.context().trim();  // memory of the row before
  const Case c = entry.row->make(session, entry.n);
  session.run(c);  // compiles
  Watch watch(session);
  const std::vector<Step> steps = watch.steps_of(c);
  if (steps.empty() || kTimed * (steps.size() + 1) > kQueries) {
    std::printf("%s: %zu commands, which is not 1 to %zu\n", entry.name().c_str(), steps.size(),
                kQueries / kTimed - 1);
    return;
  }
  const std::vector<double> times = watch.times_of(c, steps.size());
  double all = 0;
  for (const double seconds : times) all += seconds;
  std::printf("%s: %.2f us\n", entry.name().c_str(), 1e6 * all);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::printf("  %10.2f us  %s", 1e6 * times[i], steps[i].name);
    if (steps[i].groups) std::printf(", workgroups: %" PRIu64, steps[i].groups);
    std::printf("\n");
  }
}

}  // namespace

int print_commands(Session& session, const std::vector<Entry>& entries) {
  if (const std::string why = session.no_timing(); !why.empty()) {
    std::fprintf(stderr, "--commands: %s\n", why.c_str());
    return 1;
  }
  for (const Entry& entry : entries) {
    if (entry.row->host || entry.cold) continue;
    std::string why = session.cannot_hold(*entry.row, entry.n);
    try {
      if (why.empty()) print(session, entry);
    } catch (const Error& error) {
      const Status& status = error.status();
      // What the device lacks is no failure.
      if (status != Status::unsupported && status != Status::out_of_memory) throw;
      why = error.what();
    }
    if (!why.empty()) std::printf("%s: %s\n", entry.name().c_str(), why.c_str());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace vkprims::bench

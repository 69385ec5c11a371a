#include "sheet.hpp"

#include <fnmatch.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>

#include "context/selection.hpp"
#include "context/tuning_file.hpp"

namespace vkprims::pipelines {
namespace {

constexpr std::uint32_t kMaxRows = 1 << 17, kMaxModules = 4096;
// A pipeline that takes longer to compile counts as not finished.
constexpr unsigned kLimitSeconds = 300;

// Processes fork before any of them touches Vulkan, so a pointer to constant data is valid in all
// of them.
struct Shared {
  std::atomic<std::uint32_t> next;
  std::uint32_t device_index;
  char device[512];
  bool has_all_features, has_statistics;
  std::uint32_t asked_for, row_count, unreached_count;
  const Spirv* unreached[kMaxModules];
  Row rows[kMaxRows];  // pages that are never written take no memory
};

struct OpenDevice {
  OpenDevice() : instance(ContextInfo{}, silent), candidates(enumerate(instance)) {}

  Features features(const Candidate& candidate) const {
    Features found;
    throw_if_error(query_features(instance.get_proc, instance.handle, candidate.handle, found));
    return found;
  }

  Messages silent{nullptr};
  Instance instance;
  std::vector<Candidate> candidates;
};

bool is_wanted(const Request& request, const std::vector<std::string>& patterns) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const auto& p) {
           return !fnmatch(p.c_str(), request.primitive, 0) ||
                  !fnmatch(p.c_str(), request.spirv->name, 0);
         });
}

// Returns the subgroup sizes that may be required of a pipeline.
std::vector<std::uint32_t> subgroup_sizes(const Instance& instance, VkPhysicalDevice physical,
                                          const Features& features) {
  VkPhysicalDeviceSubgroupSizeControlProperties sizes{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &sizes};
  std::vector<std::uint32_t> all;
  if (features.subgroup_size_control) {
    instance.vk.vkGetPhysicalDeviceProperties2(physical, &properties);
    if (sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) {
      for (std::uint32_t size = sizes.minSubgroupSize; size <= sizes.maxSubgroupSize; size *= 2) {
        all.push_back(size);
      }
    }
  }
  return all.empty() ? std::vector<std::uint32_t>{0} : all;
}

void write_plan(const Options& options, Shared& shared) {
  const OpenDevice open;
  const Candidate& chosen = choose(open.candidates, options.device);
  const Features features = open.features(chosen);
  shared.device_index = chosen.entry.index;
  std::snprintf(shared.device, sizeof shared.device, "%s, %s", chosen.entry.name.c_str(),
                chosen.entry.driver.c_str());
  shared.has_all_features = features.int64 && features.float64 && features.int64_atomics;

  const Plan plan = make_plan(open.instance.get_proc, open.instance.handle, chosen.handle, features,
                              tuning_of({}));  // by $VKPRIMS_TUNING
  shared.asked_for = static_cast<std::uint32_t>(plan.requests.size());
  for (const Spirv* module : plan.unreached) shared.unreached[shared.unreached_count++] = module;
  std::vector<Request> wanted;
  for (const Request& request : plan.requests) {
    if (is_wanted(request, options.only)) wanted.push_back(request);
  }
  if (options.set == Options::Set::modules) wanted = one_of_each_module(wanted);
  if (options.set == Options::Set::values) wanted = one_of_each_value(wanted);
  const std::vector<std::uint32_t> sizes =
      options.each_size ? subgroup_sizes(open.instance, chosen.handle, features)
                        : std::vector<std::uint32_t>{0};
  for (Request& request : wanted) {
    for (const std::uint32_t size : sizes) {
      if (shared.row_count == kMaxRows) {
        throw Error(Status::error(Status::unsupported, "more than %u pipelines", kMaxRows));
      }
      request.subgroup_size = size;
      shared.rows[shared.row_count++] = Row{.request = request};
    }
  }
}

void compile_row(const Compiler& compiler, Row& row) {
  row.process = getpid();
  row.state = Row::State::running;
  alarm(kLimitSeconds);
  row.result =
      compiler.compile(row.request, row.statistics_signal == 0, row.milliseconds, row.figures);
  alarm(0);
  row.state = Row::State::done;
}

// Compiles rows. `again` is a row at which an earlier process died, to be compiled first; -1: none.
void work(Shared& shared, long again) {
  const OpenDevice open;
  const Candidate& chosen = open.candidates.at(shared.device_index);
  const Compiler compiler(open.instance, chosen.handle, open.features(chosen));
  shared.has_statistics = compiler.has_statistics();
  if (again >= 0) compile_row(compiler, shared.rows[again]);
  for (std::uint32_t i; (i = shared.next++) < shared.row_count;) {
    compile_row(compiler, shared.rows[i]);
  }
}

// Runs `body` in a process of its own, whose exit status tells whether `body` threw.
template <class Body>
pid_t start(Body&& body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) {
    throw Error(Status::error(Status::out_of_memory, "fork: %s", std::strerror(errno)));
  }
  if (child > 0) return child;
  try {
    body();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vkprims-pipelines: %s\n", error.what());
    std::fflush(nullptr);
    _exit(2);
  }
  _exit(0);
}

// Returns what the successor of a process that died compiles first, in the form that work() takes.
// Returns nothing if the process died between rows, because its successor would die, too.
std::optional<long> row_to_try_again(Shared& shared, pid_t process, int signal) {
  for (std::uint32_t i = 0; i < shared.row_count; ++i) {
    Row& row = shared.rows[i];
    if (row.state != Row::State::running || row.process != process) continue;
    if (signal != SIGALRM && shared.has_statistics && row.statistics_signal == 0) {
      row.statistics_signal = signal;
      return i;
    }
    row.signal = signal;
    row.state = Row::State::done;
    return -1;
  }
  return {};
}

void run_workers(int jobs, Shared& shared) {
  std::set<pid_t> workers;
  const auto start_worker = [&](long again) {
    workers.insert(start([&] { work(shared, again); }));
  };
  for (int i = 0; i < jobs; ++i) start_worker(-1);
  bool failed = false;
  while (!workers.empty()) {
    int status = 0;
    const pid_t process = wait(&status);
    if (!workers.erase(process)) continue;
    if (status == 0) continue;
    std::optional<long> again;
    if (WIFSIGNALED(status)) again = row_to_try_again(shared, process, WTERMSIG(status));
    if (again) {
      start_worker(*again);
    } else {
      failed = true;
    }
  }
  if (failed)
    throw Error(Status::error(Status::vulkan_error, "a process that compiles could not go on"));
}

}  // namespace

Sheet compile_all(const Options& options) {
  // A driver's cache on disk would hide how long the driver compiles.
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
  setenv("__GL_SHADER_DISK_CACHE", "0", 1);
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw Error(Status::error(Status::out_of_memory, "mmap: %s", std::strerror(errno)));
  }
  Shared& shared = *static_cast<Shared*>(memory);  // all zeros

  int status = 0;
  waitpid(start([&] { write_plan(options, shared); }), &status, 0);
  if (status != 0) throw Error(Status::error(Status::unsupported, "no pipeline was compiled"));
  if (options.jobs > 0) run_workers(options.jobs, shared);

  Sheet sheet{.device = shared.device,
              .complete = shared.has_all_features && options.only.empty(),
              .compiled = options.jobs > 0,
              .has_statistics = shared.has_statistics,
              .asked_for = shared.asked_for,
              .unreached = {shared.unreached, shared.unreached + shared.unreached_count},
              .rows = {shared.rows, shared.rows + shared.row_count}};
  munmap(memory, sizeof(Shared));
  return sheet;
}

}  // namespace vkprims::pipelines

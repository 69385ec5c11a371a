#include "harness.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "runtime/device_state.hpp"
#include "spirv/random.hpp"
#include "vkprims/copy.hpp"
#include "vkprims/fill.hpp"

namespace vkprims::bench {
namespace {

constexpr std::size_t kMaxSamples = 41;
constexpr std::uint32_t kQueries = 4 * kMaxSamples + 2;
constexpr VkDeviceSize kFlushBytes = VkDeviceSize{256} << 20;
// If there are more data than this, nothing is left in any cache, so that priming would only cost
// time.
constexpr VkDeviceSize kLargestCached = VkDeviceSize{256} << 20;
constexpr std::uint32_t kRandomGroup = 128;
constexpr std::uint32_t kRandomTile = 16 * kRandomGroup;  // words_per_invocation of random.comp
// Submissions are planned to be no longer than this, in seconds.
constexpr double kLongestSubmission = 2;

std::string in_gib(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GiB", bytes / (1 << 30));
  return text;
}

}  // namespace

// What differs between a GPU, whose clocks idle, and a CPU device, which is slow and shares its
// cores with other programs. On a CPU device copies that are minutes apart cannot be compared, and
// repeating does not help.
struct Effort {
  double warm_up;      // seconds of copies at the start of a submission
  double samples;      // seconds of samples
  std::size_t fewest;  // samples
  double tolerance;    // of the copy's times, relative
  double resolution;   // of short times, in seconds
  int repeats;         // of a measurement that is off
};
constexpr Effort kGpu{.warm_up = 0.15,
                      .samples = 0.25,
                      .fewest = 7,
                      .tolerance = 0.03,
                      .resolution = 0.5e-6,
                      .repeats = 3};
constexpr Effort kCpu{.warm_up = 0.003,
                      .samples = 0.4,
                      .fewest = 3,
                      .tolerance = 0.25,
                      .resolution = 20e-6,
                      .repeats = 0};
constexpr Effort kGpuBrief{.warm_up = 0.06,
                           .samples = 0.08,
                           .fewest = 7,
                           .tolerance = 0.03,
                           .resolution = 0.5e-6,
                           .repeats = 1};
constexpr Effort kCpuBrief{.warm_up = 0.003,
                           .samples = 0.12,
                           .fewest = 5,
                           .tolerance = 0.25,
                           .resolution = 20e-6,
                           .repeats = 0};

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

struct Session::Samples {
  std::vector<double> copy, operation;
  double fixed_copy = 0;  // the last of the copies at the start
};

Session::Session(const ContextInfo& info) : context_(info), vk_(context_) {
  is_gpu_ = context_.properties().deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
  budget_ = context_.heap_budget();
  fixed_bytes_ = is_gpu_ ? std::min<VkDeviceSize>(VkDeviceSize{256} << 20, budget_ / 64 / 16 * 16)
                         : VkDeviceSize{8} << 20;
  const VkQueryPoolCreateInfo queries{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                      .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                      .queryCount = kQueries};
  check_vk(vk_.vkCreateQueryPool(context_.vk_device(), &queries, nullptr, &queries_),
           "vkCreateQueryPool");
  random_ = std::make_unique<Kernel>(context_, vk_, spirv::random,
                                     std::vector<std::uint32_t>{kRandomGroup});
}

Session::~Session() { vk_.vkDestroyQueryPool(context_.vk_device(), queries_, nullptr); }

const Effort& Session::effort() const {
  if (brief_) return is_gpu_ ? kGpuBrief : kCpuBrief;
  return is_gpu_ ? kGpu : kCpu;
}

Device Session::create_device(const Tuning& tuning) const {
  // Limits that VKPRIMS_MASK sets hold for this device as well.
  const DeviceHooks& hooks = context_.device().state()->hooks;
  Device device;
  throw_if_error(
      vkprims::create_device({.instance = context_.instance(),
                              .physical_device = context_.physical_device(),
                              .device = context_.vk_device(),
                              .get_instance_proc_addr = context_.get_instance_proc_addr(),
                              .enabled = context_.device().features(),
                              .tuning = tuning},
                             hooks, device));
  return device;
}

std::string Session::no_timing() const {
  if (context_.timestamp_bits() != 0) return "";
  return "this queue has no timestamps (timestampValidBits is 0)";
}

double Session::seconds_between(std::uint64_t begin, std::uint64_t end) const {
  const std::uint32_t bits = context_.timestamp_bits();
  const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  return 1e-9 * context_.timestamp_period() * static_cast<double>((end - begin) & mask);
}

void Session::poison(VkBuffer buffer) {
  context_.run([&](Recorder& r) {
    r.commands(
        [&](VkCommandBuffer cmd) { vk_.vkCmdFillBuffer(cmd, buffer, 0, VK_WHOLE_SIZE, kPoison); });
  });
}

Session::ScratchBlock Session::allocate_scratch(const ScratchNeed& need) {
  if (need.bytes == 0) return {};
  ScratchBlock block{allocate<std::uint32_t>((need.bytes + 3) / 4), {}};
  block.scratch = scratch_view(device(), block.memory.handle(), 0, block.memory.size_bytes());
  return block;
}

void Session::generate(VkDeviceAddress address, std::uint64_t words, Data kind) {
  context_.run([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      random_->dispatch(
          cmd, (words + kRandomTile - 1) / kRandomTile,
          {low(address), high(address), low(words), high(words), static_cast<std::uint32_t>(kind)});
    });
  });
}

std::string Session::cannot_hold(const Row& row, std::uint64_t n) const {
  if (row.needs && !(device().features().*row.needs)) {
    return row.needs == &Features::float64 ? "the device has no float64"
                                           : "the device has no int64";
  }
  // The reference copy takes as much memory again as the row's own buffers.
  const double need = 2.0 * row.bytes_per_item * static_cast<double>(n) +
                      2.0 * static_cast<double>(fixed_bytes_) + (is_gpu_ ? kFlushBytes : 0);
  const double allowed = 0.6 * static_cast<double>(budget_);
  if (need <= allowed || n <= 65536) return "";
  return "needs more than 60 % of the free device memory, which are " + in_gib(allowed);
}

void Session::grow_reference(VkDeviceSize bytes) {
  bytes = std::max(bytes, fixed_bytes_);
  if (reference_in_.size_bytes() >= bytes) return;
  reference_in_ = {};
  reference_out_ = {};
  context_.trim();
  reference_in_ = context_.allocate<std::uint32_t>(bytes / 4);
  reference_out_ = context_.allocate<std::uint32_t>(bytes / 4);
  generate(reference_in_.address(), bytes / 4, Data::bits);
}

void Session::record_reference(VkCommandBuffer cmd, VkDeviceSize bytes) {
  throw_if_error(record_copy(cmd, context_.device(), {.element_bytes = 16, .count = bytes / 16},
                             {reference_in_.view(), reference_out_.view(), {}}));
}

void Session::record_flush(VkCommandBuffer cmd) {
  throw_if_error(record_fill(cmd, context_.device(),
                             {.element_bytes = 16, .count = kFlushBytes / 16},
                             {flush_.view(), {}}));
}

template <class F>
void Session::record_timed(VkCommandBuffer cmd, std::uint32_t query, F&& record) {
  full_barrier(vk_, cmd);
  vk_.vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, query);
  record();
  full_barrier(vk_, cmd);
  vk_.vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, query + 1);
}

// Returns the seconds between the timestamps of queries 0 and 1, 2 and 3, …
std::vector<double> Session::read_intervals(std::uint32_t count) {
  std::vector<std::uint64_t> ticks(2 * count);
  const VkResult result =
      vk_.vkGetQueryPoolResults(context_.vk_device(), queries_, 0, 2 * count, 8 * ticks.size(),
                                ticks.data(), 8, VK_QUERY_RESULT_64_BIT);
  check_vk(result == VK_NOT_READY ? VK_ERROR_UNKNOWN : result, "vkGetQueryPoolResults");
  std::vector<double> seconds;
  for (std::uint32_t i = 0; i < count; ++i) {
    seconds.push_back(seconds_between(ticks[2 * i], ticks[2 * i + 1]));
  }
  return seconds;
}

// Returns the seconds that a copy of the fixed size takes after others.
double Session::time_fixed_copy(std::size_t copies_before) {
  context_.run([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      vk_.vkCmdResetQueryPool(cmd, queries_, 0, kQueries);
      for (std::size_t i = 0; i < copies_before; ++i) {
        full_barrier(vk_, cmd);
        record_reference(cmd, fixed_bytes_);
      }
      record_timed(cmd, 0, [&] { record_reference(cmd, fixed_bytes_); });
    });
  });
  return std::max(read_intervals(1)[0], 1e-6);
}

// Measures how long a copy of the fixed size takes. There are two rounds, as the first one starts
// at idle clocks.
void Session::calibrate() {
  grow_reference(fixed_bytes_);
  const double warm_up = effort().warm_up;
  fixed_seconds_ = time_fixed_copy(2);
  fixed_seconds_ = std::min(
      fixed_seconds_, time_fixed_copy(static_cast<std::size_t>(warm_up / fixed_seconds_) + 1));
}

void Session::raise_clocks() {
  if (!is_gpu_ || !no_timing().empty()) return;
  if (fixed_seconds_ == 0) calibrate();
  const auto copies = static_cast<std::size_t>(effort().warm_up / fixed_seconds_);
  fixed_seconds_ = std::min(fixed_seconds_, time_fixed_copy(copies));
}

double Session::slowdown() {
  if (!is_gpu_ || fixed_seconds_ == 0) return 1;
  const double seconds = time_fixed_copy(0);
  fixed_seconds_ = std::min(fixed_seconds_, seconds);
  return seconds / fixed_seconds_;
}

void Session::run(const Case& c) {
  if (c.prepare) c.prepare();
  context_.run([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) { throw_if_error(c.record(cmd)); });
  });
}

// Returns roughly the seconds of one reference copy and of the operation.
std::pair<double, double> Session::estimate(const Case& c, VkDeviceSize copy_bytes) {
  context_.run([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      vk_.vkCmdResetQueryPool(cmd, queries_, 0, kQueries);
      record_timed(cmd, 0, [&] { record_reference(cmd, copy_bytes); });
      record_timed(cmd, 2, [&] { throw_if_error(c.record(cmd)); });
    });
  });
  const std::vector<double> seconds = read_intervals(2);
  return {std::max(seconds[0], 1e-7), std::max(seconds[1], 1e-7)};
}

Session::Samples Session::sample(const Case& c, VkDeviceSize copy_bytes, bool cold,
                                 std::size_t count) {
  const Effort& effort = this->effort();
  const auto warm_up_copies = static_cast<std::size_t>(effort.warm_up / fixed_seconds_);
  const bool prime = !cold && 2 * copy_bytes <= kLargestCached;
  context_.run([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      vk_.vkCmdResetQueryPool(cmd, queries_, 0, kQueries);
      for (std::size_t i = 0; i < warm_up_copies; ++i) {
        full_barrier(vk_, cmd);
        record_reference(cmd, fixed_bytes_);
      }
      record_timed(cmd, 0, [&] { record_reference(cmd, fixed_bytes_); });
      for (std::size_t i = 0; i < count; ++i) {
        const auto query = static_cast<std::uint32_t>(2 + 4 * i);
        const auto both = [&](std::uint32_t at, auto&& record) {
          full_barrier(vk_, cmd);
          if (cold) record_flush(cmd);
          if (prime) record();
          record_timed(cmd, at, record);
        };
        both(query, [&] { record_reference(cmd, copy_bytes); });
        both(query + 2, [&] { throw_if_error(c.record(cmd)); });
      }
    });
  });
  const std::vector<double> seconds = read_intervals(static_cast<std::uint32_t>(2 * count + 1));
  Samples samples;
  samples.fixed_copy = seconds[0];
  for (std::size_t i = 0; i < count; ++i) {
    samples.copy.push_back(seconds[1 + 2 * i]);
    samples.operation.push_back(seconds[2 + 2 * i]);
  }
  return samples;
}

Measurement Session::measure(const Case& c, bool cold) {
  const Effort& effort = this->effort();
  // These are the bytes of one direction, in whole rows of 16.
  const VkDeviceSize copy_bytes = std::max<VkDeviceSize>((c.ideal_bytes / 2 + 15) / 16 * 16, 16);
  grow_reference(copy_bytes);
  if (fixed_seconds_ == 0) calibrate();
  if (cold && flush_.size() == 0) flush_ = context_.allocate<std::uint32_t>(kFlushBytes / 4);

  const auto [copy_seconds, operation_seconds] = estimate(c, copy_bytes);
  double per_sample = copy_seconds + operation_seconds;
  if (cold) {
    // The flush consists of two fills, each about half of a copy of as many bytes; twice that is
    // allowed.
    per_sample +=
        2 * fixed_seconds_ * static_cast<double>(kFlushBytes) / static_cast<double>(fixed_bytes_);
  } else if (2 * copy_bytes <= kLargestCached) {
    per_sample *= 2;
  }
  const double most = std::max(1.0, kLongestSubmission / per_sample);
  const std::size_t count =
      std::min({kMaxSamples, static_cast<std::size_t>(most),
                std::max(effort.fewest, static_cast<std::size_t>(effort.samples / per_sample))});

  Measurement result;
  result.copy_bytes = 2.0 * static_cast<double>(copy_bytes);
  double& best_copy = best_copy_[{copy_bytes, cold}];
  for (int attempt = 0; attempt <= effort.repeats; ++attempt) {
    const Samples samples = sample(c, copy_bytes, cold, count);
    const auto scatter = [](const std::vector<double>& values) {
      const double middle = median_of(values);
      std::vector<double> distances;
      for (const double v : values) distances.push_back(std::fabs(v - middle));
      return median_of(distances);
    };
    const double copy = median_of(samples.copy);
    const double allowed = effort.tolerance * copy + effort.resolution;
    const bool as_before = (best_copy == 0 || copy <= best_copy + allowed) &&
                           samples.fixed_copy <= (1 + effort.tolerance) * fixed_seconds_;
    const bool steady = scatter(samples.copy) <= allowed && (as_before || !is_gpu_);
    best_copy = best_copy == 0 ? copy : std::min(best_copy, copy);
    fixed_seconds_ = std::min(fixed_seconds_, samples.fixed_copy);
    // If there are several attempts, the one whose copies were fastest counts.
    if (attempt == 0 || steady || copy < result.copy_median) {
      result.median = median_of(samples.operation);
      result.min = *std::min_element(samples.operation.begin(), samples.operation.end());
      result.mad_percent = result.median > 0 ? 100 * scatter(samples.operation) / result.median : 0;
      result.copy_median = copy;
      result.samples = count;
      result.steady = steady;
    }
    if (steady) break;
  }
  return result;
}

}  // namespace vkprims::bench

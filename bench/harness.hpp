// How a row is measured; the comment on Session::measure() describes it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data.hpp"
#include "kernel.hpp"
#include "registry.hpp"
#include "vkprims/context.hpp"

namespace vkprims::bench {

/// The word that fills fresh memory.
inline constexpr std::uint32_t kPoison = 0xa5a5a5a5u;

/// Times of one row, in seconds.
struct Measurement {
  double median = 0;
  double min = 0;
  double mad_percent = 0;  ///< median absolute deviation, in percent of the median
  double copy_median = 0;  ///< of the reference copies between the samples
  double copy_bytes = 0;   ///< what a reference copy moves: read plus written
  std::size_t samples = 0;
  bool steady = true;
};

struct Effort;  // how long a measurement takes, in harness.cpp

/// A Context, and what is needed to measure on it.
class Session {
 public:
  explicit Session(const ContextInfo& info);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Context& context() { return context_; }
  /// The library's device that cases record with: the Context's, unless use() says otherwise.
  const Device& device() const { return *device_; }
  /// The tuning of that device.
  const Tuning& tuning() const { return device_->tuning(); }
  /// Makes a device on the Context's VkDevice, with a tuning of its own.
  Device create_device(const Tuning& tuning) const;
  /// Has cases that are made from now on record with this device, which must outlive them; null:
  /// with the Context's. Reference copies are always the Context's.
  void use(const Device* device) { device_ = device ? device : &context_.device(); }
  /// Has measure() take a third of its time, for comparisons that are repeated anyway.
  void measure_briefly() { brief_ = true; }
  const VulkanFunctions& vk() const { return vk_; }
  bool is_gpu() const { return is_gpu_; }
  /// Says why nothing can be timed on this device; empty if something can.
  std::string no_timing() const;
  /// The seconds between two timestamps, whose counter may have overflowed once in between.
  double seconds_between(std::uint64_t begin, std::uint64_t end) const;

  /// Memory for a Case, full of kPoison. Otherwise a result that is not written might be right by
  /// chance, because the memory held the same result before.
  template <class T>
  Buffer<T> allocate(std::uint64_t count) {
    auto buffer = context_.allocate<T>(count);
    poison(buffer.handle());
    return buffer;
  }
  /// Scratch that a Case keeps; empty if none is needed.
  struct ScratchBlock {
    Buffer<std::uint32_t> memory;
    Scratch scratch;
  };
  ScratchBlock allocate_scratch(const ScratchNeed& need);
  /// Fills `words` words from `address` with an input sequence (data.hpp).
  void generate(VkDeviceAddress address, std::uint64_t words, Data kind);

  /// Says why a row is left out, which is for memory or a feature that the device lacks; empty if
  /// it is not left out.
  std::string cannot_hold(const Row& row, std::uint64_t n) const;

  /// Prepares the case and runs it once, without timing it.
  void run(const Case& c);

  /// Measures a case. One submission holds
  ///   1. copies of a fixed size until the clocks are up (150 ms of them on a GPU),
  ///   2. K samples of a reference copy and the operation in turn. The copy moves as many bytes as
  ///      the row's ideal bytes. Each is timed on its own: full barrier, timestamp, commands, full
  ///      barrier, timestamp (both bottom-of-pipe).
  /// If warm, an untimed execution of the same operation comes just before each timed one, so that
  /// the cache holds what it can hold. It is left out where the data are far larger than caches. If
  /// cold, a fill of 256 MiB takes the same place, which leaves nothing of the data in the cache. A
  /// measurement is off if its copies are scattered, or slower than the best seen before (on a GPU:
  /// of the same size, and of the fixed size). It is then repeated, and in the end marked as not
  /// steady.
  Measurement measure(const Case& c, bool cold);

  /// For rows that time calls on the host: copies until the clocks are up, as in step 1. The first
  /// call may trim the pool.
  void raise_clocks();
  /// How much longer a copy of the fixed size takes now than at full clocks; 1 on a CPU device.
  double slowdown();

 private:
  struct Samples;

  void poison(VkBuffer buffer);
  void grow_reference(VkDeviceSize bytes);
  void record_reference(VkCommandBuffer cmd, VkDeviceSize bytes);
  void record_flush(VkCommandBuffer cmd);
  template <class F>
  void record_timed(VkCommandBuffer cmd, std::uint32_t query, F&& record);
  std::vector<double> read_intervals(std::uint32_t count);
  void calibrate();
  double time_fixed_copy(std::size_t copies_before);
  std::pair<double, double> estimate(const Case& c, VkDeviceSize copy_bytes);
  Samples sample(const Case& c, VkDeviceSize copy_bytes, bool cold, std::size_t count);

  const Effort& effort() const;

  Context context_;
  const Device* device_ = &context_.device();
  bool brief_ = false;
  VulkanFunctions vk_;
  bool is_gpu_ = false;
  VkDeviceSize budget_ = 0;       // heap budget before anything was allocated here
  VkDeviceSize fixed_bytes_ = 0;  // of the copies that bring the clocks up, one direction
  double fixed_seconds_ = 0;      // one of them at full clocks: the shortest seen
  VkQueryPool queries_ = VK_NULL_HANDLE;
  std::unique_ptr<Kernel> random_;
  Buffer<std::uint32_t> reference_in_, reference_out_, flush_;
  std::map<std::pair<VkDeviceSize, bool>, double> best_copy_;
};

/// Empty if both are equal, else the first difference.
template <class T>
std::string first_difference(const std::vector<T>& got, const std::vector<T>& want);

double median_of(std::vector<double> values);

// ---- Implementation of templates.

template <class T>
std::string first_difference(const std::vector<T>& got, const std::vector<T>& want) {
  if (got.size() != want.size()) return "other number of elements";
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::memcmp(&got[i], &want[i], sizeof(T)) != 0) {
      return "element " + std::to_string(i) + " is " + std::to_string(got[i]) + ", should be " +
             std::to_string(want[i]);
    }
  }
  return "";
}

}  // namespace vkprims::bench

// Context: instance, device, queue, memory and submissions, for programs without a renderer.
//
// Link vkprims::context. Everything here throws vkprims::Error; the core never throws.
/// @ingroup context
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "vkprims/buffer.hpp"
#include "vkprims/device.hpp"
#include "vkprims/warm_up.hpp"

namespace vkprims {

/// What Context functions throw: a Status as an exception.
class Error : public std::exception {
 public:
  /// Carries a Status that is not ok.
  explicit Error(Status status) : status_(std::move(status)) {}
  /// The message of the Status.
  const char* what() const noexcept override { return status_.message(); }
  /// The Status, which has the code and the VkResult behind it.
  const Status& status() const noexcept { return status_; }

 private:
  Status status_;
};

/// Throws Error if the status is not ok.
inline void throw_if_error(const Status& status) {
  if (!status) throw Error(status);
}

/// How serious a message of ContextInfo::log is.
enum class LogLevel : std::uint32_t {
  info,     ///< for whoever wants to know
  warning,  ///< something may be wrong
  error     ///< something is wrong
};

/// Which settings of the validation layer a Context asks for. If the layer is missing, an Error is
/// thrown.
enum class Validation : std::uint32_t {
  off,           ///< the layer is not loaded
  core,          ///< VK_LAYER_KHRONOS_validation with synchronization validation
  gpu_assisted,  ///< instrumented shaders, which are slow: for small sizes only
};

/// How to make a Context on a device of its own.
struct ContextInfo {
  /// An index of list_devices(), a part of a name (in any case) or a UUID in hexadecimal. "" means
  /// $VKPRIMS_DEVICE or, if that is not set, the best device (discrete, integrated, virtual, CPU).
  std::string device = {};
  /// Optional features to do without, as in Features::mask(). "" means $VKPRIMS_MASK.
  std::string mask = {};
  Validation validation = Validation::off;  ///< settings of the validation layer
  /// Whether to keep compiled pipelines between runs, in $XDG_CACHE_HOME/vkprims or, if that is not
  /// set, in %LOCALAPPDATA%/vkprims (Windows) or ~/.cache/vkprims.
  bool pipeline_cache_file = true;
  PipelinePolicy pipelines = PipelinePolicy::lazy;  ///< when pipelines may be compiled
  Tuning tuning = {};                               ///< as DeviceInfo::tuning
  /// Whether to take a queue that has graphics, too, as renderers do. By default a queue without is
  /// taken if there is one.
  bool graphics_queue = false;
  /// A file for Tuning::load(), whose values hold for members of `tuning` that are 0. "" means
  /// $VKPRIMS_TUNING or, if that is not set, no file. An Error names the file, and the line in it.
  std::string tuning_file = {};
  /// Receives messages of the validation layer and of the Context; may be called from any thread.
  /// Without it nothing is printed.
  std::function<void(LogLevel, const char*)> log = {};
  /// Replaces the function of the same name of the system's Vulkan loader, e.g. to observe calls;
  /// null: not replaced.
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
};

/// An existing device to build a Context on. The caller keeps ownership, and must not use `queue`
/// on another thread while a Context function runs. The Context must be destroyed before the
/// device.
struct Adopt {
  VkInstance instance = VK_NULL_HANDLE;               ///< the instance of the device
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;  ///< the physical device of the device
  VkDevice device = VK_NULL_HANDLE;                   ///< the device
  VkQueue queue = VK_NULL_HANDLE;                     ///< supports compute
  std::uint32_t queue_family = 0;                     ///< the family of queue
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;  ///< null: the system's loader
  Features enabled = {};  ///< the features that the device was created with
  VkPipelineCache pipeline_cache = VK_NULL_HANDLE;  ///< optional; internally synchronised
  bool sparse_binding = false;  ///< sparseBinding was enabled and `queue` supports it
  PipelinePolicy pipelines = PipelinePolicy::lazy;      ///< when pipelines may be compiled
  Tuning tuning = {};                                   ///< as DeviceInfo::tuning
  std::function<void(LogLevel, const char*)> log = {};  ///< as ContextInfo::log
};

/// One physical device, as list_devices() finds it.
struct DeviceEntry {
  std::uint32_t index = 0;  ///< number that $VKPRIMS_DEVICE and ContextInfo::device take
  std::string name;         ///< name that the driver gives it
  std::string uuid;         ///< 32 hexadecimal digits
  std::string type;         ///< "discrete GPU", "integrated GPU", "virtual GPU", "CPU", "other"
  std::string driver;       ///< name and version
  bool usable = false;      ///< whether the library runs on it
  std::string reason;       ///< why it is not usable; empty otherwise
};

/// Lists all devices of the system in the order of the indices that $VKPRIMS_DEVICE takes. `note`
/// receives hints why an expected device may be missing, for example that no driver was found or
/// that a render node is not readable. It is empty if there is nothing to say.
std::vector<DeviceEntry> list_devices(std::string* note = nullptr);

/// Internal: throws Error unless [first, first + count) lies in [0, size).
void check_range(std::uint64_t first, std::uint64_t count, std::uint64_t size);

/// Records the steps of one submission, with a barrier between any two, and provides their scratch.
class Recorder {
 public:
  /// The library's device, for foo_scratch() and record functions.
  const Device& device() const;
  /// The command buffer that the steps are recorded into.
  VkCommandBuffer command_buffer() const;

  /// Records one step: calls `record(cmd, scratch)`, which returns a Status. Throws Error if that
  /// is not ok, and the whole submission is abandoned then.
  template <class F>
  void step(const ScratchNeed& need, F&& record) {
    const Scratch scratch = begin_step(need, BarrierBefore::compute);
    throw_if_error(record(command_buffer(), scratch));
  }
  /// Allocates uninitialised elements for results of the steps, as Context::allocate() does.
  template <class T>
  Buffer<T> allocate(std::uint64_t count) {
    check_range(0, count, (std::uint64_t{1} << 62) / sizeof(T));
    return Buffer<T>(context(), allocate_block(count * sizeof(T)), count);
  }
  /// Records one step of commands of your own, e.g. a dispatch, with barriers as for the library's
  /// steps.
  template <class F>
  void commands(F&& record) {
    begin_step({}, BarrierBefore::indirect);
    record(command_buffer());
  }
  /// Records one step that copies host elements into elements from `first` on. The call reads them
  /// at once: at most 64 KiB, with size and offset multiples of 4 bytes (vkCmdUpdateBuffer).
  template <class T>
  void update(const Buffer<T>& buffer, std::uint64_t first,
              std::span<const std::type_identity_t<T>> values) {
    check_range(first, values.size(), buffer.size());
    update_bytes(buffer.handle(), first * sizeof(T), values.data(), values.size_bytes());
  }

 private:
  friend class Context;
  explicit Recorder(struct Recording& recording) : recording_(&recording) {}
  Scratch begin_step(const ScratchNeed& need, BarrierBefore before);
  ContextState* context() const;
  Block allocate_block(VkDeviceSize bytes);
  void update_bytes(VkBuffer buffer, VkDeviceSize offset, const void* data, VkDeviceSize bytes);
  struct Recording* recording_;
};

/// A submission that is in flight or finished. Destroying a Job does not wait; the Context keeps
/// what the GPU still uses. A Job may outlive its Context, and is finished then.
class Job {
 public:
  /// A Job without a submission, which counts as finished.
  Job() = default;
  /// Returns when the GPU has finished; throws Error if the device is lost. It polls for the first
  /// millisecond; then the thread sleeps.
  void wait();
  bool done() const;  ///< whether wait() would return, or throw, at once
  /// Waits and returns the milliseconds between the start of the first and the end of the last
  /// command. On a queue without timestamps it is the time from the submission until the library
  /// noticed its end.
  double gpu_ms();

 private:
  friend class Context;
  std::shared_ptr<struct Submission> submission_;
};

/// Commands that are recorded once and submitted any number of times, even while an earlier
/// submission of the same Plan is in flight: submissions run one after another. A Plan holds its
/// scratch, but not the Buffers that it uses, which must live as long as it is submitted.
/// Destroying a Plan does not wait.
class Plan {
 public:
  /// A Plan without commands, which cannot be submitted.
  Plan() = default;

 private:
  friend class Context;
  std::shared_ptr<struct Recording> recording_;
};

/// Counters for tests and diagnosis.
struct ContextStatistics {
  std::uint64_t device_allocations = 0;   ///< vkAllocateMemory calls so far
  std::uint64_t device_bytes = 0;         ///< bytes of device memory held now
  std::uint64_t live_buffers = 0;         ///< buffers that the program holds
  std::uint64_t idle_buffers = 0;         ///< freed buffers kept for reuse
  std::uint64_t submissions = 0;          ///< submissions to the queue so far
  std::uint64_t validation_messages = 0;  ///< warnings and errors of the validation layer
};

/// A Vulkan device with a compute queue, memory management and the library on it.
///
/// Only one thread at a time may call its functions. Destroying it waits for the GPU.
class Context {
 public:
  /// Takes the best device, or the one that $VKPRIMS_DEVICE names.
  Context() : Context(ContextInfo{}) {}
  /// Makes an instance and a device. Throws Error if there is no such device or it lacks a feature.
  explicit Context(const ContextInfo& info);
  /// Uses an existing device. Throws Error if it lacks what the library requires.
  explicit Context(const Adopt& adopt);
  /// Takes the device of the other Context, which can only be destroyed or assigned to afterwards.
  Context(Context&&) noexcept;
  /// Destroys what this Context had, after waiting for the GPU.
  Context& operator=(Context&&) noexcept;
  ~Context();

  /// The library's device, for foo_scratch() and record functions.
  const Device& device() const;
  /// The instance of the device.
  VkInstance instance() const;
  /// The physical device.
  VkPhysicalDevice physical_device() const;
  /// The device.
  VkDevice vk_device() const;
  /// The queue that steps are submitted to, which supports compute.
  VkQueue queue() const;
  /// The family of queue().
  std::uint32_t queue_family() const;
  /// The function that the Context loads Vulkan functions with.
  PFN_vkGetInstanceProcAddr get_instance_proc_addr() const;
  /// The properties of the physical device.
  const VkPhysicalDeviceProperties& properties() const;
  std::string driver() const;  ///< name and version
  /// Nanoseconds per timestamp tick.
  double timestamp_period() const;
  /// How many timestamp bits are valid on queue(); 0: it has no timestamps.
  std::uint32_t timestamp_bits() const;
  /// Bytes of the device-local heap.
  VkDeviceSize heap_bytes() const;
  /// How many bytes of this heap the system says are free now.
  VkDeviceSize heap_budget() const;

  /// Allocates uninitialised elements; takes up to 12.5 % or 255 bytes more memory. It makes a
  /// single allocation or, where the device refuses one so large, a sparse buffer with one
  /// contiguous range of addresses. Throws Error and names the bytes: out_of_memory, or unsupported
  /// above a limit of the device, which it names, too.
  template <class T>
  Buffer<T> allocate(std::uint64_t count) {
    if (count > (std::uint64_t{1} << 62) / sizeof(T)) too_large(count, sizeof(T));
    return Buffer<T>(state_.get(), allocate_block(count * sizeof(T)), count);
  }
  /// Makes a buffer with a copy of host elements. Waits.
  template <class T>
  Buffer<std::remove_const_t<T>> upload(std::span<T> values) {
    auto buffer = allocate<std::remove_const_t<T>>(values.size());
    write_block(buffer.handle(), 0, values.data(), values.size_bytes());
    return buffer;
  }
  /// Makes a buffer with a copy of a vector. Waits.
  template <class T>
  Buffer<T> upload(const std::vector<T>& values) {
    return upload(std::span<const T>(values));
  }
  /// Overwrites the elements from `first` on. Waits.
  template <class T>
  void write(const Buffer<T>& buffer, std::span<const std::type_identity_t<T>> values,
             std::uint64_t first = 0) {
    check_range(first, values.size(), buffer.size());
    write_block(buffer.handle(), first * sizeof(T), values.data(), values.size_bytes());
  }
  /// Copies the elements from `first` on to memory of the caller on the host. Waits.
  template <class T>
  void read(const Buffer<T>& buffer, std::span<T> values, std::uint64_t first = 0) {
    check_range(first, values.size(), buffer.size());
    read_block(buffer.handle(), first * sizeof(T), values.data(), values.size_bytes());
  }
  /// Returns elements [first, first + count) of a buffer. Waits.
  template <class T>
  std::vector<T> download(const Buffer<T>& buffer, std::uint64_t first, std::uint64_t count) {
    check_range(first, count, buffer.size());
    std::vector<T> values(count);
    read(buffer, std::span(values), first);
    return values;
  }
  /// Returns all elements of a buffer. Waits.
  template <class T>
  std::vector<T> download(const Buffer<T>& buffer) {
    return download(buffer, 0, buffer.size());
  }
  /// Returns the first n elements, where n is the number that the GPU wrote to count[0] (clamped to
  /// the size). Waits.
  template <class T, class C>
  std::vector<T> download(const Buffer<T>& buffer, const Buffer<C>& count) {
    static_assert(std::is_unsigned_v<C>);
    const std::uint64_t n = download(count, 0, 1)[0];
    return download(buffer, 0, n < buffer.size() ? n : buffer.size());
  }

  /// Records `steps`, submits them and waits. If `steps` throws, nothing is submitted.
  void run(const std::function<void(Recorder&)>& steps) { submit(steps).wait(); }
  /// Records `steps` and submits them. Submissions run one after another, with barriers between
  /// them that make earlier writes visible.
  Job submit(const std::function<void(Recorder&)>& steps);
  /// Records `steps` for submit(plan).
  Plan record(const std::function<void(Recorder&)>& steps);
  /// Submits recorded steps once more.
  Job submit(const Plan& plan);
  /// Calls `steps` with the device of `warm` (made from device()), so that the library notes what
  /// it has to compile for them; nothing is recorded for later use. See WarmUp.
  void note(const WarmUp& warm, const std::function<void(Recorder&)>& steps);

  /// Waits until the GPU is idle.
  void wait_idle();
  /// Waits, then gives the memory of freed buffers and finished recordings back to the system.
  void trim();
  /// Counters of this Context so far.
  ContextStatistics statistics() const;

 private:
  [[noreturn]] static void too_large(std::uint64_t count, std::uint64_t element_bytes);
  std::shared_ptr<Recording> record_steps(const std::function<void(Recorder&)>& steps,
                                          const Device& library, bool reusable);
  Block allocate_block(VkDeviceSize bytes);
  void write_block(VkBuffer buffer, VkDeviceSize offset, const void* data, VkDeviceSize bytes);
  void read_block(VkBuffer buffer, VkDeviceSize offset, void* data, VkDeviceSize bytes);

  std::unique_ptr<ContextState> state_;
};

/// Internal: returns a Buffer's memory to its Context.
void free_block(ContextState& context, const Block& block) noexcept;

template <class T>
Buffer<T>::~Buffer() {
  if (context_) free_block(*context_, block_);
}

}  // namespace vkprims

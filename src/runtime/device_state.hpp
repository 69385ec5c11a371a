// What a Device holds.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/device_hooks.hpp"
#include "runtime/functions.hpp"
#include "runtime/pipelines.hpp"
#include "vkprims/device.hpp"

namespace vkprims {

/// A range that one command reads or writes (or both).
struct Access {
  BufferView view;
  bool writes;
  bool indirect = false;  // by the command processor, not by a shader
};

/// A command that is about to be recorded, behind its barrier.
struct RecordedCommand {
  const char* name;      // of the module, or of the Vulkan function
  std::uint64_t groups;  // workgroups, of an indirect dispatch at most; 0: no dispatch
  const Access* accesses;
  std::size_t count;  // of accesses
};

/// Is told of every command before it is recorded. It is null outside tests, which look for hazards
/// with it, as synchronization validation cannot see accesses through device addresses, and the
/// benchmark, which times commands one by one.
struct RecordObserver {
  void (*on_command)(void* user, VkCommandBuffer cmd, const RecordedCommand& command) = nullptr;
  void* user = nullptr;
};

/// What is known about a device. A Device that only notes (WarmUp) has a copy of it.
struct DeviceFacts {
  DeviceInfo info;
  DeviceHooks hooks;
  Functions vk;
  Tuning tuning;
  std::uint32_t subgroup_size = 0;
  std::uint32_t shared_bytes = 0;       // shared memory that a workgroup may have
  std::uint32_t largest_workgroup = 0;  // the largest that the device allows, at most 1024
  bool rounds_halves = false;           // packHalf2x16 rounds to nearest even, as measured
  bool dispatches_fills = false;        // few bytes of scratch are filled by a kernel
  VkPhysicalDeviceLimits limits{};
  char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE] = {};
  char driver[VK_MAX_DRIVER_NAME_SIZE + VK_MAX_DRIVER_INFO_SIZE + 2] = {};
  std::uint32_t api_version = 0;
  RecordObserver observer;
};

struct DeviceState : DeviceFacts {
  DeviceState() = default;
  explicit DeviceState(const DeviceFacts& facts) : DeviceFacts(facts) {}
  ~DeviceState() { pipelines.destroy(vk); }

  /// Keeps something as long as there are pipelines: modules that are compiled at run time, by
  /// whose addresses pipelines are found.
  void keep(std::shared_ptr<const void> what) {
    const std::lock_guard lock(kept_mutex_);
    kept_.push_back(std::move(what));
  }

  Pipelines pipelines;

 private:
  std::mutex kept_mutex_;
  std::vector<std::shared_ptr<const void>> kept_;
};

}  // namespace vkprims

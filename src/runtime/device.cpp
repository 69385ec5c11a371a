// Device: its creation and description, views of buffers, and ScratchArena.
#include "vkprims/device.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <new>

#include "runtime/device_state.hpp"
#include "runtime/tuning.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

// `enabled` must not claim what the device cannot do, because pipelines would be built on it.
Status check_enabled(const Features& enabled, const Features& has) {
  const struct {
    const char* name;
    bool claimed, present;
  } flags[] = {
      {"int64", enabled.int64, has.int64},
      {"float64", enabled.float64, has.float64},
      {"int64_atomics", enabled.int64_atomics, has.int64_atomics},
      {"storage8", enabled.storage8, has.storage8},
      {"storage16", enabled.storage16, has.storage16},
      {"subgroup_size_control", enabled.subgroup_size_control, has.subgroup_size_control},
      {"full_subgroups", enabled.full_subgroups, has.full_subgroups},
      {"subgroup_extended_types", enabled.subgroup_extended_types, has.subgroup_extended_types},
  };
  for (const auto& flag : flags) {
    if (flag.claimed && !flag.present) {
      return Status::error(Status::unsupported,
                           "Device::create: enabled.%s is set, but the device does not have it",
                           flag.name);
    }
  }
  return {};
}

Status check_handles(const DeviceInfo& info) {
  const char* missing = nullptr;
  if (!info.device) missing = "device";
  if (!info.physical_device) missing = "physical_device";
  if (!info.instance) missing = "instance";
  if (!info.get_instance_proc_addr) missing = "get_instance_proc_addr";
  if (!missing) return {};
  return Status::error(Status::invalid_argument, "Device::create: %s is null", missing);
}

void read_properties(DeviceState& state, VkPhysicalDeviceSubgroupProperties& subgroup,
                     VkPhysicalDeviceDriverProperties& driver,
                     VkPhysicalDeviceProperties2& properties) {
  subgroup = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, .pNext = &subgroup};
  properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
  state.vk.vkGetPhysicalDeviceProperties2(state.info.physical_device, &properties);
  state.subgroup_size = subgroup.subgroupSize;
  state.limits = properties.properties.limits;
  state.api_version = properties.properties.apiVersion;
  std::snprintf(state.name, sizeof state.name, "%s", properties.properties.deviceName);
  std::snprintf(state.driver, sizeof state.driver, "%s %s", driver.driverName, driver.driverInfo);
}

Status check_lookback(const LookbackDiagnostics& lookback) {
  if (lookback.period >= 1) return {};
  return Status::error(Status::invalid_argument,
                       "Device::create: lookback.period is 0, must be at least 1");
}

}  // namespace

Device::Device() noexcept = default;
Device::Device(Device&&) noexcept = default;
Device& Device::operator=(Device&&) noexcept = default;
Device::~Device() = default;

Status Device::create(const DeviceInfo& info, Device& device) {
  return create_device(info, {}, device);
}

std::string take_hooks(std::string_view mask, DeviceHooks& hooks) {
  std::string rest;
  while (!mask.empty()) {
    const std::string_view name = mask.substr(0, mask.find(','));
    mask.remove_prefix(std::min(name.size() + 1, mask.size()));
    if (name == "shared16k") {
      hooks.shared16k = true;
    } else if (name == "workgroup128") {
      hooks.workgroup128 = true;
    } else if (name == "dispatched_fills") {
      hooks.dispatches_fills = true;
    } else {
      rest.append(rest.empty() ? "" : ",").append(name);
    }
  }
  return rest;
}

Status create_device(const DeviceInfo& info, const DeviceHooks& hooks, Device& device) {
  VKPRIMS_TRY(check_handles(info));
  Features has;
  VKPRIMS_TRY(
      query_features(info.get_instance_proc_addr, info.instance, info.physical_device, has));
  VKPRIMS_TRY(check_enabled(info.enabled, has));

  std::unique_ptr<DeviceState> state(new (std::nothrow) DeviceState);
  if (!state) return Status::error(Status::out_of_memory, "Device::create: out of host memory");
  state->info = info;
  state->hooks = hooks;
  const char* failed = state->vk.load_instance(info.get_instance_proc_addr, info.instance);
  if (!failed)
    failed = state->vk.load_device(info.get_instance_proc_addr, info.instance, info.device);
  if (failed) {
    return Status::error(Status::unsupported, "Device::create: %s cannot be loaded", failed);
  }

  VkPhysicalDeviceSubgroupProperties subgroup;
  VkPhysicalDeviceDriverProperties driver;
  VkPhysicalDeviceProperties2 properties;
  read_properties(*state, subgroup, driver, properties);
  std::uint32_t max_workgroup = std::min(state->limits.maxComputeWorkGroupInvocations,
                                         state->limits.maxComputeWorkGroupSize[0]);
  if (hooks.workgroup128) max_workgroup = 128;
  state->largest_workgroup = std::min(max_workgroup, 1024u);
  state->shared_bytes = hooks.shared16k ? 16384 : state->limits.maxComputeSharedMemorySize;
  VKPRIMS_TRY(
      choose_tuning({properties.properties.vendorID, driver.driverID, subgroup.subgroupSize},
                    max_workgroup, info.tuning, state->tuning));
  state->rounds_halves = driver.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY ||
                         driver.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
  // Other drivers than NVIDIA's were not measured.
  state->dispatches_fills =
      hooks.dispatches_fills ||
      (info.graphics_queue && driver.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY);
  VKPRIMS_TRY(check_lookback(hooks.lookback));
  const bool lanes_in_step = driver.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
  VKPRIMS_TRY(state->pipelines.create(state->vk, info, lanes_in_step));
  device.state_ = std::move(state);
  return {};
}

VkDevice Device::handle() const noexcept { return state_ ? state_->info.device : VK_NULL_HANDLE; }

const Features& Device::features() const noexcept {
  static const Features none;
  return state_ ? state_->info.enabled : none;
}

const Tuning& Device::tuning() const noexcept {
  static const Tuning none;
  return state_ ? state_->tuning : none;
}

std::string describe(const Device& device) {
  if (!device) return "no device";
  const DeviceState& state = *device.state();
  Features has;
  const Status queried = query_features(state.info.get_instance_proc_addr, state.info.instance,
                                        state.info.physical_device, has);
  char text[1024];
  std::snprintf(
      text, sizeof text,
      "%s, %s, Vulkan %u.%u.%u, subgroup size %u, shared memory %u KiB, workgroup limit %u\n"
      "features used: %s\nfeatures of the device: %s\ntuning:",
      state.name, state.driver, VK_API_VERSION_MAJOR(state.api_version),
      VK_API_VERSION_MINOR(state.api_version), VK_API_VERSION_PATCH(state.api_version),
      state.subgroup_size, state.limits.maxComputeSharedMemorySize / 1024,
      state.limits.maxComputeWorkGroupInvocations, state.info.enabled.names().c_str(),
      queried ? has.names().c_str() : queried.message());
  std::string result = text;
  for (const TuningField& field : tuning_fields()) {
    result +=
        std::string(" ") + field.name + ' ' + std::to_string(state.tuning.*field.member) + ',';
  }
  const bool by_ticket = state.tuning.tile_order == TileOrder::ticket;
  return result + " tile_order " + (by_ticket ? "ticket" : "workgroup") + '\n';
}

namespace {

Status make_view(const char* function, const Device& device, VkBuffer buffer, VkDeviceSize offset,
                 VkDeviceSize bytes, BufferView& result) {
  result = {};
  VKPRIMS_TRY(check_device(function, device));
  if (!buffer) return Status::error(Status::invalid_argument, "%s: buffer is null", function);
  if (bytes == VK_WHOLE_SIZE) {
    return Status::error(Status::invalid_argument,
                         "%s: bytes is VK_WHOLE_SIZE, must be a number: Vulkan does not tell the "
                         "size of a buffer",
                         function);
  }
  const DeviceState& state = *device.state();
  VkMemoryRequirements memory;
  state.vk.vkGetBufferMemoryRequirements(state.info.device, buffer, &memory);
  if (offset > memory.size || bytes > memory.size - offset) {
    return Status::error(Status::invalid_argument,
                         "%s: offset is %" PRIu64 " and bytes is %" PRIu64
                         ", but the buffer's memory has %" PRIu64,
                         function, offset, bytes, memory.size);
  }
  const VkBufferDeviceAddressInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                       .buffer = buffer};
  result = {state.vk.vkGetBufferDeviceAddress(state.info.device, &info) + offset, bytes, buffer,
            offset};
  return {};
}

}  // namespace

Status view(const Device& device, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize bytes,
            BufferView& result) {
  return make_view("view", device, buffer, offset, bytes, result);
}

BufferView view(const Device& device, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize bytes) {
  BufferView result;
  const Status status = view(device, buffer, offset, bytes, result);
  return status ? result : BufferView();
}

Status scratch_view(const Device& device, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize bytes,
                    Scratch& result) {
  result = {};
  BufferView range;
  VKPRIMS_TRY(make_view("scratch_view", device, buffer, offset, bytes, range));
  result = {buffer, offset, range.address, bytes};
  return {};
}

Scratch scratch_view(const Device& device, VkBuffer buffer, VkDeviceSize offset,
                     VkDeviceSize bytes) {
  Scratch result;
  const Status status = scratch_view(device, buffer, offset, bytes, result);
  return status ? result : Scratch();
}

Status ScratchArena::take(const ScratchNeed& need, Scratch& scratch) {
  if (need.bytes == 0) {
    scratch = {};
    return {};
  }
  const VkDeviceSize alignment = std::max<VkDeviceSize>(need.alignment, 1);
  const VkDeviceAddress start = block_.address + used_;
  const VkDeviceSize begin = used_ + (alignment - start % alignment) % alignment;
  if (begin > block_.bytes || need.bytes > block_.bytes - begin) {
    return Status::error(Status::out_of_memory,
                         "scratch arena: %" PRIu64 " bytes asked for, %" PRIu64 " of %" PRIu64
                         " left",
                         need.bytes, begin > block_.bytes ? 0 : block_.bytes - begin, block_.bytes);
  }
  scratch = {block_.buffer, block_.offset + begin, block_.address + begin, need.bytes};
  used_ = begin + need.bytes;
  return {};
}

}  // namespace vkprims

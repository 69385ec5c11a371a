// Device: the library on a caller's VkDevice, with the features it needs, its tuning, and helpers
// for recording.
/// @ingroup runtime
#pragma once

#include <vulkan/vulkan_core.h>

#include <memory>
#include <string>
#include <vector>

#include "vkprims/status.hpp"
#include "vkprims/tuning.hpp"
#include "vkprims/types.hpp"

namespace vkprims {

/// The features of a device that the library uses: all required ones, and the optional ones below.
///
/// query_features() fills it with what the device has. Clear a flag to do without that feature.
/// Types and operations that need it are then refused with Status::unsupported, and some others
/// take longer. Results of integers, indices and strings stay the same. Where floats are rounded,
/// results may differ, as they may between devices, within the bounds that each primitive states:
/// the order in which floats are combined depends on the sizes of subgroups and tiles.
struct Features {
  bool int64 = false;                    ///< u64 and i64 elements (shaderInt64)
  bool float64 = false;                  ///< f64 elements (shaderFloat64)
  bool int64_atomics = false;            ///< shaderBufferInt64Atomics
  bool storage8 = false;                 ///< storageBuffer8BitAccess
  bool storage16 = false;                ///< storageBuffer16BitAccess
  bool subgroup_size_control = false;    ///< subgroupSizeControl for compute
  bool full_subgroups = false;           ///< computeFullSubgroups
  bool subgroup_extended_types = false;  ///< shaderSubgroupExtendedTypes

  /// Adds the required and the optional features to `info`, and their extensions to `extensions`.
  ///
  /// Flags are ORed into the structures that the pNext chain holds already
  /// (VkPhysicalDeviceVulkan12Features / 13Features or the single structures, Features2 or
  /// pEnabledFeatures); what the chain lacks is linked in from storage inside this object, which
  /// must outlive vkCreateDevice. Call again after copying a Features.
  void merge_into(VkDeviceCreateInfo& info, std::vector<const char*>& extensions);

  /// Removes features by name: "int64_atomics,storage8". Names are those of the members; an unknown
  /// one is an error that lists them. A Context does it with $VKPRIMS_MASK; neither
  /// query_features() nor Device reads the environment.
  Status mask(const char* comma_separated_names);

  /// The names of the optional features that are set, separated by commas.
  std::string names() const;

 private:
  friend Status query_features(PFN_vkGetInstanceProcAddr, VkInstance, VkPhysicalDevice, Features&);
  bool size_control_extension_ = false;  // VK_EXT_subgroup_size_control is offered
  VkPhysicalDeviceFeatures core_{};
  VkPhysicalDeviceBufferDeviceAddressFeatures buffer_device_address_{};
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model_{};
  VkPhysicalDeviceShaderAtomicInt64Features atomic_int64_{};
  VkPhysicalDevice8BitStorageFeatures storage8_{};
  VkPhysicalDevice16BitStorageFeatures storage16_{};
  VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures extended_types_{};
  VkPhysicalDeviceSubgroupSizeControlFeatures size_control_{};
};

/// Finds out whether the library runs on `physical`, and with which optional features.
///
/// Fails with Status::unsupported and names the first requirement that is missing: Vulkan 1.2,
/// bufferDeviceAddress, vulkanMemoryModel, subgroup operations {basic, vote, arithmetic, ballot,
/// shuffle} in compute shaders, a subgroup size of 4 … 128, 16 KiB of shared memory, workgroups of
/// 128 invocations.
Status query_features(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                      VkPhysicalDevice physical, Features& features);

/// When pipelines may be compiled.
enum class PipelinePolicy : std::uint32_t {
  lazy,  ///< on first use, inside record_*
  /// Only in warm_up() and by a WarmUp; otherwise record_* returns Status::not_warmed.
  warmed_only,
};

/// A function that is told of every call that records commands, before the first of them and behind
/// the last one: for timestamps and markers of your own.
///
/// It may record whatever is allowed outside a render pass and leaves pipelines and push constants
/// alone. A call that records nothing, and one that fails, is not told of. Calls that record on
/// several threads call it on these.
struct RecordHook {
  /// `primitive` is the name of the call, such as "scan"; `begins` is false behind its commands.
  void (*function)(void* user, VkCommandBuffer cmd, const char* primitive, bool begins) = nullptr;
  void* user = nullptr;  ///< handed to the function
};

/// What Device::create() makes a Device of.
struct DeviceInfo {
  VkInstance instance = VK_NULL_HANDLE;               ///< that of the device
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;  ///< that of the device
  VkDevice device = VK_NULL_HANDLE;                   ///< what command buffers are recorded for
  /// The function that the library loads all Vulkan functions with.
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
  Features enabled = {};  ///< the features that the device was created with
  VkPipelineCache pipeline_cache = VK_NULL_HANDLE;   ///< optional; internally synchronised
  const VkAllocationCallbacks* allocator = nullptr;  ///< optional, host memory of pipelines
  PipelinePolicy pipelines = PipelinePolicy::lazy;   ///< when pipelines may be compiled
  Tuning tuning = {};  ///< how much work a workgroup takes; what is 0 comes from the table
  /// Whether command buffers run on a queue that has graphics, too. It changes no result: on some
  /// devices few bytes of scratch are then cleared in a way that is faster on such queues, and
  /// slower on others.
  bool graphics_queue = false;
  RecordHook on_record = {};  ///< optional, is told of calls
};

struct DeviceHooks;
struct DeviceState;  // internal

/// The library on one VkDevice: function table, pipelines, tuning.
///
/// It owns only pipelines and their layout. Several threads may record with one Device into
/// different command buffers. Destroy it after the last use of its pipelines has finished and
/// before the VkDevice. A default-constructed Device is empty and every record call refuses it.
class Device {
 public:
  /// An empty Device, which every record call refuses.
  Device() noexcept;
  /// Leaves the other Device empty.
  Device(Device&&) noexcept;
  /// Destroys the pipelines that this Device had.
  Device& operator=(Device&&) noexcept;
  ~Device();

  /// Fails on null handles, on Vulkan functions that cannot be loaded, on a device that lacks what
  /// query_features() requires, on `enabled` features that the device does not have, and on Tuning
  /// outside its ranges. On failure `device` is left unchanged.
  static Status create(const DeviceInfo& info, Device& device);

  /// Whether create() has made this Device.
  explicit operator bool() const noexcept { return state_ != nullptr; }
  /// The VkDevice that create() was given; null when empty.
  VkDevice handle() const noexcept;
  /// The features that the library uses; none when empty.
  const Features& features() const noexcept;
  /// The tuning in use, of which all members but lookback_pause are above 0; all 0 when empty.
  const Tuning& tuning() const noexcept;
  /// Internal; null when empty.
  DeviceState* state() const noexcept { return state_.get(); }

 private:
  friend class WarmUp;  // vkprims/warm_up.hpp
  friend Status create_device(const DeviceInfo&, const DeviceHooks&, Device&);  // for tests
  std::unique_ptr<DeviceState> state_;
};

/// A paragraph for a bug report: device, driver, limits, features used and not used, tuning row.
std::string describe(const Device& device);

/// The view of `bytes` bytes from `offset` in a buffer with usage kRequiredBufferUsage and bound
/// memory.
///
/// It refuses an empty Device, a null buffer, VK_WHOLE_SIZE, and a range that ends behind the
/// memory that the buffer occupies (VkMemoryRequirements::size). Vulkan has no query for the size
/// that a buffer was created with, which may be smaller because devices round up. So a view that is
/// a few bytes too large can pass: give the size that you created the buffer with. On failure the
/// Status says what was wrong, and `result` is the empty view.
Status view(const Device& device, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize bytes,
            BufferView& result);
/// Does the same without giving a reason: on failure it returns the empty view, which every
/// primitive refuses in turn.
BufferView view(const Device& device, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize bytes);

/// Scratch in a buffer with usage kScratchBufferUsage; the same errors as view().
Status scratch_view(const Device& device, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize bytes,
                    Scratch& result);
/// Does the same without giving a reason: on failure it returns empty Scratch.
Scratch scratch_view(const Device& device, VkBuffer buffer, VkDeviceSize offset,
                     VkDeviceSize bytes);

/// This says which later commands a barrier holds back; values are joined by |. Compute shaders and
/// transfers are always held back. Primitives read only indirect arguments that they have made
/// themselves.
enum class BarrierBefore : std::uint32_t {
  compute = 0,   ///< nothing else
  indirect = 1,  ///< indirect dispatches and draws of your own; 2 us slower on an H200
  vertex = 2,    ///< vertex shaders, and the fetching of vertices and indices
  fragment = 4,  ///< fragment shaders
  host = 8,      ///< reads on the host, once it has waited for the submission
};
/// What both hold back.
constexpr BarrierBefore operator|(BarrierBefore a, BarrierBefore b) {
  return static_cast<BarrierBefore>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}

/// Records a global barrier: all writes by compute shaders and transfers before it are visible to
/// the commands after it. Put it between two primitives of which one uses what the other wrote.
/// `vertex` and `fragment` need a queue with graphics, and a place outside a render pass. Refuses a
/// `before` with bits that have no name.
Status record_barrier(VkCommandBuffer cmd, const Device& device,
                      BarrierBefore before = BarrierBefore::compute);

/// Hands out Scratch from one block, for callers that record several primitives one after another.
///
/// take() moves forward; reset() starts again at the front. Primitives that a barrier separates may
/// share scratch: call reset() between them. The arena owns and allocates nothing.
class ScratchArena {
 public:
  /// An arena without memory, which can only hand out 0 bytes.
  ScratchArena() = default;
  /// An arena that cuts its pieces from `block`.
  explicit ScratchArena(const Scratch& block) : block_(block) {}

  /// Fails with Status::out_of_memory and names the bytes asked for and those left.
  Status take(const ScratchNeed& need, Scratch& scratch);
  /// Starts again at the front of the block.
  void reset() { used_ = 0; }
  /// Bytes handed out since the last reset(), with gaps for alignment.
  VkDeviceSize used() const { return used_; }
  /// Size of the block in bytes.
  VkDeviceSize capacity() const { return block_.bytes; }

 private:
  Scratch block_;
  VkDeviceSize used_ = 0;
};

}  // namespace vkprims

// The library on a caller's device: required features, Device, warm-up policy, tuning, helpers to
// record with.
#pragma once

#include <vulkan/vulkan_core.h>

#include <memory>
#include <string>
#include <vector>

#include "vkprims/status.hpp"
#include "vkprims/types.hpp"

namespace vkprims {

/// What a device offers to the library: everything required, plus the optional features below.
///
/// query_features() fills it with what the device has. Clear a flag to do without that feature;
/// results stay the same, paths get slower, and types that need it are refused.
struct Features {
  bool int64 = false;                    ///< u64 and i64 elements (shaderInt64)
  bool float64 = false;                  ///< f64 elements (shaderFloat64)
  bool int64_atomics = false;            ///< shaderBufferInt64Atomics
  bool storage8 = false;                 ///< storageBuffer8BitAccess
  bool storage16 = false;                ///< storageBuffer16BitAccess
  bool subgroup_size_control = false;    ///< subgroupSizeControl for compute
  bool full_subgroups = false;           ///< computeFullSubgroups
  bool subgroup_extended_types = false;  ///< shaderSubgroupExtendedTypes
  /// Pretend limits, for tests: 16 KiB of shared memory; workgroups of at most 128.
  bool shared16k = false;
  bool workgroup128 = false;

  /// Adds the required and the optional features to `info`, and their extensions to `extensions`.
  ///
  /// Flags are ORed into the structures that the pNext chain holds already
  /// (VkPhysicalDeviceVulkan12Features / 13Features or the single structures, Features2 or
  /// pEnabledFeatures); what the chain lacks is linked in from storage inside this object, which
  /// must outlive vkCreateDevice. Call again after copying a Features.
  void merge_into(VkDeviceCreateInfo& info, std::vector<const char*>& extensions);

  /// Removes features by name: "int64_atomics,storage8". Names are those of the members; an unknown
  /// one is an error that lists them. A Context does it with $VKPRIMS_MASK; neither query_features()
  /// nor Device reads the environment.
  Status mask(const char* comma_separated_names);

  /// Names of the optional features that are set, comma-separated.
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

/// Whether the library runs on `physical`, and with which optional features.
///
/// Fails with Status::unsupported naming the first thing that is missing: Vulkan 1.2,
/// bufferDeviceAddress, vulkanMemoryModel, subgroup operations {basic, vote, arithmetic, ballot,
/// shuffle} in compute shaders, 16 KiB of shared memory, workgroups of 128.
Status query_features(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                      VkPhysicalDevice physical, Features& features);

/// In which order workgroups of a look-back take their tiles.
enum class TileOrder : std::uint32_t {
  from_table,
  ticket,  ///< as they start, by an atomic counter: right for every device
  workgroup,  ///< by their number: for devices that start them in that order. Elsewhere a workgroup may
  ///< have to recompute all tiles before its own, which on lavapipe it cannot beyond some
  ///< thousand: its loops end after 65,535 iterations
};

/// How large a share of work one workgroup takes on a device. 0 = from the library's table.
struct Tuning {
  std::uint32_t workgroup_size = 0;  ///< power of two, 128 … 1024 and within device limits
  std::uint32_t stream_rows = 0;  ///< 16-byte rows an invocation of copy, fill, iota moves, 1 … 16
  std::uint32_t rows_per_tile = 0;  ///< 16-byte rows an invocation of a fold has in flight, 1 … 16
  std::uint32_t max_reduce_groups = 0;    ///< workgroups of a grid that folds, 1 … 8192
  std::uint32_t single_group_bytes = 0;   ///< input that one workgroup folds alone, 1 … 2^24
  std::uint32_t scan_workgroup_size = 0;  ///< as workgroup_size, of scans
  std::uint32_t scan_rows = 0;        ///< 16-byte rows an invocation has in flight there, 1 … 16
  std::uint32_t scan_batches = 0;     ///< how many times of that make a tile, 1 … 64
  std::uint32_t max_scan_groups = 0;  ///< workgroups of Schedule::multi_pass, 256 … 65536
  std::uint32_t single_scan_bytes = 0;   ///< elements that one workgroup scans alone, 1 … 2^24
  std::uint32_t segment_rows = 0;        ///< as scan_rows, of scans in segments, 1 … 16
  std::uint32_t segment_batches = 0;     ///< as scan_batches, of these, 1 … 64
  std::uint32_t run_rows = 0;            ///< as scan_rows, of run_length_encode, 1 … 8
  std::uint32_t run_batches = 0;         ///< as scan_batches, of run_length_encode, 1 … 8
  std::uint32_t key_workgroup_size = 0;  ///< as workgroup_size, of reduce_by_key
  std::uint32_t key_rows = 0;            ///< as scan_rows, of reduce_by_key, 1 … 8
  std::uint32_t key_batches = 0;         ///< as scan_batches, of reduce_by_key, 1 … 8
  /// Elements up to which a look-back of these (in segments, runs, by key) has tiles of one batch of few
  /// rows, so that more workgroups have work, 1 … 2^30
  std::uint32_t small_count = 0;
  /// As workgroup_size, of segmented_reduce, spmv, stack_match, nearest_smaller
  std::uint32_t csr_workgroup_size = 0;
  std::uint32_t csr_rows = 0;      ///< as rows_per_tile, of these, 1 … 16
  std::uint32_t compact_rows = 0;  ///< 16-byte rows an invocation of select … has in flight, 1 … 8
  std::uint32_t compact_batches = 0;  ///< how many times of that make a tile, 1 … 8
  std::uint32_t sort_workgroup_size =
      0;  ///< of sorts of keys of 4 bytes: multiple of 128, 128 … 1024
  std::uint32_t sort_pair_workgroup_size = 0;  ///< … of longer keys, and of keys with values
  std::uint32_t sort_rows = 0;                 ///< keys an invocation has there, at most, 4 … 23
  /// Keys up to which tiles have 8 rows at most, so that more workgroups have work, 1 … 2^30
  std::uint32_t small_sort_count = 0;
  std::uint32_t single_sort_count = 0;  ///< keys that one workgroup sorts alone, at most, 1 … 8192
  std::uint32_t sort_portion = 0;       ///< keys that a dispatch moves, at most, 1 … 2^29
  std::uint32_t stack_window_size =
      0;  ///< symbols of a tile of StackSchedule::seed_window: power of two, 4 … 1024
  /// Symbols from which on stack_match counts levels in 64 bits instead of 32, 1 … 2^30
  std::uint32_t stack_short_count = 0;
  std::uint32_t spin_limit = 0;  ///< polls in vain before a look-back recomputes a tile, 1 … 2^20
  std::uint32_t lookback_pause = 0;  ///< shuffles of a subgroup before the first poll, 0 … 256
  TileOrder tile_order = TileOrder::from_table;
};

/// A look-back under test: what it counts, and what is made to go wrong. Results stay right, but with
/// VKP_SEED_ALONE of stack_match_seed_window.abi.h.
struct LookbackDiagnostics {
  /// Counts polls, fallbacks and more into the words of the scratch that vkprims/device/lookback.h names.
  bool statistics = false;
  std::uint32_t faults = 0;  ///< VKP_LOOKBACK_SILENT … of vkprims/device/lookback.h
  std::uint32_t period = 1;  ///< of the faults, in tiles; at least 1
};

/// When pipelines may be compiled.
enum class PipelinePolicy : std::uint32_t {
  lazy,         ///< on first use, inside record_*
  warmed_only,  ///< only in warm_up() and by a WarmUp; record_* returns Status::not_warmed otherwise
};

struct DeviceInfo {
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
  Features enabled = {};                             ///< what the device was created with
  VkPipelineCache pipeline_cache = VK_NULL_HANDLE;   ///< optional; internally synchronised
  const VkAllocationCallbacks* allocator = nullptr;  ///< optional, host memory of pipelines
  PipelinePolicy pipelines = PipelinePolicy::lazy;
  Tuning tuning = {};
  LookbackDiagnostics lookback = {};
};

struct DeviceState;  // internal

/// The library on one VkDevice: function table, pipelines, tuning.
///
/// Owns nothing but pipelines and their layout. Several threads may record with one Device into
/// different command buffers. Destroy it after the last use of its pipelines has finished and
/// before the VkDevice. A default-constructed Device is empty and every record call refuses it.
class Device {
 public:
  Device() noexcept;
  Device(Device&&) noexcept;
  Device& operator=(Device&&) noexcept;
  ~Device();

  /// Fails on null handles, on Vulkan functions that cannot be loaded, on a device that lacks what
  /// query_features() requires, on `enabled` features that the device does not have, and on Tuning
  /// outside its ranges. `device` is untouched then.
  static Status create(const DeviceInfo& info, Device& device);

  explicit operator bool() const noexcept { return state_ != nullptr; }
  VkDevice handle() const noexcept;
  const Features& features() const noexcept;
  /// Internal; null when empty.
  DeviceState* state() const noexcept { return state_.get(); }

 private:
  friend class WarmUp;  // vkprims/warm_up.hpp
  std::unique_ptr<DeviceState> state_;
};

/// One paragraph for a bug report: device, driver, limits, features used and not used, tuning row.
std::string describe(const Device& device);

/// The view of `bytes` bytes from `offset` in a buffer with usage kRequiredBufferUsage and bound memory.
///
/// Refused are an empty Device, a null buffer, VK_WHOLE_SIZE, and a range that ends behind what the buffer occupies in
/// memory (VkMemoryRequirements::size). Vulkan tells nobody the size that a buffer was created with; that may be smaller by
/// what the device rounds up, so a view of a few bytes too many can pass: give the size that you created the buffer with.
/// A Status says what was wrong, and `result` is the empty view then.
Status view(const Device& device, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize bytes,
            BufferView& result);
/// The same without the reason: the empty view where it is refused, which every primitive refuses in turn.
BufferView view(const Device& device, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize bytes);

/// Scratch in a buffer with usage kScratchBufferUsage; refused as by view().
Status scratch_view(const Device& device, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize bytes,
                    Scratch& result);
Scratch scratch_view(const Device& device, VkBuffer buffer, VkDeviceSize offset,
                     VkDeviceSize bytes);

/// What a barrier holds back. Primitives read no indirect arguments but those they make themselves.
enum class BarrierBefore : std::uint32_t {
  compute,               ///< compute shaders and transfers
  compute_and_indirect,  ///< these, and an indirect dispatch of your own; 2 us slower on an H200
};

/// Records a global barrier: all writes by compute shaders and transfers before it are visible to
/// what comes after it. What to put between two primitives of which one uses what the other wrote.
Status record_barrier(VkCommandBuffer cmd, const Device& device,
                      BarrierBefore before = BarrierBefore::compute);

/// Hands out Scratch from one block, for callers that record several primitives one after another.
///
/// take() moves forward; reset() starts again at the front. Primitives that a barrier separates
/// may share scratch: reset() between them. Owns nothing, allocates nothing.
class ScratchArena {
 public:
  ScratchArena() = default;
  explicit ScratchArena(const Scratch& block) : block_(block) {}

  /// Fails with Status::out_of_memory, naming what was asked and what is left.
  Status take(const ScratchNeed& need, Scratch& scratch);
  void reset() { used_ = 0; }
  VkDeviceSize used() const { return used_; }
  VkDeviceSize capacity() const { return block_.bytes; }

 private:
  Scratch block_;
  VkDeviceSize used_ = 0;
};

}  // namespace vkprims

#include "support/dry_device.hpp"

#include <cstring>

#include "runtime/functions.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

// Returns a handle that is not null and never dereferenced.
template <class Handle>
Handle some_handle() {
  return (Handle)std::uintptr_t{64};  // a pointer or an integer, by platform
}

void count_command() {
  ++dry_log().commands;
  dry_log().unlabelled += dry_log().open_labels == 0;
}

// Stands in for commands, which are counted whatever their arguments are.
template <class Function>
struct Counted;
template <class... Arguments>
struct Counted<void(VKAPI_PTR*)(VkCommandBuffer, Arguments...)> {
  static VKAPI_ATTR void VKAPI_CALL call(VkCommandBuffer, Arguments...) { count_command(); }
};
// Stands in for functions that return what they made.
template <class Function>
struct Ignored;
template <class... Arguments>
struct Ignored<void(VKAPI_PTR*)(VkDevice, Arguments...)> {
  static VKAPI_ATTR void VKAPI_CALL call(VkDevice, Arguments...) {}
};

template <class Info, class Handle>
VKAPI_ATTR VkResult VKAPI_CALL create(VkDevice, const Info*, const VkAllocationCallbacks*,
                                      Handle* handle) {
  *handle = some_handle<Handle>();
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice, VkPipelineCache, std::uint32_t,
                                                const VkComputePipelineCreateInfo*,
                                                const VkAllocationCallbacks*,
                                                VkPipeline* pipeline) {
  const bool fails = dry_log().pipelines < 0;
  *pipeline = fails ? VK_NULL_HANDLE : some_handle<VkPipeline>();
  dry_log().pipelines_created += !fails;
  return dry_log().pipelines;
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL address_of(VkDevice, const VkBufferDeviceAddressInfo*) {
  return 4096;
}
VKAPI_ATTR void VKAPI_CALL memory_of(VkDevice, VkBuffer, VkMemoryRequirements* memory) {
  *memory = {.size = 4096, .alignment = 64, .memoryTypeBits = 1};
}

VKAPI_ATTR void VKAPI_CALL begin_label(VkCommandBuffer, const VkDebugUtilsLabelEXT* label) {
  if (dry_log().open_labels++ == 0) dry_log().labels.emplace_back(label->pLabelName);
}
VKAPI_ATTR void VKAPI_CALL end_label(VkCommandBuffer) {
  if (dry_log().open_labels-- == 0) ++dry_log().ended_too_often;
}
VKAPI_ATTR VkResult VKAPI_CALL set_name(VkDevice, const VkDebugUtilsObjectNameInfoEXT*) {
  return VK_SUCCESS;
}

PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice, const char* name) {
#define VKPRIMS_DRY(vk_name, function) \
  if (!std::strcmp(name, #vk_name)) return reinterpret_cast<PFN_vkVoidFunction>(function);
#define VKPRIMS_COUNTED(vk_name) VKPRIMS_DRY(vk_name, Counted<PFN_##vk_name>::call)
#define VKPRIMS_IGNORED(vk_name) VKPRIMS_DRY(vk_name, Ignored<PFN_##vk_name>::call)
  VKPRIMS_DRY(vkCreateShaderModule, (create<VkShaderModuleCreateInfo, VkShaderModule>))
  VKPRIMS_DRY(vkCreatePipelineLayout, (create<VkPipelineLayoutCreateInfo, VkPipelineLayout>))
  VKPRIMS_DRY(vkCreateComputePipelines, create_pipelines)
  VKPRIMS_IGNORED(vkDestroyShaderModule)
  VKPRIMS_IGNORED(vkDestroyPipelineLayout)
  VKPRIMS_IGNORED(vkDestroyPipeline)
  VKPRIMS_DRY(vkGetBufferDeviceAddress, address_of)
  VKPRIMS_DRY(vkGetBufferMemoryRequirements, memory_of)
  VKPRIMS_COUNTED(vkCmdBindPipeline)
  VKPRIMS_COUNTED(vkCmdPushConstants)
  VKPRIMS_COUNTED(vkCmdDispatch)
  VKPRIMS_COUNTED(vkCmdDispatchIndirect)
  VKPRIMS_COUNTED(vkCmdPipelineBarrier)
  VKPRIMS_COUNTED(vkCmdFillBuffer)
  VKPRIMS_COUNTED(vkCmdUpdateBuffer)
  return nullptr;
}

PFN_vkVoidFunction VKAPI_CALL get_instance_proc_addr(VkInstance instance, const char* name) {
  VKPRIMS_DRY(vkGetDeviceProcAddr, get_device_proc_addr)
  VKPRIMS_DRY(vkCmdBeginDebugUtilsLabelEXT, begin_label)
  VKPRIMS_DRY(vkCmdEndDebugUtilsLabelEXT, end_label)
  VKPRIMS_DRY(vkSetDebugUtilsObjectNameEXT, set_name)
#undef VKPRIMS_IGNORED
#undef VKPRIMS_COUNTED
#undef VKPRIMS_DRY
  return context().get_instance_proc_addr()(instance, name);
}

}  // namespace

DryLog& dry_log() {
  static DryLog log;
  return log;
}

Device dry_device(PipelinePolicy policy, const Tuning& tuning) {
  DeviceInfo info;
  info.instance = context().instance();
  info.physical_device = context().physical_device();
  info.device = context().vk_device();
  info.get_instance_proc_addr = get_instance_proc_addr;
  info.enabled = context().device().features();
  info.pipelines = policy;
  info.tuning = tuning;
  Device device;
  throw_if_error(create_device(info, limits(), device));
  return device;
}

VkCommandBuffer dry_commands() { return some_handle<VkCommandBuffer>(); }

}  // namespace vkprims::test

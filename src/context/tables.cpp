#include "tables.hpp"

#include "vkprims/context.hpp"

namespace vkprims {
namespace {

template <class F>
void set(F& function, PFN_vkVoidFunction found, const char* name) {
  function = reinterpret_cast<F>(found);
  if (!found) {
    throw Error(Status::error(Status::unsupported,
                              "%s cannot be loaded; vkprims needs a Vulkan 1.2 loader and driver",
                              name));
  }
}

}  // namespace

void GlobalTable::load(PFN_vkGetInstanceProcAddr get_proc) {
#define VKPRIMS_LOAD(name) set(name, get_proc(VK_NULL_HANDLE, #name), #name);
  VKPRIMS_CONTEXT_GLOBAL_FUNCTIONS(VKPRIMS_LOAD)
#undef VKPRIMS_LOAD
}

void InstanceTable::load(PFN_vkGetInstanceProcAddr get_proc, VkInstance instance) {
#define VKPRIMS_LOAD(name) set(name, get_proc(instance, #name), #name);
  VKPRIMS_CONTEXT_INSTANCE_FUNCTIONS(VKPRIMS_LOAD)
#undef VKPRIMS_LOAD
#define VKPRIMS_LOAD(name) name = reinterpret_cast<PFN_##name>(get_proc(instance, #name));
  VKPRIMS_CONTEXT_OPTIONAL_FUNCTIONS(VKPRIMS_LOAD)
#undef VKPRIMS_LOAD
}

void DeviceTable::load(PFN_vkGetDeviceProcAddr get_proc, VkDevice device) {
#define VKPRIMS_LOAD(name) set(name, get_proc(device, #name), #name);
  VKPRIMS_CONTEXT_DEVICE_FUNCTIONS(VKPRIMS_LOAD)
#undef VKPRIMS_LOAD
}

}  // namespace vkprims

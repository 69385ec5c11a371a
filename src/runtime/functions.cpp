#include "runtime/functions.hpp"

namespace vkprims {

const char* Functions::load_instance(PFN_vkGetInstanceProcAddr get_proc, VkInstance instance) {
#define VKPRIMS_LOAD(name)                                        \
  name = reinterpret_cast<PFN_##name>(get_proc(instance, #name)); \
  if (!name) return #name;
  VKPRIMS_INSTANCE_FUNCTIONS(VKPRIMS_LOAD)
#undef VKPRIMS_LOAD
  return nullptr;
}

const char* Functions::load_device(PFN_vkGetInstanceProcAddr get_proc, VkInstance instance,
                                   VkDevice device) {
#define VKPRIMS_LOAD(name)                                                 \
  name = reinterpret_cast<PFN_##name>(vkGetDeviceProcAddr(device, #name)); \
  if (!name) return #name;
  VKPRIMS_DEVICE_FUNCTIONS(VKPRIMS_LOAD)
#undef VKPRIMS_LOAD
  // These are loaded through the instance: some device tables return functions of extensions that
  // are not enabled.
#define VKPRIMS_LOAD(name) name = reinterpret_cast<PFN_##name>(get_proc(instance, #name));
  VKPRIMS_OPTIONAL_FUNCTIONS(VKPRIMS_LOAD)
#undef VKPRIMS_LOAD
  return nullptr;
}

}  // namespace vkprims

// volk is compiled here with all of its symbols renamed (VkprimsVolk.cmake). Nothing else includes
// it: its function pointers are global, and so serve one instance and one device of a process at
// most. The library only needs to learn from it where each platform keeps its loader.
#include "volk_names.hpp"
#define VOLK_IMPLEMENTATION
#include <volk.h>

#include "loader.hpp"

namespace vkprims {

PFN_vkGetInstanceProcAddr system_loader() {
  static const PFN_vkGetInstanceProcAddr get_proc =
      volkInitialize() == VK_SUCCESS ? vkGetInstanceProcAddr : nullptr;
  return get_proc;
}

}  // namespace vkprims

// A vkGetInstanceProcAddr that watches what the library loads and records.
#pragma once

#include <string>
#include <vector>

#include "support/hazards.hpp"

namespace vkprims::test {

struct Spy {
  /// The function behind the spy's, which at first is the loader's.
  PFN_vkGetInstanceProcAddr get_instance_proc_addr;
  std::vector<std::string> loaded;    ///< names asked for, in order
  std::vector<std::string> recorded;  ///< vkCmd* calls since clear()
  HazardChecker hazards;
  int barriers = 0;
  VkPipelineStageFlags barrier_to = 0;    ///< stages that the last barrier holds back
  VkAccessFlags barrier_to_accesses = 0;  ///< and their accesses
  int skip_barrier = -1;  ///< fault injection: the barrier of this number is not recorded
  int pipelines_created = 0;
  bool keep_log = true;  ///< records names, which allocates

  void clear() {
    recorded.clear();
    hazards.reset();
    barriers = 0;
    skip_barrier = -1;
  }
};

/// There is one per process, since Vulkan functions carry no user pointer. It is not for use from
/// several threads.
Spy& spy();

/// Wraps Spy::get_instance_proc_addr; the functions that it returns report to spy().
PFN_vkVoidFunction VKAPI_CALL spying_get_instance_proc_addr(VkInstance instance, const char* name);

/// Sets the observer of a Device made with the spying function.
void observe(const Device& device);

}  // namespace vkprims::test

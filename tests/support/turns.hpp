// Counts the turns that invocations make in loops. No loop may be as long as the data, whatever the
// data are; work that takes more than kMostTurns turns needs several invocations.
//
// In a run with VKPRIMS_TEST_TURNS=1, every shader module is rewritten on its way to the driver, so
// that no loop can be forgotten and no kernel needs code for this. An invocation counts the turns
// of all its loops together, except those that are to be unrolled, and at its end updates the
// module's largest number.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vkprims::test {

/// The most turns that an invocation may make.
inline constexpr std::uint32_t kMostTurns = 4096;

/// Says whether this run counts turns.
bool counts_turns();

/// Wraps the loader's function, so that modules are rewritten where turns are counted.
PFN_vkVoidFunction VKAPI_CALL counting_get_instance_proc_addr(VkInstance instance,
                                                              const char* name);

/// Returns the module rewritten to count in the word at `counter`.
std::vector<std::uint32_t> with_turns_counted(std::span<const std::uint32_t> words,
                                              VkDeviceAddress counter);

/// Calls `create` with the module of `info` or, where turns are counted, with its rewritten form.
VkResult create_counted_module(PFN_vkCreateShaderModule create, VkDevice device,
                               const VkShaderModuleCreateInfo& info,
                               const VkAllocationCallbacks* allocator, VkShaderModule* module);

/// The most turns of an invocation since the last call, and its module ("" if no module made any).
struct Turns {
  std::uint32_t most = 0;
  std::string module;
};
Turns take_turns();
/// Resets the counts, because the work so far may take more turns; `why` is the reason.
void forgive_turns(const char* why);

/// Returns how many test cases had a module with more than kMostTurns.
int cases_with_too_many_turns();

}  // namespace vkprims::test

// Counts the turns that invocations make in loops: no loop may be as long as the data, whatever these are. What takes more
// than kMostTurns is work for a team.
//
// Every shader module that is created in a run with VKPRIMS_TEST_TURNS=1 is rewritten on its way to the driver, so that
// no loop can be forgotten and no kernel knows of it: an invocation counts the turns of all its loops together, but for
// those that are to be unrolled, and when it ends the module keeps the largest number.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vkprims::test {

/// Turns that an invocation may make.
inline constexpr std::uint32_t kMostTurns = 4096;

/// Whether this run counts.
bool counts_turns();

/// The loader's function, but modules are rewritten where turns are counted.
PFN_vkVoidFunction VKAPI_CALL counting_get_instance_proc_addr(VkInstance instance,
                                                              const char* name);

/// The module that counts in the word at `counter`.
std::vector<std::uint32_t> with_turns_counted(std::span<const std::uint32_t> words,
                                              VkDeviceAddress counter);

/// Calls `create` with the module of `info`, or where turns are counted with one that counts its own.
VkResult create_counted_module(PFN_vkCreateShaderModule create, VkDevice device,
                               const VkShaderModuleCreateInfo& info,
                               const VkAllocationCallbacks* allocator, VkShaderModule* module);

/// The most turns of an invocation since the last call, and of which module ("" if none has made any).
struct Turns {
  std::uint32_t most = 0;
  std::string module;
};
Turns take_turns();
/// Forgets them: what was done may take more, for a reason that is said here.
void forgive_turns(const char* why);

/// How many test cases had a module with more than kMostTurns.
int cases_with_too_many_turns();

}  // namespace vkprims::test

#include "device_checks.hpp"

#include <algorithm>

#include "spirv/litmus.hpp"
#include "spirv/trap_device_scope.hpp"
#include "spirv/trap_loop.hpp"
#include "spirv/trap_shared_loop.hpp"
#include "spirv/trap_subgroup_barrier.hpp"

namespace vkprims::bench {
namespace {

constexpr std::uint32_t kGroup = 128;  // every device allows it

Litmus litmus(Session& session, const Spirv& spirv) {
  constexpr std::uint32_t kPlaces = 65536;
  Context& context = session.context();
  const std::uint32_t group =
      std::min(256u, context.properties().limits.maxComputeWorkGroupInvocations);
  const Kernel kernel(context, session.vk(), spirv, {group});
  auto data = context.upload(std::vector<std::uint32_t>(kPlaces));
  auto flags = context.upload(std::vector<std::uint32_t>(kPlaces));
  const std::uint32_t submissions = session.is_gpu() ? 8 : 2;
  const std::uint32_t rounds = session.is_gpu() ? 2000 : 25;

  Litmus result;
  std::uint32_t round = 0;
  for (std::uint32_t s = 0; s < submissions; ++s) {
    auto counters = context.upload(std::vector<std::uint32_t>(2));
    context.run([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) {
        for (std::uint32_t i = 0; i < rounds; ++i) {
          ++round;
          full_barrier(session.vk(), cmd);
          kernel.dispatch(
              cmd, kPlaces / group,
              {low(data.address()), high(data.address()), low(flags.address()),
               high(flags.address()), low(counters.address()), high(counters.address()), round});
        }
      });
    });
    const std::vector<std::uint32_t> counted = context.download(counters);
    result.seen += counted[0];
    result.stale += counted[1];
  }
  return result;
}

// Runs one workgroup of a trap's kernel on `in`, and returns the words that it wrote.
std::vector<std::uint32_t> run_trap(Context& context, const VulkanFunctions& vk, const Spirv& spirv,
                                    const std::vector<std::uint32_t>& in,
                                    const std::vector<std::uint32_t>& out) {
  const Kernel kernel(context, vk, spirv, {kGroup});
  const auto in_buffer = context.upload(in);
  const auto out_buffer = context.upload(out);
  context.run([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      kernel.dispatch(cmd, 1,
                      {low(out_buffer.address()), high(out_buffer.address()),
                       low(in_buffer.address()), high(in_buffer.address())});
    });
  });
  return context.download(out_buffer);
}

const char* present_if(bool present) { return present ? "present" : "absent"; }

// A second VkDevice, which has device scope enabled. The library's own Context never has.
struct DeviceScopeDevice {
  explicit DeviceScopeDevice(Session& session)
      : vk(session.vk()), features(session.device().features()) {
    Context& context = session.context();
    VkPhysicalDeviceVulkanMemoryModelFeatures model{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
        .vulkanMemoryModel = VK_TRUE,
        .vulkanMemoryModelDeviceScope = VK_TRUE};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue_info{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                             .queueFamilyIndex = context.queue_family(),
                                             .queueCount = 1,
                                             .pQueuePriorities = &priority};
    VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                            .pNext = &model,
                            .queueCreateInfoCount = 1,
                            .pQueueCreateInfos = &queue_info};
    std::vector<const char*> extensions;
    features.merge_into(info, extensions);
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    check_vk(vk.vkCreateDevice(context.physical_device(), &info, nullptr, &device),
             "vkCreateDevice");
  }
  ~DeviceScopeDevice() {
    // This goes through the device's own table: the other one's functions belong to the other
    // device.
    reinterpret_cast<PFN_vkDestroyDevice>(vk.vkGetDeviceProcAddr(device, "vkDestroyDevice"))(
        device, nullptr);
  }
  DeviceScopeDevice(const DeviceScopeDevice&) = delete;
  DeviceScopeDevice& operator=(const DeviceScopeDevice&) = delete;

  const VulkanFunctions& vk;
  Features features;
  VkDevice device = VK_NULL_HANDLE;
};

}  // namespace

Litmus litmus_with_fences(Session& session) { return litmus(session, spirv::litmus_fence); }
Litmus litmus_with_atomics(Session& session) { return litmus(session, spirv::litmus_atomic); }
Litmus litmus_control(Session& session) { return litmus(session, spirv::litmus_relaxed); }

std::string trap_loop_limit(Session& session) {
  const auto words =
      run_trap(session.context(), session.vk(), spirv::trap_loop, {0}, {1, 1, 1, 1, 0});
  return present_if(words[4] != 300 * 300);
}

std::string trap_shared_in_uneven_loop(Session& session) {
  const auto words = run_trap(session.context(), session.vk(), spirv::trap_shared_loop, {1},
                              std::vector<std::uint32_t>(kGroup));
  return present_if(std::count(words.begin(), words.end(), 1u) != kGroup);
}

std::string trap_subgroup_barrier(Session& session) {
  constexpr std::uint32_t kTurns = 8;
  const auto words = run_trap(session.context(), session.vk(), spirv::trap_subgroup_barrier,
                              {kTurns}, std::vector<std::uint32_t>(kGroup));
  // The invocations of subgroup 0 must all have made all turns, or none of them; the others have
  // not begun.
  return present_if(std::count(words.begin(), words.end(), 0u) +
                            std::count(words.begin(), words.end(), kTurns) !=
                        kGroup ||
                    std::count(words.begin(), words.end(), kTurns) == 0);
}

std::string trap_device_scope(Session& session) {
  Context& context = session.context();
  VkPhysicalDeviceVulkanMemoryModelFeatures model{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES};
  VkPhysicalDeviceFeatures2 all{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                .pNext = &model};
  session.vk().vkGetPhysicalDeviceFeatures2(context.physical_device(), &all);
  if (!model.vulkanMemoryModelDeviceScope) return "not tested: no vulkanMemoryModelDeviceScope";

  try {
    const DeviceScopeDevice scoped(session);
    Adopt adopt{.instance = context.instance(),
                .physical_device = context.physical_device(),
                .device = scoped.device,
                .queue_family = context.queue_family(),
                .get_instance_proc_addr = context.get_instance_proc_addr(),
                .enabled = scoped.features};
    session.vk().vkGetDeviceQueue(scoped.device, context.queue_family(), 0, &adopt.queue);
    Context second(adopt);
    const VulkanFunctions vk(second);
    const auto words =
        run_trap(second, vk, spirv::trap_device_scope, {0}, std::vector<std::uint32_t>(kGroup));
    // A word that is not written is one that was dropped.
    return present_if(std::count(words.begin(), words.end(), 0u) != 0);
  } catch (const Error& error) {
    return std::string("not tested: ") + error.what();
  }
}

}  // namespace vkprims::bench

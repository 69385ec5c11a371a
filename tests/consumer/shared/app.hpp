// A small Vulkan application. It owns an instance, device, memory and command buffer, and lends
// them to the library. It calls Vulkan by the names vkX, which are prototypes of the loader or,
// with VK_NO_PROTOTYPES, the variables of the application's own volk.
#pragma once

#ifdef VK_NO_PROTOTYPES
#include <volk.h>
#else
#include <vulkan/vulkan.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "vkprims/device.hpp"
#include "vkprims/spirv.hpp"

#ifdef __GNUC__  // members of Vulkan's structures are left zero on purpose
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif

inline void check(const vkprims::Status& status) {
  if (status) return;
  std::fprintf(stderr, "FAILED: %s\n", status.message());
  std::exit(1);
}
inline void check(VkResult result, const char* call) { check(vkprims::Status::from(result, call)); }
inline void check(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "FAILED: %s\n", what);
  std::exit(1);
}

/// A buffer in memory that the host sees.
struct Memory {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::uint32_t* words = nullptr;
  VkDeviceSize bytes = 0;
};

/// A compute pipeline of the application; it has push constants only.
struct Kernel {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
};

struct App {
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::uint32_t family = 0;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer cmd = VK_NULL_HANDLE;
  vkprims::Features features;
  vkprims::Device prims;

  App() {
#ifdef VK_NO_PROTOTYPES
    check(volkInitialize(), "volkInitialize");
#endif
    create_instance();
    create_device();
    create_commands();
    check(vkprims::Device::create({.instance = instance,
                                   .physical_device = physical,
                                   .device = device,
                                   .get_instance_proc_addr = vkGetInstanceProcAddr,
                                   .enabled = features},
                                  prims));
  }
  App(const App&) = delete;
  ~App() {
    prims = {};
    for (const Memory& m : memory_) {
      vkDestroyBuffer(device, m.buffer, nullptr);
      vkFreeMemory(device, m.memory, nullptr);
    }
    for (const Kernel& k : kernels_) {
      vkDestroyPipeline(device, k.pipeline, nullptr);
      vkDestroyPipelineLayout(device, k.layout, nullptr);
    }
    vkDestroyCommandPool(device, pool, nullptr);
    vkDestroyDevice(device, nullptr);
    vkDestroyInstance(instance, nullptr);
  }

  Memory allocate(VkDeviceSize bytes, VkBufferUsageFlags usage = vkprims::kScratchBufferUsage) {
    Memory m{.bytes = bytes};
    const VkBufferCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = bytes, .usage = usage};
    check(vkCreateBuffer(device, &info, nullptr, &m.buffer), "vkCreateBuffer");
    VkMemoryRequirements need;
    vkGetBufferMemoryRequirements(device, m.buffer, &need);
    const VkMemoryAllocateFlagsInfo flags{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                          .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo allocation{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .pNext = &flags,
                                          .allocationSize = need.size,
                                          .memoryTypeIndex = host_type(need.memoryTypeBits)};
    check(vkAllocateMemory(device, &allocation, nullptr, &m.memory), "vkAllocateMemory");
    check(vkBindBufferMemory(device, m.buffer, m.memory, 0), "vkBindBufferMemory");
    void* mapped = nullptr;
    check(vkMapMemory(device, m.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
    m.words = static_cast<std::uint32_t*>(mapped);
    memory_.push_back(m);
    return m;
  }
  vkprims::BufferView view(const Memory& m) const {
    return vkprims::view(prims, m.buffer, 0, m.bytes);
  }
  vkprims::Scratch scratch(const vkprims::ScratchNeed& need) {
    return need.bytes ? vkprims::scratch_view(prims, allocate(need.bytes).buffer, 0, need.bytes)
                      : vkprims::Scratch{};
  }

  /// `constants` are the values of specialization constants 0, 1, 2 …
  Kernel kernel(const vkprims::Spirv& spirv, const std::vector<std::uint32_t>& constants) {
    Kernel k;
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, 128};
    const VkPipelineLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .pushConstantRangeCount = 1,
                                            .pPushConstantRanges = &range};
    check(vkCreatePipelineLayout(device, &layout, nullptr, &k.layout), "vkCreatePipelineLayout");
    const std::vector<std::uint32_t> words = vkprims::words_of(spirv);
    const VkShaderModuleCreateInfo code{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                        .codeSize = spirv.bytes,
                                        .pCode = words.data()};
    VkShaderModule module = VK_NULL_HANDLE;
    check(vkCreateShaderModule(device, &code, nullptr, &module), "vkCreateShaderModule");
    std::vector<VkSpecializationMapEntry> entries;
    for (std::uint32_t i = 0; i < constants.size(); ++i) entries.push_back({i, 4 * i, 4});
    const VkSpecializationInfo values{static_cast<std::uint32_t>(entries.size()), entries.data(),
                                      4 * constants.size(), constants.data()};
    const VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &values},
        .layout = k.layout};
    check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &k.pipeline),
          "vkCreateComputePipelines");
    vkDestroyShaderModule(device, module, nullptr);
    kernels_.push_back(k);
    return k;
  }
  template <class Push>
  void dispatch(const Kernel& k, const Push& push, std::uint32_t groups) {
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, k.pipeline);
    vkCmdPushConstants(cmd, k.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
    vkCmdDispatch(cmd, groups, 1, 1);
  }

  /// Records, submits and waits; then the host may read what shaders wrote.
  template <class Record>
  void run(Record&& record) {
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
    record(cmd);
    const VkMemoryBarrier to_host{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                         1, &to_host, 0, nullptr, 0, nullptr);
    check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
    const VkSubmitInfo submit{
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
    check(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
  }

 private:
  void create_instance() {
    const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                        .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .pApplicationInfo = &application};
    check(vkCreateInstance(&info, nullptr, &instance), "vkCreateInstance");
#ifdef VK_NO_PROTOTYPES
    volkLoadInstance(instance);
#endif
  }

  void create_device() {
    std::uint32_t count = 16;
    VkPhysicalDevice devices[16];
    check(vkEnumeratePhysicalDevices(instance, &count, devices), "vkEnumeratePhysicalDevices");
    vkprims::Status why = vkprims::Status::error(vkprims::Status::unsupported, "no Vulkan device");
    for (std::uint32_t i = 0; i < count && !physical; ++i) {
      why = vkprims::query_features(vkGetInstanceProcAddr, instance, devices[i], features);
      if (why) physical = devices[i];
    }
    check(why);
    std::uint32_t families = 16;
    VkQueueFamilyProperties properties[16];
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &families, properties);
    while (family < families && !(properties[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) ++family;
    check(family < families, "no compute queue");

    // The application enables a feature of its own, in a structure into which the library's are
    // merged.
    VkPhysicalDeviceVulkan12Features own{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .timelineSemaphore = VK_TRUE};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue_info{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                             .queueFamilyIndex = family,
                                             .queueCount = 1,
                                             .pQueuePriorities = &priority};
    VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                            .pNext = &own,
                            .queueCreateInfoCount = 1,
                            .pQueueCreateInfos = &queue_info};
    std::vector<const char*> extensions;
    features.merge_into(info, extensions);
    check(own.bufferDeviceAddress && own.timelineSemaphore, "features were not merged");
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    check(vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice");
    vkGetDeviceQueue(device, family, 0, &queue);
  }

  void create_commands() {
    const VkCommandPoolCreateInfo pool_info{
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = family};
    check(vkCreateCommandPool(device, &pool_info, nullptr, &pool), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo cmd_info{
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    check(vkAllocateCommandBuffers(device, &cmd_info, &cmd), "vkAllocateCommandBuffers");
  }

  std::uint32_t host_type(std::uint32_t allowed) const {
    constexpr VkMemoryPropertyFlags kHost =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
      if ((allowed >> i & 1) && (memory.memoryTypes[i].propertyFlags & kHost) == kHost) return i;
    }
    check(false, "no host-visible memory");
    return 0;
  }

  std::vector<Memory> memory_;
  std::vector<Kernel> kernels_;
};

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

// The library inside an application that owns everything: instance, device, memory, command buffer.
//
// One command buffer records a = 0, 1, 2, …; b = a; b = b * b by a kernel of the application; and
// the sum of b.
#include <vulkan/vulkan.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "spirv/square.hpp"
#include "vkprims/vkprims.hpp"

namespace {

void check(const vkprims::Status& status) {
  if (status) return;
  std::fprintf(stderr, "embed_minimal: %s\n", status.message());
  std::exit(1);
}
void check(VkResult result, const char* call) { check(vkprims::Status::from(result, call)); }

struct Gpu {
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::uint32_t family = 0;
  vkprims::Features features;  // what the library uses of the device
};

// Chooses the first device that the library accepts. Graphics queues are compute queues, too.
void choose_device(Gpu& gpu) {
  std::uint32_t count = 16;
  VkPhysicalDevice devices[16];
  check(vkEnumeratePhysicalDevices(gpu.instance, &count, devices), "vkEnumeratePhysicalDevices");
  vkprims::Status why = vkprims::Status::error(vkprims::Status::unsupported, "no Vulkan device");
  for (std::uint32_t i = 0; i < count && !gpu.physical; ++i) {
    why = vkprims::query_features(vkGetInstanceProcAddr, gpu.instance, devices[i], gpu.features);
    if (why) gpu.physical = devices[i];
  }
  check(why);
  std::uint32_t families = 16;
  VkQueueFamilyProperties properties[16];
  vkGetPhysicalDeviceQueueFamilyProperties(gpu.physical, &families, properties);
  while (gpu.family < families && !(properties[gpu.family].queueFlags & VK_QUEUE_COMPUTE_BIT)) {
    ++gpu.family;
  }
}

Gpu create_gpu() {
  Gpu gpu;
  const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                      .apiVersion = VK_API_VERSION_1_2};
  const VkInstanceCreateInfo instance{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                      .pApplicationInfo = &application};
  check(vkCreateInstance(&instance, nullptr, &gpu.instance), "vkCreateInstance");
  choose_device(gpu);

  const float priority = 1;
  const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueFamilyIndex = gpu.family,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority};
  // The application's own features and extensions would be listed here; the library's are added.
  VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                          .queueCreateInfoCount = 1,
                          .pQueueCreateInfos = &queue};
  std::vector<const char*> extensions;
  gpu.features.merge_into(info, extensions);
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  check(vkCreateDevice(gpu.physical, &info, nullptr, &gpu.device), "vkCreateDevice");
  vkGetDeviceQueue(gpu.device, gpu.family, 0, &gpu.queue);
  return gpu;
}

// One block of memory that the host can see, with one buffer for everything.
struct Block {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  const std::uint32_t* words = nullptr;
};

Block create_block(const Gpu& gpu, VkDeviceSize bytes) {
  Block block;
  const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                .size = bytes,
                                .usage = vkprims::kScratchBufferUsage};
  check(vkCreateBuffer(gpu.device, &info, nullptr, &block.buffer), "vkCreateBuffer");
  VkMemoryRequirements need;
  vkGetBufferMemoryRequirements(gpu.device, block.buffer, &need);
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(gpu.physical, &memory);
  constexpr VkMemoryPropertyFlags kHost =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  std::uint32_t type = 0;  // the specification promises one that fits
  while (!(need.memoryTypeBits >> type & 1) ||
         (memory.memoryTypes[type].propertyFlags & kHost) != kHost) {
    ++type;
  }
  const VkMemoryAllocateFlagsInfo flags{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  const VkMemoryAllocateInfo allocation{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                        .pNext = &flags,
                                        .allocationSize = need.size,
                                        .memoryTypeIndex = type};
  check(vkAllocateMemory(gpu.device, &allocation, nullptr, &block.memory), "vkAllocateMemory");
  check(vkBindBufferMemory(gpu.device, block.buffer, block.memory, 0), "vkBindBufferMemory");
  void* mapped = nullptr;
  check(vkMapMemory(gpu.device, block.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  block.words = static_cast<const std::uint32_t*>(mapped);
  return block;
}

// The application's own kernel; its push constants are those of square.comp.
struct SquarePush {
  VkDeviceAddress x;
  std::uint32_t count;
};
struct Kernel {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
};

Kernel create_kernel(const Gpu& gpu, const vkprims::Spirv& spirv) {
  Kernel kernel;
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(SquarePush)};
  const VkPipelineLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .pushConstantRangeCount = 1,
                                          .pPushConstantRanges = &range};
  check(vkCreatePipelineLayout(gpu.device, &layout, nullptr, &kernel.layout),
        "vkCreatePipelineLayout");
  const std::vector<std::uint32_t> words = vkprims::words_of(spirv);
  const VkShaderModuleCreateInfo code{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                      .codeSize = spirv.bytes,
                                      .pCode = words.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  check(vkCreateShaderModule(gpu.device, &code, nullptr, &module), "vkCreateShaderModule");
  const VkComputePipelineCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main"},
      .layout = kernel.layout};
  check(vkCreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &kernel.pipeline),
        "vkCreateComputePipelines");
  vkDestroyShaderModule(gpu.device, module, nullptr);
  return kernel;
}

}  // namespace

int main() {
  constexpr std::uint32_t kCount = 300000;
  constexpr VkDeviceSize kBytes = 4 * kCount;
  Gpu gpu = create_gpu();
  const Kernel square = create_kernel(gpu, app::square);

  vkprims::Device prims;
  check(vkprims::Device::create({.instance = gpu.instance,
                                 .physical_device = gpu.physical,
                                 .device = gpu.device,
                                 .get_instance_proc_addr = vkGetInstanceProcAddr,
                                 .enabled = gpu.features},
                                prims));
  const vkprims::IotaDesc iota{.count = kCount};
  const vkprims::CopyDesc copy{.element_bytes = 4, .count = kCount};
  const vkprims::ReduceDesc reduce{.op = vkprims::Op::add, .count = kCount};
  const vkprims::ScratchNeed need = vkprims::reduce_scratch(prims, reduce);  // the others need none

  // a, b, scratch and the sum lie one after another. kBytes is a multiple of every alignment asked
  // for.
  const Block block = create_block(gpu, 2 * kBytes + need.bytes + 4);
  const vkprims::BufferView a = vkprims::view(prims, block.buffer, 0, kBytes);
  const vkprims::BufferView b = vkprims::view(prims, block.buffer, kBytes, kBytes);
  const vkprims::BufferView sum = vkprims::view(prims, block.buffer, 2 * kBytes + need.bytes, 4);
  const vkprims::Scratch scratch =
      vkprims::scratch_view(prims, block.buffer, 2 * kBytes, need.bytes);

  const VkCommandPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = gpu.family};
  VkCommandPool pool = VK_NULL_HANDLE;
  check(vkCreateCommandPool(gpu.device, &pool_info, nullptr, &pool), "vkCreateCommandPool");
  const VkCommandBufferAllocateInfo cmd_info{
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = pool,
      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      .commandBufferCount = 1};
  VkCommandBuffer cmd = VK_NULL_HANDLE;
  check(vkAllocateCommandBuffers(gpu.device, &cmd_info, &cmd), "vkAllocateCommandBuffers");

  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
  check(vkprims::record_iota(cmd, prims, iota, {.out = a}));
  check(vkprims::record_barrier(cmd, prims));
  check(vkprims::record_copy(cmd, prims, copy, {.in = a, .out = b}));
  check(vkprims::record_barrier(cmd, prims));
  const SquarePush push{b.address, kCount};
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, square.pipeline);
  vkCmdPushConstants(cmd, square.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
  vkCmdDispatch(cmd, (kCount + 63) / 64, 1, 1);
  check(vkprims::record_barrier(cmd, prims));
  check(vkprims::record_reduce(cmd, prims, reduce, {.in = b, .out = sum, .scratch = scratch}));
  const VkMemoryBarrier to_host{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                       &to_host, 0, nullptr, 0, nullptr);
  check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");

  const VkSubmitInfo submit{
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
  check(vkQueueSubmit(gpu.queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  check(vkQueueWaitIdle(gpu.queue), "vkQueueWaitIdle");

  std::uint32_t expected = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) expected += i * i;
  const std::uint32_t result = block.words[(2 * kBytes + need.bytes) / 4];
  std::printf("sum of squares below %u: %u, expected %u (both modulo 2^32)\n", kCount, result,
              expected);

  prims = {};  // before the device
  vkDestroyCommandPool(gpu.device, pool, nullptr);
  vkDestroyPipeline(gpu.device, square.pipeline, nullptr);
  vkDestroyPipelineLayout(gpu.device, square.layout, nullptr);
  vkDestroyBuffer(gpu.device, block.buffer, nullptr);
  vkFreeMemory(gpu.device, block.memory, nullptr);
  vkDestroyDevice(gpu.device, nullptr);
  vkDestroyInstance(gpu.instance, nullptr);
  return result == expected ? 0 : 1;
}

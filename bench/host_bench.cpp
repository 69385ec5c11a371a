// What the library costs on the host: recording, and the first use of a primitive.
#include <chrono>

#include "harness.hpp"
#include "vkprims/reduce.hpp"

namespace vkprims::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Owns a command buffer, which is never submitted.
struct CommandBuffer {
  explicit CommandBuffer(Session& session)
      : vk(session.vk()), device(session.context().vk_device()) {
    const VkCommandPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                            .queueFamilyIndex = session.context().queue_family()};
    check_vk(vk.vkCreateCommandPool(device, &pool_info, nullptr, &pool), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                           .commandPool = pool,
                                           .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                           .commandBufferCount = 1};
    check_vk(vk.vkAllocateCommandBuffers(device, &info, &cmd), "vkAllocateCommandBuffers");
  }
  ~CommandBuffer() { vk.vkDestroyCommandPool(device, pool, nullptr); }
  CommandBuffer(const CommandBuffer&) = delete;
  CommandBuffer& operator=(const CommandBuffer&) = delete;

  const VulkanFunctions& vk;
  VkDevice device;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer cmd = VK_NULL_HANDLE;
};

HostTimes time_recording(Session& session, std::uint64_t n) {
  constexpr int kBatches = 51, kPerBatch = 200;
  Context& context = session.context();
  const ReduceDesc desc{.type = Type::u32, .op = Op::add, .count = n};
  const auto in = context.allocate<std::uint32_t>(n);
  const auto out = context.allocate<std::uint32_t>(1);
  const auto scratch = session.allocate_scratch(reduce_scratch(session.device(), desc));
  const ReduceBuffers buffers{in.view(), out.view(), scratch.scratch};
  context.run([&](Recorder& r) {  // makes the pipelines
    r.commands([&](VkCommandBuffer cmd) {
      throw_if_error(record_reduce(cmd, session.device(), desc, buffers));
    });
  });

  const CommandBuffer commands(session);
  HostTimes times;
  for (int batch = 0; batch < kBatches; ++batch) {
    check_vk(commands.vk.vkResetCommandPool(commands.device, commands.pool, 0),
             "vkResetCommandPool");
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check_vk(commands.vk.vkBeginCommandBuffer(commands.cmd, &begin), "vkBeginCommandBuffer");
    const auto start = Clock::now();
    for (int i = 0; i < kPerBatch; ++i)
      throw_if_error(record_reduce(commands.cmd, session.device(), desc, buffers));
    times.samples.push_back(seconds_since(start) / kPerBatch);
    check_vk(commands.vk.vkEndCommandBuffer(commands.cmd), "vkEndCommandBuffer");
  }
  return times;
}

// Returns the seconds of the first record_reduce() with a new Device.
double first_use(Session& session, VkPipelineCache cache) {
  Context& context = session.context();
  Device device;
  throw_if_error(Device::create({.instance = context.instance(),
                                 .physical_device = context.physical_device(),
                                 .device = context.vk_device(),
                                 .get_instance_proc_addr = context.get_instance_proc_addr(),
                                 .enabled = session.device().features(),
                                 .pipeline_cache = cache},
                                device));
  const ReduceDesc desc{.type = Type::u32, .op = Op::add, .count = 1 << 20};
  const auto in = context.allocate<std::uint32_t>(1 << 20);
  const auto out = context.allocate<std::uint32_t>(1);
  const auto scratch = session.allocate_scratch(reduce_scratch(device, desc));
  const CommandBuffer commands(session);
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  check_vk(commands.vk.vkBeginCommandBuffer(commands.cmd, &begin), "vkBeginCommandBuffer");
  const auto start = Clock::now();
  throw_if_error(
      record_reduce(commands.cmd, device, desc, {in.view(), out.view(), scratch.scratch}));
  const double seconds = seconds_since(start);
  check_vk(commands.vk.vkEndCommandBuffer(commands.cmd), "vkEndCommandBuffer");
  return seconds;
}

// Takes only one sample: a driver may keep what it compiled inside the process, or on disk.
HostTimes time_first_use_without_cache(Session& session, std::uint64_t) {
  return {{first_use(session, VK_NULL_HANDLE)}, 0};
}

HostTimes time_first_use_with_cache(Session& session, std::uint64_t) {
  const VulkanFunctions& vk = session.vk();
  const VkDevice device = session.context().vk_device();
  VkPipelineCache cache = VK_NULL_HANDLE;
  const VkPipelineCacheCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  check_vk(vk.vkCreatePipelineCache(device, &info, nullptr, &cache), "vkCreatePipelineCache");
  HostTimes times;
  try {
    first_use(session, cache);  // fills it
    for (int i = 0; i < 5; ++i) times.samples.push_back(first_use(session, cache));
  } catch (...) {
    vk.vkDestroyPipelineCache(device, cache, nullptr);
    throw;
  }
  vk.vkDestroyPipelineCache(device, cache, nullptr);
  return times;
}

// "first_use" sorts before "reduce": no other row has compiled these pipelines yet.
const RegisterOther kRows({
    {.name = "first_use/reduce_no_cache", .sizes = {1}, .host = time_first_use_without_cache},
    {.name = "first_use/reduce_warm_cache", .sizes = {1}, .host = time_first_use_with_cache},
    {.name = "record/reduce", .bytes_per_item = 4, .sizes = {1 << 20}, .host = time_recording},
});

}  // namespace
}  // namespace vkprims::bench

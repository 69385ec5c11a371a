// What several threads do at once. The thread sanitizer runs these tests (vkprims-threads-tests).
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <latch>
#include <thread>

#include "context/context_support.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

// This loader counts the pipelines that are made on any thread, and holds each one back until two
// are made at once (20 s at most).
std::atomic<int> pipelines_made = 0, in_the_making = 0;
std::atomic<bool> side_by_side = false;
PFN_vkGetDeviceProcAddr next_device_function = nullptr;
PFN_vkCreateComputePipelines next_create_pipelines = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL count_pipelines(VkDevice device, VkPipelineCache cache,
                                               std::uint32_t n,
                                               const VkComputePipelineCreateInfo* infos,
                                               const VkAllocationCallbacks* allocator,
                                               VkPipeline* pipelines) {
  pipelines_made += static_cast<int>(n);
  if (++in_the_making > 1) side_by_side = true;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!side_by_side && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  const VkResult result = next_create_pipelines(device, cache, n, infos, allocator, pipelines);
  --in_the_making;
  return result;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL counting_device_function(VkDevice device,
                                                                  const char* name) {
  const PFN_vkVoidFunction function = next_device_function(device, name);
  if (std::strcmp(name, "vkCreateComputePipelines")) return function;
  next_create_pipelines = reinterpret_cast<PFN_vkCreateComputePipelines>(function);
  return reinterpret_cast<PFN_vkVoidFunction>(count_pipelines);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL counting_function(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction function = context().get_instance_proc_addr()(instance, name);
  if (std::strcmp(name, "vkGetDeviceProcAddr")) return function;
  next_device_function = reinterpret_cast<PFN_vkGetDeviceProcAddr>(function);
  return reinterpret_cast<PFN_vkVoidFunction>(counting_device_function);
}

}  // namespace

TEST_CASE("threads: four threads compile what a WarmUp has noted, each pipeline once") {
  DeviceInfo info = context().device().state()->info;
  info.get_instance_proc_addr = counting_function;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  WarmUp warm;
  throw_if_error(WarmUp::create(d, warm));
  std::vector<std::function<Status(VkCommandBuffer, const Device&)>> calls;
  for (const Op op : {Op::add, Op::mul, Op::min, Op::max}) {
    for (const VkDeviceSize offset : {VkDeviceSize{0}, VkDeviceSize{4}}) {
      const ReduceDesc reduce{.op = op, .count = 1000};
      const ReduceBuffers views{warm.view(4000, offset), warm.view(4),
                                warm.scratch(reduce_scratch(d, reduce))};
      calls.push_back([=](VkCommandBuffer cmd, const Device& on) {
        return record_reduce(cmd, on, reduce, views);
      });
    }
  }
  // While some threads note calls, others may compile already.
  pipelines_made = 0;
  side_by_side = false;
  std::atomic<int> failures = 0;
  std::latch start(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!calls[(i + t) % calls.size()](VK_NULL_HANDLE, warm.device())) ++failures;
        if (t % 2 && !warm.compile(1)) ++failures;
      }
      if (!warm.compile()) ++failures;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(failures == 0);
  CHECK(warm.noted() == 8);
  CHECK(warm.compiled() == 8);
  CHECK(pipelines_made == 8);
  CHECK(side_by_side);
}

TEST_CASE("threads: two threads record with one Device into different command buffers") {
  DeviceInfo info = context().device().state()->info;  // without the spy, which is for one thread
  Device d;
  throw_if_error(create_device(info, limits(), d));
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(50'000, 21);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(8);
  const ReduceDesc desc{.count = values.size()};
  std::vector<Buffer<std::uint8_t>> scratch;
  std::vector<VkCommandBuffer> buffers(2);
  VkCommandPool pools[2];
  const auto load = [&](const char* name) {
    return context().get_instance_proc_addr()(context().instance(), name);
  };
  const auto create_pool = reinterpret_cast<PFN_vkCreateCommandPool>(load("vkCreateCommandPool"));
  const auto destroy_pool =
      reinterpret_cast<PFN_vkDestroyCommandPool>(load("vkDestroyCommandPool"));
  const auto allocate =
      reinterpret_cast<PFN_vkAllocateCommandBuffers>(load("vkAllocateCommandBuffers"));
  const auto begin = reinterpret_cast<PFN_vkBeginCommandBuffer>(load("vkBeginCommandBuffer"));
  const auto end = reinterpret_cast<PFN_vkEndCommandBuffer>(load("vkEndCommandBuffer"));
  const auto submit = reinterpret_cast<PFN_vkQueueSubmit>(load("vkQueueSubmit"));
  const auto wait = reinterpret_cast<PFN_vkQueueWaitIdle>(load("vkQueueWaitIdle"));
  for (int t = 0; t < 2; ++t) {
    scratch.push_back(context().allocate<std::uint8_t>(reduce_scratch(d, desc).bytes + 1));
    const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                       .queueFamilyIndex = context().queue_family()};
    REQUIRE(create_pool(context().vk_device(), &pool, nullptr, &pools[t]) == VK_SUCCESS);
    const VkCommandBufferAllocateInfo one{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .commandPool = pools[t],
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
    REQUIRE(allocate(context().vk_device(), &one, &buffers[t]) == VK_SUCCESS);
  }
  std::atomic<int> failures = 0;
  const auto record = [&](int t) {
    const VkCommandBufferBeginInfo info_begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    begin(buffers[t], &info_begin);
    for (std::uint64_t i = 0; i < 4; ++i) {
      // Both threads ask for the same pipelines at the same time.
      const Op op = static_cast<Op>(i);
      ReduceDesc mine = desc;
      mine.op = op;
      const BufferView result = out.slice(static_cast<std::uint64_t>(t) * 4 + i, 1).view();
      if (!record_reduce(
              buffers[t], d, mine,
              {in.view(), result, scratch_view(d, scratch[t].handle(), 0, scratch[t].size())}))
        ++failures;
      if (!record_barrier(buffers[t], d)) ++failures;
    }
    end(buffers[t]);
  };
  std::thread first(record, 0), second(record, 1);
  first.join();
  second.join();
  CHECK(failures == 0);
  const VkSubmitInfo info_submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 2,
                                 .pCommandBuffers = buffers.data()};
  REQUIRE(submit(context().queue(), 1, &info_submit, VK_NULL_HANDLE) == VK_SUCCESS);
  wait(context().queue());
  const auto results = context().download(out);
  for (int i = 0; i < 4; ++i) CHECK(results[i] == results[4 + i]);
  std::uint32_t sum = 0;
  for (const std::uint32_t v : values) sum += v;
  CHECK(results[0] == sum);
  for (const VkCommandPool pool : pools) destroy_pool(context().vk_device(), pool, nullptr);
}

TEST_CASE("threads: two Contexts work in one process, and in threads of their own at once") {
  Clean first;
  Clean second;
  check_works(first);
  check_works(second);
  std::atomic<int> wrong{0};
  const auto work = [&wrong](Context& context) {
    const Words values = counting(50000);
    const auto x = context.upload(values);
    const auto y = context.allocate<std::uint32_t>(1);
    for (int i = 0; i < 20; ++i) {
      context.run([&](Recorder& r) { reduce(r, {}, x, y); });
      if (context.download(y)[0] != 1250025000u) ++wrong;
    }
  };
  std::thread a([&] { work(first); });
  std::thread b([&] { work(second); });
  std::thread c([&] {
    Context third(plain());
    work(third);
  });
  a.join();
  b.join();
  c.join();
  CHECK(wrong == 0);
}

}  // namespace vkprims::test

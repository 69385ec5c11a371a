// This program is never run: only what the linker takes matters.
#include <vulkan/vulkan.h>

#include <cstdio>
#include <vector>

#ifdef WITH_VKPRIMS
#include "vkprims/vkprims.hpp"
#endif

int main() {
  VkDeviceCreateInfo info{};
  std::vector<const char*> extensions;
  VkCommandBuffer cmd = VK_NULL_HANDLE;
#ifdef WITH_VKPRIMS
  vkprims::Features features;
  vkprims::Device device;
  vkprims::Status status =
      vkprims::query_features(vkGetInstanceProcAddr, VK_NULL_HANDLE, VK_NULL_HANDLE, features);
  features.merge_into(info, extensions);
  status = vkprims::Device::create({}, device);
  const vkprims::ReduceDesc desc{.op = vkprims::Op::add, .count = 1000};
  status = vkprims::warm_up(device, desc);
  const vkprims::ScratchNeed need = vkprims::reduce_scratch(device, desc);
  const vkprims::Scratch scratch = vkprims::scratch_view(device, VK_NULL_HANDLE, 0, need.bytes);
  status = vkprims::record_reduce(cmd, device, desc, {.in = {}, .out = {}, .scratch = scratch});
  std::printf("%s\n", status.message());
#endif
  VkDevice created = VK_NULL_HANDLE;
  const VkResult result = vkCreateDevice(VK_NULL_HANDLE, &info, nullptr, &created);
  if (result == VK_SUCCESS) vkCmdDispatch(cmd, 1, 1, 1);
  std::printf("%d\n", static_cast<int>(result));
}

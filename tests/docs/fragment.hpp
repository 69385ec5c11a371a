// What the C++ blocks of the pages take for granted: the names that stand for a reader's own
// objects. tests/docs/commands compiles each page behind this file and runs nothing of it.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "vkprims/arrow.hpp"
#include "vkprims/context.hpp"
#include "vkprims/group_by_columns.hpp"
#include "vkprims/strings.hpp"
#include "vkprims/vkprims.hpp"

namespace fragment {

// A renderer's.
extern VkInstance instance;
extern VkPhysicalDevice physical;
extern VkDevice device;
extern VkDeviceCreateInfo device_info;
extern std::vector<const char*> extensions;
extern VkPipelineCache pipeline_cache;
extern VkCommandBuffer cmd, compute_cmd, graphics_cmd;
extern VkBuffer buffer, staging, scratch_buffer, args_buffer;
extern VkDeviceSize scratch_bytes, args_offset;
extern VkBufferCopy region;
extern VkRenderingInfo rendering;
extern VkPipeline pipeline;
extern VkPipelineLayout layout;
extern std::uint32_t compute_family, graphics_family, x;
extern std::uint64_t n;
struct Push {
  VkDeviceAddress address;
};
extern Push push;

// The library's, made earlier.
extern vkprims::Status s;
extern vkprims::Device dev;
extern vkprims::BufferView in, out, keys, sorted, a, b, c, d, args, count_view;
extern vkprims::Scratch scratch;
extern vkprims::ReduceDesc sum;
extern vkprims::ScanDesc scan;
extern vkprims::RadixSortDesc sort;
extern vkprims::IotaDesc iota;
extern vkprims::CopyDesc copy;
extern vkprims::SelectDesc select;
extern vkprims::SelectBuffers buffers;

// A program's without a renderer.
extern std::vector<float> values;
extern vkprims::Recorder& r;
extern vkprims::StringColumn names;

}  // namespace fragment

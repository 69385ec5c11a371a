// A Device on which recording costs nothing: no pipeline is compiled and no command reaches Vulkan. For promises about what
// every primitive says and records.
#pragma once

#include <string>
#include <vector>

#include "vkprims/device.hpp"

namespace vkprims::test {

struct DryLog {
  std::vector<std::string> labels;  ///< outermost ones, in order
  int open_labels = 0;              ///< begun and not ended
  int ended_too_often = 0;          ///< ends without a beginning
  int commands = 0;                 ///< other vkCmd* calls
  int unlabelled = 0;               ///< of these outside of any label
  VkResult pipelines = VK_SUCCESS;  ///< what vkCreateComputePipelines returns
  int pipelines_created = 0;
};

/// What Devices of dry_device() have recorded. Not for use from several threads.
DryLog& dry_log();

/// Made on the Context's handles, which it only asks for what the device can do.
Device dry_device(PipelinePolicy policy = PipelinePolicy::lazy, const Tuning& tuning = {});

/// Some command buffer: it goes nowhere.
VkCommandBuffer dry_commands();

}  // namespace vkprims::test

// A Device on which recording costs nothing: no pipeline is compiled and no command reaches Vulkan.
// It serves tests of what every primitive reports and records.
#pragma once

#include <string>
#include <vector>

#include "vkprims/device.hpp"

namespace vkprims::test {

struct DryLog {
  std::vector<std::string> labels;  ///< outermost labels, in order
  int open_labels = 0;              ///< begun and not yet ended
  int ended_too_often = 0;          ///< ends without a beginning
  int commands = 0;                 ///< other vkCmd* calls
  int unlabelled = 0;               ///< those of them outside any label
  VkResult pipelines = VK_SUCCESS;  ///< what vkCreateComputePipelines returns
  int pipelines_created = 0;
};

/// What Devices of dry_device() have recorded. It is not for use from several threads.
DryLog& dry_log();

/// Makes a Device on the Context's handles, of which it only queries the properties.
Device dry_device(PipelinePolicy policy = PipelinePolicy::lazy, const Tuning& tuning = {});

/// Returns a command buffer that goes nowhere.
VkCommandBuffer dry_commands();

}  // namespace vkprims::test

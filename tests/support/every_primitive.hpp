// A call of every primitive for dry_device(), on views without memory behind them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vkprims/vkprims.hpp"

namespace vkprims::test {

struct AnyPrimitive {
  std::string name;
  std::function<Status(VkCommandBuffer, const Device&)> record;
  std::function<Status(VkCommandBuffer, const Device&)> record_nothing;  ///< no view is given
  std::function<Status(const Device&)> warm_up;
};

/// Returns calls over `n` elements or rows, of which there must be at least 64.
std::vector<AnyPrimitive> every_primitive(std::uint64_t n);

}  // namespace vkprims::test

// A call of every primitive, on views that do not exist: for dry_device().
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

/// Over `n` elements or rows, at least 64.
std::vector<AnyPrimitive> every_primitive(std::uint64_t n);

}  // namespace vkprims::test

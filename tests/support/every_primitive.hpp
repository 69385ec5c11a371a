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

/// Returns disjoint views, aligned for every primitive.
BufferView view_at(std::uint64_t number);
Scratch some_scratch();

/// Makes the calls of a primitive; `nothing` says what record_nothing gives to it.
template <class Desc, class Buffers>
AnyPrimitive any_primitive(const char* name,
                           Status (*record)(VkCommandBuffer, const Device&, const Desc&,
                                            const Buffers&),
                           Desc desc, Buffers buffers, Buffers nothing = {}) {
  return {
      name,
      [=](VkCommandBuffer cmd, const Device& device) { return record(cmd, device, desc, buffers); },
      [=](VkCommandBuffer cmd, const Device& device) { return record(cmd, device, desc, nothing); },
      [=](const Device& device) { return warm_up(device, desc); }};
}

/// Adds a primitive to every_primitive(), as a static object in foo_test.cpp; make(n) is its call
/// over `n` elements or rows.
struct RegisterPrimitive {
  explicit RegisterPrimitive(AnyPrimitive (*make)(std::uint64_t n));
};

/// Returns calls over `n` elements or rows, of which there must be at least 64.
std::vector<AnyPrimitive> every_primitive(std::uint64_t n);

}  // namespace vkprims::test

// Checks of the arguments of group_by, and its spans of views.
#pragma once

#include "group_by/group_by_plan.hpp"

namespace vkprims {

/// Views at the end of a span may be left out.
inline BufferView view_at(std::span<const BufferView> views, std::size_t i) {
  return i < views.size() ? views[i] : BufferView();
}

/// `bytes`, or 0 if the view is left out.
inline VkDeviceSize wanted(const BufferView& view, VkDeviceSize bytes) {
  return view.address ? bytes : 0;
}

Status check_group_by_desc(const DeviceState& state, const GroupByDesc& desc);
/// Requires that `desc` is valid and that `plan` was made from it.
Status check_group_by_buffers(const GroupByDesc& desc, const GroupPlan& plan,
                              const GroupByBuffers& buffers);

}  // namespace vkprims

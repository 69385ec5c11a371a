// WarmUp: notes the pipelines that record functions would need, and compiles them.
#include "vkprims/warm_up.hpp"

#include <new>

#include "runtime/device_state.hpp"
#include "runtime/validate.hpp"

namespace vkprims {

Status WarmUp::create(const Device& device, WarmUp& warm) {
  VKPRIMS_TRY(check_device("WarmUp::create", device));
  DeviceState& owner = *device.state();
  if (owner.pipelines.only_notes()) {
    return Status::error(Status::invalid_argument,
                         "WarmUp::create: device is that of a WarmUp; give the one that it was "
                         "made from");
  }
  std::unique_ptr<DeviceState> state(new (std::nothrow)
                                         DeviceState(static_cast<const DeviceFacts&>(owner)));
  if (!state) return Status::error(Status::out_of_memory, "WarmUp::create: out of host memory");
  state->pipelines.note_for(owner.pipelines);
  warm = {};
  warm.device_.state_ = std::move(state);
  return {};
}

BufferView WarmUp::view(VkDeviceSize bytes, VkDeviceSize offset) {
  const BufferView view{next_ + offset, bytes};
  next_ = (view.address + bytes + 255) / 256 * 256;
  return view;
}

Scratch WarmUp::scratch(const ScratchNeed& need) {
  if (need.bytes == 0) return {};
  const BufferView range = view(need.bytes);
  return {(VkBuffer)std::uintptr_t{1},  // a pointer or an integer, depending on the platform
          0, range.address, range.bytes};
}

Status WarmUp::compile(std::size_t at_most) {
  if (!device_) {
    return Status::error(Status::invalid_argument,
                         "WarmUp::compile: the WarmUp is empty; make it with WarmUp::create");
  }
  const DeviceState& state = *device_.state();
  return device_.state()->pipelines.compile_noted(state.vk, at_most);
}

std::size_t WarmUp::noted() const { return device_ ? device_.state()->pipelines.noted() : 0; }

std::size_t WarmUp::compiled() const { return device_ ? device_.state()->pipelines.compiled() : 0; }

}  // namespace vkprims

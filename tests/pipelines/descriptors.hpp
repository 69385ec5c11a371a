// Descriptors that together ask for every pipeline of the library.
#pragma once

#include <functional>

#include "vkprims/context.hpp"
#include "vkprims/device.hpp"

namespace vkprims::pipelines {

/// Calls warm_up() of one primitive with descriptors, as warm_up_everything() says.
class WarmUp {
 public:
  WarmUp(const Device& device, const std::function<void(const char*)>& begin)
      : device_(device), begin_(begin) {}

  template <class Desc>
  void operator()(const char* primitive, const Desc& desc) const {
    begin_(primitive);
    const Status status = warm_up(device_, desc);
    if (status == Status::invalid_argument || status == Status::unsupported) return;
    throw_if_error(status);
  }

 private:
  const Device& device_;
  const std::function<void(const char*)>& begin_;
};

/// A count that is as large as possible and read on the GPU, so that pipelines that depend on it
/// are asked for as well.
inline constexpr Count kAnyCount{std::uint64_t{1} << 30, 64};

/// Adds descriptors to warm_up_everything(), as a static object in foo_descriptors.cpp.
struct RegisterDescriptors {
  explicit RegisterDescriptors(void (*warm_up_with)(const WarmUp& warm));
};

/// Calls warm_up() of every primitive on `device` with all types, operators and options that select
/// a kernel, each time after calling `begin` with the primitive's name. Combinations that the
/// primitive or the device refuses need no pipelines; any other failure is thrown as Error.
void warm_up_everything(const Device& device, const std::function<void(const char*)>& begin);

}  // namespace vkprims::pipelines

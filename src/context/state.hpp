// What a Context holds. Members are in the order in which they are made; they are destroyed in the
// reverse order.
#pragma once

#include <optional>

#include "logical_device.hpp"
#include "memory.hpp"
#include "messages.hpp"
#include "pipeline_cache.hpp"
#include "submission.hpp"
#include "transfer.hpp"

namespace vkprims {

struct ContextState {
  explicit ContextState(const ContextInfo& info);
  explicit ContextState(const Adopt& adopt);
  ContextState(const ContextState&) = delete;
  ContextState& operator=(const ContextState&) = delete;
  ~ContextState() { device.wait(); }

  /// Ends the use of a block or of a recording's blocks.
  ///
  /// While a recording is open the blocks stay with it: its commands may use them, but run later
  /// than whatever the program submits before the recording is done, which could reuse the memory.
  void release(DeviceBlock& block) noexcept;
  void release(BlockList& blocks) noexcept;

  Messages messages;
  Instance instance;
  LogicalDevice device;
  std::optional<PipelineCache> cache;  // none on an adopted device
  Device library;
  Allocator allocator;
  Memory memory;
  Recording* open = nullptr;  // the innermost one whose callback is running
  Submissions submissions;
  Transfer transfer;
};

}  // namespace vkprims

// Recordings and their submissions.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <unordered_set>
#include <vector>

#include "memory.hpp"

namespace vkprims {

struct ContextState;
class Submissions;

/// Commands and the memory that they need. A recording is shared by the Plan, if there is one, and
/// by submissions in flight.
struct Recording {
  explicit Recording(ContextState& state) : context(&state) {}
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording();

  ContextState* context;            // null once the Context is gone
  const Device* library = nullptr;  // records a Recorder's steps, or notes them
  VkCommandBuffer commands = VK_NULL_HANDLE;
  BlockList blocks;  // scratch, and what the program freed while it recorded
  Block scratch;     // the block that steps share: a barrier separates any two
  bool has_steps = false;
  bool reusable = false;
};

/// The Vulkan objects of one submission, made once and reused.
///
/// `head` and `tail` are recorded once and enclose the user's commands. The head has a barrier that
/// makes all earlier writes on the queue visible, and the first timestamp. The tail has the second
/// timestamp, and a barrier that makes writes visible to the host. Because they are apart, a Plan's
/// command buffer may be pending several times, each time with timestamps of its own.
struct Slot {
  VkCommandBuffer head = VK_NULL_HANDLE;
  VkCommandBuffer tail = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  VkQueryPool queries = VK_NULL_HANDLE;  // null if the queue has no timestamps
};

/// The submission that a Job refers to.
struct Submission {
  Submissions* owner = nullptr;  // null when it has finished
  Slot* slot = nullptr;
  std::shared_ptr<Recording> recording;
  std::chrono::steady_clock::time_point started;
  VkResult result = VK_SUCCESS;
  double gpu_ms = 0;
};

class Submissions {
 public:
  Submissions(const LogicalDevice& device, Memory& memory);
  Submissions(const Submissions&) = delete;
  Submissions& operator=(const Submissions&) = delete;
  ~Submissions();

  /// Makes a new recording of what `steps` records. If `steps` throws, nothing is left behind.
  std::shared_ptr<Recording> record(ContextState& state,
                                    const std::function<void(Recording&)>& steps, bool reusable);
  /// Throws Error if the recording cannot be submitted; then nothing is submitted.
  std::shared_ptr<Submission> submit(const std::shared_ptr<Recording>& recording);

  /// Retires submissions that have finished.
  void poll() noexcept;
  /// Returns when `submission` has finished. Throws Error if that cannot be found out.
  void wait(Submission& submission);
  /// Waits for the queue and retires everything.
  void drain() noexcept;
  /// Frees command buffers that are not in use.
  void trim() noexcept;

  /// Ends a recording: called by its destructor.
  void forget(Recording& recording) noexcept;

  std::uint64_t count() const { return count_; }

 private:
  VkCommandBuffer take_commands();
  VkCommandBuffer allocate_commands();
  void begin(VkCommandBuffer commands, VkCommandBufferUsageFlags usage);
  void end(VkCommandBuffer commands);
  Slot& take_slot();
  void make_slot();
  void record_ends(const Slot& slot);
  void barrier(VkCommandBuffer commands, VkPipelineStageFlags to, VkAccessFlags accesses);
  VkResult wait_for(VkFence fence) const noexcept;
  void retire_first(VkResult result) noexcept;
  double elapsed_ms(const Submission& submission) const noexcept;

  const LogicalDevice& device_;
  Memory& memory_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::vector<VkCommandBuffer> idle_commands_;  // reset; room for all there are
  std::size_t command_buffers_ = 0;
  std::list<Slot> slots_;
  std::vector<Slot*> idle_slots_;                     // room for all there are
  std::list<std::shared_ptr<Submission>> in_flight_;  // in the order of their submission
  std::unordered_set<Recording*> recordings_;
  std::uint64_t count_ = 0;
};

}  // namespace vkprims

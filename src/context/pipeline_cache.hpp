// The VkPipelineCache of a Context, kept in a file between runs.
#pragma once

#include <filesystem>

#include "logical_device.hpp"
#include "messages.hpp"

namespace vkprims {

class PipelineCache {
 public:
  /// Starts with the contents of the file of this device and driver, if `use_file` is set and the
  /// file is intact. It is no error if there is no file or no cache.
  PipelineCache(const LogicalDevice& device, const Messages& messages, bool use_file);
  PipelineCache(const PipelineCache&) = delete;
  PipelineCache& operator=(const PipelineCache&) = delete;
  /// Writes the file if the cache has grown.
  ~PipelineCache();

  VkPipelineCache handle() const { return handle_; }

 private:
  void create(const void* data, std::size_t bytes);
  void save() const;

  const LogicalDevice& device_;
  const Messages& messages_;
  std::filesystem::path path_;  // empty: none
  VkPipelineCache handle_ = VK_NULL_HANDLE;
  std::size_t loaded_bytes_ = 0;
};

}  // namespace vkprims

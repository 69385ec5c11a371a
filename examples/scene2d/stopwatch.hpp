// Times of the stages of a frame and of the calls in them, by timestamps on the GPU.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu.hpp"

namespace scene2d {

// Writes a timestamp behind each call that the library records (DeviceInfo::on_record) and each
// part that the renderer names.
class Stopwatch {
 public:
  // The hook to create the Gpu with; the Stopwatch must outlive it.
  vkprims::RecordHook hook() { return {&Stopwatch::on_record, this}; }
  // Calls are noted only between begin() and end(), and only if they are wanted: a timestamp takes
  // time, too.
  void want_calls(bool wanted) { calls_ = wanted; }
  void begin(Gpu& gpu, VkCommandBuffer cmd);
  void stage(const char* name) { stage_ = name; }
  void mark(const char* part);
  void end();
  // Once the commands have been executed: the milliseconds between neighbouring timestamps.
  struct Time {
    std::string stage, part;
    double milliseconds;
  };
  std::vector<Time> read(Gpu& gpu) const;
  void destroy(Gpu& gpu);

 private:
  static void on_record(void* self, VkCommandBuffer cmd, const char* primitive, bool begins);
  VkQueryPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer cmd_ = VK_NULL_HANDLE;
  std::string stage_;
  bool calls_ = true;
  std::vector<std::pair<std::string, std::string>> names_;  // stage and part of each timestamp
};

}  // namespace scene2d

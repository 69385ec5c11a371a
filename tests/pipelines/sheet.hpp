// What is to be compiled and what came of it, in memory that worker processes share: a driver that dies of a pipeline
// takes its process with it and nothing else.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "compiler.hpp"

namespace vkprims::pipelines {

struct Row {
  enum class State { waiting, running, done };

  Request request;
  State state;
  pid_t process;  ///< that compiles it
  VkResult result;
  int signal;             ///< that ended the process, or 0
  int statistics_signal;  ///< that ended one that asked for statistics as well, or 0
  double milliseconds;
  Figures figures;
};

struct Options {
  enum class Set { modules, values, all };

  std::string device;  ///< as of Context; empty: the best
  Set set = Set::modules;
  bool each_size = false;         ///< every subgroup size, each required
  std::vector<std::string> only;  ///< patterns for primitives or modules
  int jobs = 1;                   ///< processes; 0: nothing is compiled
};

struct Sheet {
  std::string device;     ///< name and driver
  bool complete = false;  ///< the device has all that modules need, and no pattern leaves any out
  bool compiled = false;
  bool has_statistics = false;
  std::size_t asked_for = 0;            ///< pipelines of the whole plan
  std::vector<const Spirv*> unreached;  ///< of which there are none in it
  std::vector<Row> rows;
};

/// Makes the plan and compiles it in `options.jobs` processes. Throws Error if there is no such device.
Sheet compile_all(const Options& options);

}  // namespace vkprims::pipelines

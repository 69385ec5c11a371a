// The pipelines to be compiled and the results, in memory that worker processes share: if a
// pipeline makes the driver crash, only one process dies.
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
  pid_t process;  ///< process that compiles it
  VkResult result;
  int signal;             ///< signal that ended the process, or 0
  int statistics_signal;  ///< signal that ended a process that also asked for statistics, or 0
  double milliseconds;
  Figures figures;
};

struct Options {
  enum class Set { modules, values, all };

  std::string device;  ///< as in ContextInfo; empty: the best one
  Set set = Set::modules;
  bool each_size = false;         ///< requires every subgroup size in turn
  std::vector<std::string> only;  ///< patterns for primitives or modules
  int jobs = 1;                   ///< processes; 0: nothing is compiled
};

struct Sheet {
  std::string device;     ///< name and driver
  bool complete = false;  ///< the device has all that modules need, and no pattern leaves any out
  bool compiled = false;
  bool has_statistics = false;
  std::size_t asked_for = 0;            ///< pipelines of the whole plan
  std::vector<const Spirv*> unreached;  ///< modules without a pipeline in the plan
  std::vector<Row> rows;
};

/// Makes the plan and compiles it in `options.jobs` processes. Throws Error if there is no such
/// device.
Sheet compile_all(const Options& options);

}  // namespace vkprims::pipelines

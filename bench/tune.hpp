// vkprims-bench --tune: finds the tuning that is fastest on a device.
#pragma once

#include <string>
#include <vector>

#include "vkprims/context.hpp"

namespace vkprims::bench {

struct TuneOptions {
  double seconds = 300;               ///< the whole run ends before them
  std::string output;                 ///< file of the result; "": tuning-<device>.txt
  std::vector<std::string> families;  ///< of tune_families(); none: all
  std::uint64_t min_n = 0;            ///< smallest size
  std::uint64_t max_n = 0;            ///< largest size; 0: of the device's kind
  std::string version;                ///< of the library, for the file
};

/// The names of the families of members that are tuned together.
std::vector<std::string> tune_families();

/// Tunes family by family, and writes a file for Tuning::load(). It begins at the device's tuning,
/// with what `info` and VKPRIMS_TUNING say of it. The result of every candidate is checked before
/// its time counts. Returns the exit status.
int tune(const ContextInfo& info, const TuneOptions& options);

}  // namespace vkprims::bench

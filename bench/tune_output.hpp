// What vkprims-bench --tune says and writes.
#pragma once

#include <string>
#include <vector>

#include "vkprims/tuning.hpp"

namespace vkprims::bench {

/// What came of a family of members.
struct TuneOutcome {
  std::string family;
  std::vector<std::string> changes = {};  ///< "scan_rows 4 -> 6"
  double gain = 0;                        ///< 0.03: 3 % faster than before
  bool is_confirmed = true;               ///< false: there was no time to measure the gain again
  bool is_finished = true;                ///< false: there was no time to try all neighbours
};

struct TuneReport {
  std::string device, driver, version;  ///< of the library
  std::string path;                     ///< of the file
  Tuning best;                          ///< with all members
  std::vector<TuneOutcome> outcomes = {};
  std::vector<std::string> discarded = {};  ///< candidates that failed, and why
};

/// The name of the file for a device: tuning-nvidia-h200.txt.
std::string file_name_of(const std::string& device);

/// Writes the file for Tuning::load(); throws if that fails. It has no date: the same run gives the
/// same file.
void write(const TuneReport& report);

/// Prints the table of the families, what was discarded, and how to use the file.
void print(const TuneReport& report);

/// The line on stderr that says what is being measured. It overwrites itself on a terminal;
/// elsewhere there is a line for each family.
class TuneProgress {
 public:
  TuneProgress();
  void family(const std::string& name, std::size_t number, std::size_t of);
  void show(const std::string& doing, double seconds_left);
  void end();

 private:
  bool is_terminal_;
  std::size_t width_ = 0;  // of the line that is there
  std::string family_;
};

}  // namespace vkprims::bench

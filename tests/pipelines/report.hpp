// Prints the sheet of compiled pipelines.
#pragma once

#include "sheet.hpp"

namespace vkprims::pipelines {

struct ReportOptions {
  bool verbose = false;    ///< prints a line for each pipeline
  std::int64_t waves = 0;  ///< lists modules with fewer subgroups than this at once on a SIMD unit
};

/// Prints the sheet. Returns false if a pipeline does not compile, spills registers or uses scratch
/// memory, or if a module has no pipeline.
bool report(const Sheet& sheet, const ReportOptions& options);

}  // namespace vkprims::pipelines

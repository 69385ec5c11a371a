// The sheet of compiled pipelines, printed.
#pragma once

#include "sheet.hpp"

namespace vkprims::pipelines {

struct ReportOptions {
  bool verbose = false;    ///< a line for each pipeline
  std::int64_t waves = 0;  ///< lists modules of which fewer are at once on a SIMD unit
};

/// Prints the sheet. False if a pipeline does not compile, spills registers or uses scratch memory, or if a module has
/// none.
bool report(const Sheet& sheet, const ReportOptions& options);

}  // namespace vkprims::pipelines

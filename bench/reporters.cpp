#include "reporters.hpp"

#include <algorithm>
#include <cstdio>
#include <ostream>

namespace vkprims::bench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

// A number in `width` columns, or blanks if the row has no such counter.
std::string column(const Run& run, const char* counter, double scale, int width, int digits,
                   const char* unit = "") {
  const auto found = run.counters.find(counter);
  const int unit_width = static_cast<int>(std::string_view(unit).size());
  char text[64];
  if (found == run.counters.end()) {
    std::snprintf(text, sizeof text, "%*s", width + unit_width, "");
  } else {
    std::snprintf(text, sizeof text, "%*.*f%s", width, digits, found->second.value * scale, unit);
  }
  return text;
}

std::string remarks(const Run& run) {
  static const char* const known[] = {
      "GB/s",    "copy_share",       "copy_GB/s",        "min_us",
      "samples", "items_per_second", "bytes_per_second", "mad_percent"};
  std::string text = run.report_label.empty() ? "" : "  " + run.report_label;
  for (const auto& [name, counter] : run.counters) {
    if (std::find(std::begin(known), std::end(known), name) != std::end(known)) continue;
    char value[96];
    std::snprintf(value, sizeof value, "  %s=%.4g", name.c_str(), counter.value);
    text += value;
  }
  return text;
}

}  // namespace

std::vector<Run> with_plain_names(const std::vector<Run>& runs) {
  std::vector<Run> plain = runs;
  for (Run& run : plain) {
    run.run_name.iterations.clear();
    run.run_name.time_type.clear();
  }
  return plain;
}

bool TableReporter::ReportContext(const Context&) {
  char line[160];
  std::snprintf(line, sizeof line, "%-*s %12s %12s %9s %8s %9s %6s\n",
                static_cast<int>(name_width_), "row", "time us", "min us", "GB/s", "of copy",
                "G elem/s", "MAD");
  GetOutputStream() << heading_ << "\n\n" << line << std::flush;
  return true;
}

void TableReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : with_plain_names(runs)) {
    const bool bad =
        run.error_message.starts_with("FAILED") || run.error_message.starts_with("WRONG");
    if (run.error_occurred && !bad) {
      ++skipped_[run.error_message];
      continue;
    }
    std::ostream& out = GetOutputStream();
    char name[256];
    std::snprintf(name, sizeof name, "%-*s ", static_cast<int>(name_width_),
                  run.benchmark_name().c_str());
    out << name;
    if (bad) {
      out << run.error_message << "\n" << std::flush;
      continue;
    }
    if (run.run_type == Run::RT_Aggregate && run.aggregate_unit == benchmark::kPercentage) {
      char percent[32];
      std::snprintf(percent, sizeof percent, "%11.2f%%\n", 100 * run.real_accumulated_time);
      out << percent << std::flush;
      continue;
    }
    char time[32];
    std::snprintf(time, sizeof time, "%12.2f", run.GetAdjustedRealTime());
    out << time << ' ' << column(run, "min_us", 1, 12, 2) << ' ' << column(run, "GB/s", 1, 9, 1)
        << ' ' << column(run, "copy_share", 100, 7, 1, "%") << ' '
        << column(run, "items_per_second", 1e-9, 9, 3) << ' '
        << column(run, "mad_percent", 1, 5, 1, "%") << remarks(run) << "\n"
        << std::flush;
  }
}

void TableReporter::Finalize() {
  if (skipped_.empty()) return;
  std::ostream& out = GetOutputStream();
  const char* separator = "\nskipped: ";
  for (const auto& [reason, count] : skipped_) {
    out << separator << count << (count == 1 ? " row: " : " rows: ") << reason;
    separator = "; ";
  }
  out << "\n" << std::flush;
}

}  // namespace vkprims::bench

// The program's output: a table for people, JSON for programs.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace vkprims::bench {

/// Removes what Google Benchmark appends to names ("/iterations:1/manual_time").
std::vector<benchmark::BenchmarkReporter::Run> with_plain_names(
    const std::vector<benchmark::BenchmarkReporter::Run>& runs);

/// A table with the columns name, time, shortest time, GB/s, share of the copy, and elements/s. One
/// line at the end counts the rows that were skipped, by reason.
class TableReporter : public benchmark::BenchmarkReporter {
 public:
  TableReporter(std::string heading, std::size_t name_width)
      : heading_(std::move(heading)), name_width_(name_width) {}
  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  std::string heading_;
  std::size_t name_width_;
  std::map<std::string, std::size_t> skipped_;  // by reason
};

/// Writes Google Benchmark's JSON with plain names.
class PlainJsonReporter : public benchmark::JSONReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    JSONReporter::ReportRuns(with_plain_names(runs));
  }
};

}  // namespace vkprims::bench

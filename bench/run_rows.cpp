// Runs one entry as a benchmark of Google Benchmark: what is skipped, run, checked and reported.
#include <chrono>
#include <cstdio>
#include <set>

#include "harness.hpp"

namespace vkprims::bench {
namespace {

constexpr double kLongestDispatch = 0.5;  // seconds

struct Run {
  Session& session;
  const Options& options;
  int& failures;
  std::size_t total;
  std::size_t done = 0;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  bool lost = false;
  // The last size of each variant and its seconds, from which the time of the next size is
  // predicted.
  std::map<std::string, std::pair<std::uint64_t, double>> last = {};

  std::set<std::pair<const Row*, std::uint64_t>> validated = {};

  void progress(const std::string& name);
  std::string reason_to_skip(const Entry& entry) const;
  // Returns whether there is a mismatch; if so, the run fails.
  bool is_wrong(const Entry& entry, const std::string& mismatch, benchmark::State& state);
  void measure(const Entry& entry, benchmark::State& state);
  void measure_host(const Entry& entry, benchmark::State& state);
  void operator()(const Entry& entry, benchmark::State& state);
};

void Run::progress(const std::string& name) {
  const double elapsed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (done == 1) {
    std::fprintf(stderr, "[%zu/%zu] %s\n", done, total, name.c_str());
    return;
  }
  const auto left = static_cast<unsigned>(elapsed / static_cast<double>(done - 1) *
                                          static_cast<double>(total - done + 1));
  std::fprintf(stderr, "[%zu/%zu] %s  (about %u:%02u left)\n", done, total, name.c_str(), left / 60,
               left % 60);
}

std::string Run::reason_to_skip(const Entry& entry) const {
  if (lost) return "the device was lost";
  if (!entry.row->host) {
    if (std::string why = session.no_timing(); !why.empty()) return why;
  }
  if (std::string why = session.cannot_hold(*entry.row, entry.n); !why.empty()) return why;
  const auto found = last.find(entry.row->name);
  if (found == last.end() || options.all) return "";
  const auto [n, seconds] = found->second;
  const double predicted = seconds * static_cast<double>(entry.n) / static_cast<double>(n);
  if (entry.n <= n || predicted <= kLongestDispatch) return "";
  char text[96];  // the same for all rows, so that they can be counted
  std::snprintf(text, sizeof text, "an execution would take more than %.1f s (--all runs it)",
                kLongestDispatch);
  return text;
}

bool Run::is_wrong(const Entry& entry, const std::string& mismatch, benchmark::State& state) {
  if (mismatch.empty()) return false;
  ++failures;
  std::fprintf(stderr, "WRONG: %s: %s\n", entry.name().c_str(), mismatch.c_str());
  state.SkipWithError(("WRONG RESULT: " + mismatch).c_str());
  return true;
}

void Run::measure(const Entry& entry, benchmark::State& state) {
  session.context().trim();  // memory of the row before, which may have been of another size
  const Case c = entry.row->make(session, entry.n);
  session.run(c);
  if (options.validate && validated.insert({entry.row, entry.n}).second) {
    if (is_wrong(entry, c.mismatch(), state)) return;
  }
  Measurement m = session.measure(c, entry.cold);
  m.median /= c.calls;
  m.min /= c.calls;
  if (!entry.cold) last[entry.row->name] = {entry.n, m.median};
  if (m.median <= 0) {
    state.SkipWithError("the timestamps of this device are too coarse");
    return;
  }
  for (auto _ : state) state.SetIterationTime(m.median);
  if (c.items) state.SetItemsProcessed(static_cast<std::int64_t>(c.items));
  if (c.ideal_bytes) {
    state.SetBytesProcessed(static_cast<std::int64_t>(c.ideal_bytes));
    state.counters["GB/s"] = 1e-9 * static_cast<double>(c.ideal_bytes) / m.median;
    state.counters["copy_share"] = m.copy_median / m.median;
    state.counters["copy_GB/s"] = 1e-9 * m.copy_bytes / m.copy_median;
  }
  state.counters["min_us"] = 1e6 * m.min;
  state.counters["mad_percent"] = m.mad_percent;
  state.counters["samples"] = static_cast<double>(m.samples);
  if (c.extra) {
    for (const auto& [name, value] : c.extra()) state.counters[name] = value;
  }
  if (!m.steady) state.SetLabel("unsteady");
}

void Run::measure_host(const Entry& entry, benchmark::State& state) {
  const HostTimes times = entry.row->host(session, entry.n);
  if (options.validate && times.mismatch && is_wrong(entry, times.mismatch(), state)) return;
  const double middle = median_of(times.samples);
  for (auto _ : state) state.SetIterationTime(middle);
  double least = times.samples.at(0);
  for (const double s : times.samples) least = s < least ? s : least;
  if (times.items) state.SetItemsProcessed(static_cast<std::int64_t>(times.items));
  state.counters["min_us"] = 1e6 * least;
  state.counters["samples"] = static_cast<double>(times.samples.size());
  for (const auto& [name, value] : times.counters) state.counters[name] = value;
  // A host row without device memory is never too long for the device.
  if (entry.row->bytes_per_item) last[entry.row->name] = {entry.n, middle};
}

void Run::operator()(const Entry& entry, benchmark::State& state) {
  ++done;
  if (const std::string why = reason_to_skip(entry); !why.empty()) {
    state.SkipWithError(why.c_str());
    return;
  }
  progress(entry.name());
  try {
    entry.row->host ? measure_host(entry, state) : measure(entry, state);
  } catch (const Error& error) {
    const Status& status = error.status();
    lost = lost || status == Status::device_lost;
    // It is no failure of the library if the device cannot do something.
    const bool expected = status == Status::unsupported || status == Status::out_of_memory;
    if (!expected) {
      ++failures;
      std::fprintf(stderr, "FAILED: %s: %s\n", entry.name().c_str(), error.what());
    }
    state.SkipWithError(((expected ? "" : "FAILED: ") + std::string(error.what())).c_str());
  }
}

}  // namespace

void register_entries(const std::vector<Entry>& entries, Session& session, const Options& options,
                      int repetitions, int& failures) {
  auto run = std::make_shared<Run>(
      Run{session, options, failures, entries.size() * static_cast<std::size_t>(repetitions)});
  for (const Entry& entry : entries) {
    benchmark::RegisterBenchmark(entry.name().c_str(),
                                 [run, entry](benchmark::State& state) { (*run)(entry, state); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace vkprims::bench

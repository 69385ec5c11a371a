// Rows of the benchmark: each foo_bench.cpp registers its own through static objects.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "vkprims/context.hpp"

namespace vkprims::bench {

class Session;

/// An operation at one size, with its inputs made and its outputs and scratch allocated. The first
/// run compiles its pipelines before anything is timed, so that only those that it needs are
/// compiled.
struct Case {
  std::uint64_t items = 0;        ///< elements that the operation really treats; 0: no rate
  std::uint64_t ideal_bytes = 0;  ///< inputs once plus outputs once; 0: bandwidth says nothing here
  std::uint32_t calls = 1;        ///< how often `record` does the operation; times are of one
  /// Records the operation with everything that belongs to it. It can be called repeatedly.
  std::function<Status(VkCommandBuffer)> record;
  /// Optional, for operations that overwrite their inputs: makes the inputs again before a run
  /// whose results are checked.
  std::function<void()> prepare;
  /// Is called after a run: returns what differs from the oracle, or "".
  std::function<std::string()> mismatch;
  /// Optional: further counters, measured after the row.
  std::function<std::map<std::string, double>()> extra;
};

/// The seconds that something takes on the host, and counters.
struct HostTimes {
  std::vector<double> samples;  ///< seconds
  std::uint64_t items = 0;      ///< per sample; 0: no rate
  std::map<std::string, double> counters = {};
  /// Optional: what differs from the oracle, or "".
  std::function<std::string()> mismatch = {};
};

struct Row {
  std::string name;  ///< primitive/variant
  /// Bytes of device memory per item, in all buffers. They decide what fits.
  std::uint32_t bytes_per_item = 0;
  /// The optional feature that the row needs; null if it needs none.
  bool Features::*needs = nullptr;
  /// Whether the row represents its primitive. It then has cold rows in every suite, other rows
  /// have them only with --all.
  bool main = false;
  /// Is set by headline(): whether --headline runs the row.
  bool headline = false;
  std::string family = {};
  /// Sizes of the row's own instead of those of the suite.
  std::vector<std::uint64_t> sizes;
  std::function<Case(Session&, std::uint64_t n)> make;
  /// Replaces `make` for a row that times the host, in microseconds.
  std::function<HostTimes(Session&, std::uint64_t n)> host;
};

/// Marks the row that speaks for its primitive, and says to which family the primitive belongs.
Row headline(const char* family, Row row);

/// Adds rows to the program, as a static object in foo_bench.cpp. Each primitive needs a headline.
struct Register {
  explicit Register(std::vector<Row> rows);
};

/// Adds rows for something that is no primitive of the library and so has no headline.
struct RegisterOther {
  explicit RegisterOther(std::vector<Row> rows);
};

/// All rows, ordered by primitive.
const std::vector<Row>& all_rows();

/// "copy=elementwise fill=elementwise …": the family of every primitive. Throws if one has no
/// headline.
std::string families();

/// One entry of a run: a row and its size, warm or cold.
struct Entry {
  const Row* row;
  std::uint64_t n;
  bool cold;
  std::string name() const;
};

struct Options {
  bool headline = false;
  bool quick = false;
  bool all = false;
  bool validate = false;
  std::uint64_t min_n = 0;
  std::uint64_t max_n = 0;  ///< 0: of the suite
  std::string filter;       ///< as --benchmark_filter: a regular expression, "-" in front negates
};

/// The entries that the options select on this kind of device, in running order.
std::vector<Entry> select(const Options& options, bool is_gpu);

/// Registers the entries with Google Benchmark. `session`, `entries` and `options` must outlive the
/// run. Afterwards `failures` says how many results were wrong or could not be measured.
void register_entries(const std::vector<Entry>& entries, Session& session, const Options& options,
                      int repetitions, int& failures);

}  // namespace vkprims::bench

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

/// An operation at one size: inputs made, outputs and scratch allocated. Its pipelines are compiled
/// by the first run, before anything is timed, so that only those are that it needs.
struct Case {
  std::uint64_t items = 0;        ///< elements that the operation really treats; 0: no rate
  std::uint64_t ideal_bytes = 0;  ///< inputs once plus outputs once; 0: bandwidth says nothing here
  /// Records the operation with everything that belongs to it. Repeatable.
  std::function<Status(VkCommandBuffer)> record;
  /// Optional: makes the inputs again, before a run whose results are checked. For operations that
  /// overwrite them.
  std::function<void()> prepare;
  /// After a run: what differs from the oracle, or "".
  std::function<std::string()> mismatch;
  /// Optional: further counters, measured after the row.
  std::function<std::map<std::string, double>()> extra;
};

/// Seconds of something that the host does, and counters.
struct HostTimes {
  std::vector<double> samples;  ///< seconds
  std::uint64_t items = 0;      ///< per sample; 0: no rate
  std::map<std::string, double> counters = {};
  /// Optional: what differs from the oracle, or "".
  std::function<std::string()> mismatch = {};
};

struct Row {
  std::string name;  ///< primitive/variant
  /// Bytes of device memory per item, all buffers: decides what fits.
  std::uint32_t bytes_per_item = 0;
  /// The optional feature that the row needs; null: none.
  bool Features::*needs = nullptr;
  /// Representative of its primitive: has cold rows in every suite, the others only with --all.
  bool main = false;
  /// Set by headline(): what --headline runs.
  bool headline = false;
  std::string family = {};
  /// Sizes of its own instead of the suite's.
  std::vector<std::uint64_t> sizes;
  std::function<Case(Session&, std::uint64_t n)> make;
  /// Instead of `make`: a row that times the host, in microseconds.
  std::function<HostTimes(Session&, std::uint64_t n)> host;
};

/// Marks the row that speaks for its primitive, and says to which family the primitive belongs.
Row headline(const char* family, Row row);

/// Adds rows to the program: a static object in foo_bench.cpp. Each primitive needs a headline.
struct Register {
  explicit Register(std::vector<Row> rows);
};

/// Adds rows of what is no primitive of the library, and so has no headline.
struct RegisterOther {
  explicit RegisterOther(std::vector<Row> rows);
};

/// All rows, by primitive.
const std::vector<Row>& all_rows();

/// "copy=elementwise fill=elementwise …": the family of every primitive. Throws if one has no
/// headline.
std::string families();

/// One entry of a run: a row, its size, warm or cold.
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

/// What the options select on this kind of device, in running order.
std::vector<Entry> select(const Options& options, bool is_gpu);

/// Registers the entries with Google Benchmark. `session`, `entries` and `options` must outlive the
/// run. Afterwards `failures` says how many results were wrong or could not be measured.
void register_entries(const std::vector<Entry>& entries, Session& session, const Options& options,
                      int repetitions, int& failures);

}  // namespace vkprims::bench

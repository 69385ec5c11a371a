// vkprims-bench --tune: coordinate descent over the members of Tuning, by rows of the benchmark.
#include "tune.hpp"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "harness.hpp"
#include "tune_output.hpp"
#include "tuning_search.hpp"

namespace vkprims::bench {
namespace {

// A member, and the rows that show what it is worth. A member with a unit is a threshold in units
// of so many for each element: only sizes between the old and the new value tell them apart, and
// the larger of both is measured.
struct Dial {
  Member member;
  std::vector<std::string> rows;
  std::uint32_t unit = 0;
};

struct Family {
  std::string name;
  std::vector<Dial> dials;
};

// sort_portion and stack_short_count are no matter of speed, but of what a dispatch and 32 bits can
// hold.
const std::vector<Family>& all_families() {
  using Rows = std::vector<std::string>;
  static const Rows folds{"reduce/u32_add", "arg_reduce/u32_min"};
  static const Rows scans{"scan/u32_exclusive", "scan/u64_exclusive"};
  static const Rows segments{"scan_by_key/u32_runs_of_16", "segmented_scan/u32_mean_16_offsets"};
  static const Rows runs{"run_length_encode/u32_runs_of_16", "run_length_encode/u32_random"};
  static const Rows keys{"reduce_by_key/u32_runs_of_16", "reduce_by_key/u32_random"};
  static const Rows selects{"select/u32_50_percent", "unique/u32_runs_of_16",
                            "partition/u32_50_percent"};
  static const Rows pairs{"radix_sort/u32_values_u32", "radix_sort/u64"};
  static const Rows waits{"scan/u32_exclusive", "select/u32_50_percent",
                          "reduce_by_key/u32_runs_of_16"};
  const auto with = [](Rows rows, const Rows& more) {
    rows.insert(rows.end(), more.begin(), more.end());
    return rows;
  };
  const auto dial = [](const char* member, Rows rows, std::uint32_t unit = 0) {
    return Dial{Member(member), std::move(rows), unit};
  };
  static const std::vector<Family> families{
      {"streaming",
       {dial("stream_rows", {"copy/u32", "fill/u32", "gather/u32_random"}),
        dial("workgroup_size", with({"copy/u32", "transform/u32_add_scalar"}, folds))}},
      {"fold",
       {dial("rows_per_tile", with({"transform/u32_add_scalar"}, folds)),
        dial("max_reduce_groups", with({"histogram/u32_even_2048"}, folds)),
        dial("single_group_bytes", {"reduce/u32_add"}, 4)}},
      {"scan",
       {dial("scan_rows", scans), dial("scan_batches", scans),
        dial("scan_workgroup_size", with({"select/u32_50_percent"}, scans)),
        dial("max_scan_groups", {"scan/u32_multi_pass"}),
        dial("single_scan_bytes", {"scan/u32_exclusive"}, 4)}},
      {"segmented_scan", {dial("segment_rows", segments), dial("segment_batches", segments)}},
      {"run_length_encode", {dial("run_rows", runs), dial("run_batches", runs)}},
      {"reduce_by_key",
       {dial("key_rows", keys), dial("key_batches", keys), dial("key_workgroup_size", keys)}},
      {"small_counts",
       {dial("small_count", {segments[0], segments[1], runs[0], keys[0], "search/u32_random"}, 1)}},
      {"select", {dial("compact_rows", selects), dial("compact_batches", selects)}},
      {"csr",
       {dial("csr_rows", {"segmented_reduce/u32_mean16", "spmv/f32_band16"}),
        dial("csr_workgroup_size", {"segmented_reduce/u32_mean16", "spmv/f32_band16",
                                    "stack_match/u8_random", "nearest_smaller/u32_random"})}},
      {"sort",
       {dial("sort_rows", with({"radix_sort/u32"}, pairs)),
        dial("sort_workgroup_size", {"radix_sort/u32"}), dial("sort_pair_workgroup_size", pairs)}},
      {"small_sorts",
       {dial("single_sort_count", {"radix_sort/u32"}, 1),
        dial("small_sort_count", {"radix_sort/u32", "radix_sort/u32_values_u32"}, 1),
        dial("group_sort_count", {"group_by/u32_f32_256", "group_by/u32_f32_1m"}, 1)}},
      {"stack",
       {dial("stack_chain_count", {"stack_fold/rectangle_random"}, 1),
        dial("stack_window_size", {"stack_match/seed_window_u32_random"})}},
      {"look_back",
       {dial("lookback_pause", waits), dial("spin_limit", waits), dial("tile_order", waits)}},
  };
  return families;
}

const Row& row_of(const std::string& name) {
  for (const Row& row : all_rows()) {
    if (row.name == name) return row;
  }
  throw std::logic_error("--tune: there is no row " + name);
}

// The sizes, and what counts as a gain. A CPU device is as steady as the machine is idle.
struct Scale {
  std::uint64_t small, large;
  Margin margin;
};
constexpr Scale kGpuScale{1 << 20, 1 << 26, {.gain = 0.01, .loss = 0.02}};
constexpr Scale kCpuScale{1 << 14, 1 << 18, {.gain = 0.10, .loss = 0.15}};
constexpr double kLongestRow = 0.1;  // seconds of one execution; larger sizes are left out
constexpr std::uint64_t kSmallestThreshold = 64;  // elements, of a threshold
// Up to this size each candidate's result is checked before it is timed. On the host the check of
// a large one takes seconds; it is made of those that would be kept.
constexpr std::uint64_t kAlwaysChecked = 1 << 21;

// The rest is for the one measurement that takes longer than was known.
constexpr double kShareOfTime = 0.97;

using Clock = std::chrono::steady_clock;
using Place = std::pair<const Row*, std::uint64_t>;  // a row at a size

Clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

struct OutOfTime {};
struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Tuner {
 public:
  Tuner(const ContextInfo& info, const TuneOptions& options);
  int run();

 private:
  void renew();
  void need_time(const Place& place) const;
  double share(const Device& device, const Place& place, bool check);
  std::optional<double> best_share(const Place& place, bool again);
  std::uint64_t large_size(const Row& row);
  std::vector<Place> places(const Dial& dial, const Tuning& a, const Tuning& b);
  bool better(const Dial& dial, const Tuning& best, const Tuning& candidate);
  bool compare(const Dial& dial, const Tuning& best, const Tuning& candidate);
  void confirm(const Tuning& before, TuneOutcome& outcome);
  void tune_family(const Family& family);
  double seconds_left() const { return std::chrono::duration<double>(end_ - Clock::now()).count(); }

  ContextInfo info_;
  TuneOptions options_;
  Clock::time_point end_, family_end_;
  std::unique_ptr<Session> session_;
  Scale scale_{};
  Device best_device_;  // has the best tuning so far
  std::map<Place, std::optional<double>> best_shares_;
  std::map<const Row*, std::uint64_t> large_sizes_;
  std::set<Place> kept_places_;   // where the family's steps were measured
  std::map<Place, double> took_;  // seconds of a measurement, at most
  double reserve_ = 0;            // seconds that confirm() will take
  std::set<std::string> failed_;  // candidates that are not tried again
  std::string doing_;
  TuneReport report_;
  TuneProgress progress_;
};

Tuner::Tuner(const ContextInfo& info, const TuneOptions& options)
    : info_(info),
      options_(options),
      end_(Clock::now() + duration_of(kShareOfTime * options.seconds)),
      session_(std::make_unique<Session>(info)) {
  if (const std::string why = session_->no_timing(); !why.empty()) {
    throw std::runtime_error("--tune: " + why);
  }
  session_->measure_briefly();
  scale_ = session_->is_gpu() ? kGpuScale : kCpuScale;
  const auto fit = [&](std::uint64_t n) {
    n = std::max(n, options.min_n);
    return options.max_n ? std::min(n, options.max_n) : n;
  };
  scale_.small = fit(scale_.small);
  scale_.large = fit(scale_.large);
  report_.device = session_->context().properties().deviceName;
  report_.driver = session_->context().driver();
  report_.version = options.version;
  report_.best = session_->tuning();
  report_.path = options.output.empty() ? file_name_of(report_.device) : options.output;
  best_device_ = session_->create_device(report_.best);
}

// After the loss of a device there is a new one with the same tuning.
void Tuner::renew() {
  best_device_ = {};
  session_ = {};
  session_ = std::make_unique<Session>(info_);
  session_->measure_briefly();
  best_device_ = session_->create_device(report_.best);
}

void Tuner::need_time(const Place& place) const {
  const auto found = took_.find(place);
  const double needed = reserve_ + (found == took_.end() ? 0 : found->second);
  if (Clock::now() + duration_of(needed) > family_end_) throw OutOfTime();
}

// The time of a copy by that of the row, as bench/README.md says: with it, clocks that change
// matter less. Copies are those of the tuning that the run began with.
double Tuner::share(const Device& device, const Place& place, bool check) {
  need_time(place);
  const auto& [row, n] = place;
  const Clock::time_point begin = Clock::now();
  progress_.show(doing_, seconds_left());
  session_->context().trim();  // memory of the row before, which may have been of another size
  const struct Use {
    Session& session;
    ~Use() { session.use(nullptr); }
  } use{*session_};
  session_->use(&device);
  const Case c = row->make(*session_, n);
  session_->run(c);
  if (const std::string wrong = check ? c.mismatch() : ""; !wrong.empty()) {
    throw Wrong(row->name + "/" + std::to_string(n) + ": " + wrong);
  }
  const Measurement m = session_->measure(c, false);
  double& took = took_[place];
  took = std::max(took, std::chrono::duration<double>(Clock::now() - begin).count());
  if (m.median <= 0) return 0;  // the timestamps are too coarse
  if (!large_sizes_.contains(row)) {
    // The first time of a row says how large it may be.
    std::uint64_t large = std::max(scale_.large, n);
    const double each = m.median / static_cast<double>(n);
    while (large / 4 >= n && (each * static_cast<double>(large) > kLongestRow ||
                              !session_->cannot_hold(*row, large).empty())) {
      large /= 4;
    }
    large_sizes_[row] = large;
  }
  return m.copy_median / m.median;
}

// Nothing if the device cannot hold the row, lacks what it needs, or cannot time it.
std::optional<double> Tuner::best_share(const Place& place, bool again) {
  const auto found = best_shares_.find(place);
  if (found != best_shares_.end() && (!again || !found->second)) return found->second;
  std::optional<double> result;
  if (session_->cannot_hold(*place.first, place.second).empty()) {
    try {
      const double found_now = share(best_device_, place, !again && place.second <= kAlwaysChecked);
      if (found_now > 0) result = found_now;
    } catch (const Wrong& wrong) {
      throw std::runtime_error("--tune: the tuning that it begins with gives wrong results: " +
                               std::string(wrong.what()) + "; see --selftest");
    } catch (const Error& error) {
      const Status& status = error.status();
      if (!(status == Status::unsupported || status == Status::out_of_memory)) throw;
    }
  }
  return best_shares_[place] = result;
}

std::vector<Place> Tuner::places(const Dial& dial, const Tuning& a, const Tuning& b) {
  std::vector<Place> found;
  for (const std::string& name : dial.rows) {
    const Row& row = row_of(name);
    if (dial.unit) {
      const std::uint64_t n = std::max(dial.member.get(a), dial.member.get(b)) / dial.unit;
      if (n >= kSmallestThreshold && n <= scale_.large) {
        found.push_back({&row, n});
      }
      continue;
    }
    found.push_back({&row, scale_.small});
    if (!best_share(found.back(), false)) continue;
    if (large_sizes_.at(&row) > scale_.small) found.push_back({&row, large_sizes_.at(&row)});
  }
  // Small ones come first: they are quick, and check the result.
  std::stable_sort(found.begin(), found.end(),
                   [](const Place& x, const Place& y) { return x.second < y.second; });
  std::erase_if(found, [&](const Place& place) { return !best_share(place, false); });
  return found;
}

bool Tuner::compare(const Dial& dial, const Tuning& best, const Tuning& candidate) {
  const std::vector<Place> where = places(dial, best, candidate);
  if (where.empty()) return false;
  Device device = session_->create_device(candidate);
  // The first pass goes no further than to a row that loses. The second one is what counts: of many
  // candidates, the first pass would keep those that were lucky.
  std::vector<double> ratios[2];
  std::map<Place, std::optional<double>> shares;
  for (const bool again : {false, true}) {
    for (const Place& place : where) {
      const double before = best_share(place, again).value_or(0);
      const bool check = again == (place.second > kAlwaysChecked);
      const double now = share(device, place, check);
      ratios[again].push_back(now / before);
      shares[place] = now;
      if (ratios[again].back() < 1 - scale_.margin.loss) return false;
    }
    if (!is_better(ratios[again], scale_.margin)) return false;
  }
  best_device_ = std::move(device);
  best_shares_ = std::move(shares);
  kept_places_.insert(where.begin(), where.end());
  reserve_ = 0;
  for (const Place& place : kept_places_) reserve_ += 2 * took_[place];
  return true;
}

bool Tuner::better(const Dial& dial, const Tuning& best, const Tuning& candidate) {
  const std::string value = dial.member.shown(dial.member.get(candidate));
  doing_ = dial.member.name() + " " + value;
  if (failed_.contains(doing_)) return false;
  const auto discard = [&](const std::string& why) {
    failed_.insert(doing_);
    report_.discarded.push_back(doing_ + ": " + why);
  };
  try {
    const bool kept = compare(dial, best, candidate);
    if (kept) report_.best = candidate;
    return kept;
  } catch (const Wrong& wrong) {
    discard(std::string("WRONG RESULT: ") + wrong.what());
  } catch (const Error& error) {
    discard(error.what());
    if (error.status() == Status::device_lost) renew();
  }
  return false;
}

// Measures a family's old and new tuning once more, over all rows that its steps were measured by.
// If nothing is left of the gain, the old one stays.
void Tuner::confirm(const Tuning& before, TuneOutcome& outcome) {
  family_end_ = end_;
  reserve_ = 0;
  doing_ = outcome.family + ", old and new";
  std::vector<double> ratios;
  try {
    const Device old = session_->create_device(before);
    for (const Place& place : kept_places_) {
      const double was = share(old, place, false);
      ratios.push_back(share(best_device_, place, false) / was);
    }
  } catch (const OutOfTime&) {
    outcome.is_confirmed = false;
  }
  outcome.gain = geometric_mean(ratios) - 1;
  if (!outcome.is_confirmed || outcome.gain > 0) return;
  outcome.changes.clear();
  report_.best = before;
  best_device_ = session_->create_device(before);
  best_shares_.clear();
}

void Tuner::tune_family(const Family& family) {
  const Tuning before = report_.best;
  const std::uint32_t largest =
      session_->context().properties().limits.maxComputeWorkGroupInvocations;
  TuneOutcome outcome{.family = family.name};
  std::vector<Member> members;
  for (const Dial& dial : family.dials) {
    // On lavapipe of Mesa 22.3 the order by workgroups fails beyond some thousand tiles.
    if (dial.member.name() != "tile_order" || session_->is_gpu()) members.push_back(dial.member);
  }
  const auto dial_of = [&](const Member& member) -> const Dial& {
    return *std::find_if(family.dials.begin(), family.dials.end(),
                         [&](const Dial& dial) { return dial.member.name() == member.name(); });
  };
  kept_places_.clear();
  reserve_ = 0;
  Tuning best = before;
  try {
    descend(
        members, largest,
        [&](const Tuning& from, const Tuning& to, const Member& member) {
          return better(dial_of(member), from, to);
        },
        best);
  } catch (const OutOfTime&) {
    outcome.is_finished = false;
  }
  for (const Member& member : members) {
    const std::uint32_t from = member.get(before), to = member.get(report_.best);
    if (from != to) {
      outcome.changes.push_back(member.name() + " " + member.shown(from) + " -> " +
                                member.shown(to));
    }
  }
  if (!outcome.changes.empty()) confirm(before, outcome);
  report_.outcomes.push_back(std::move(outcome));
}

int Tuner::run() {
  std::vector<const Family*> wanted;
  for (const Family& family : all_families()) {
    const auto& names = options_.families;
    if (names.empty() || std::find(names.begin(), names.end(), family.name) != names.end()) {
      wanted.push_back(&family);
    }
  }
  write(report_);  // rather now than in five minutes, if that is not possible
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    // What a family leaves of its time is for those after it.
    family_end_ = Clock::now() + (end_ - Clock::now()) / static_cast<int>(wanted.size() - i);
    progress_.family(wanted[i]->name, i + 1, wanted.size());
    tune_family(*wanted[i]);
    write(report_);
  }
  progress_.end();
  print(report_);
  return 0;
}

}  // namespace

std::vector<std::string> tune_families() {
  std::vector<std::string> names;
  for (const Family& family : all_families()) names.push_back(family.name);
  return names;
}

int tune(const ContextInfo& info, const TuneOptions& options) { return Tuner(info, options).run(); }

}  // namespace vkprims::bench

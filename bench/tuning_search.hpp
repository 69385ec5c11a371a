// Coordinate descent over the members of a Tuning. It knows no device: what a candidate is worth,
// its caller says.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vkprims/tuning.hpp"

namespace vkprims::bench {

/// A member of Tuning by its name, tile_order included.
class Member {
 public:
  explicit Member(std::string_view name) : name_(name) {
    for (const TuningField& field : tuning_fields()) {
      if (name == field.name) field_ = &field;
    }
  }
  const std::string& name() const { return name_; }
  /// Whether Tuning has such a member.
  bool exists() const { return field_ || is_order(); }
  std::uint32_t get(const Tuning& tuning) const {
    return field_ ? tuning.*field_->member : static_cast<std::uint32_t>(tuning.tile_order);
  }
  void set(Tuning& tuning, std::uint32_t value) const {
    if (field_) {
      tuning.*field_->member = value;
    } else {
      tuning.tile_order = static_cast<TileOrder>(value);
    }
  }
  /// The value in words: the order has names.
  std::string shown(std::uint32_t value) const {
    return field_ ? std::to_string(value) : value == 1 ? "ticket" : "workgroup";
  }
  /// The values to try next to this one, on a device with workgroups within `max_workgroup`: one
  /// step and a factor of two up and down for a few rows, a factor of two for what has a range of
  /// more than 64.
  std::vector<std::uint32_t> neighbours(std::uint32_t value, std::uint32_t max_workgroup) const {
    if (!field_) return {3 - value};
    const bool is_workgroup = field_->rule != TuningRule::any;
    const std::int64_t high = is_workgroup ? std::min(field_->high, max_workgroup) : field_->high;
    const std::int64_t low = std::max(field_->low, 1u);  // 0 is that of the table
    const std::int64_t v = value;
    std::vector<std::int64_t> tried;
    if (field_->rule == TuningRule::multiple_of_128) {
      tried = {v + 128, v - 128};
    } else if (field_->rule == TuningRule::power_of_two) {
      tried = {2 * v, v / 2};
    } else if (field_->high > 64) {
      tried = {2 * v, v / 2};
      if (v == 0) tried = {16, 64};  // of a pause that the table does not have
    } else {
      tried = {v + 1, v - 1, 2 * v, v / 2};
    }
    std::vector<std::uint32_t> values;
    for (const std::int64_t t : tried) {
      if (field_->rule != TuningRule::any && (t < low || t > high)) continue;
      const auto found = static_cast<std::uint32_t>(std::clamp(t, low, high));
      if (found == value || std::find(values.begin(), values.end(), found) != values.end())
        continue;
      values.push_back(found);
    }
    return values;
  }

 private:
  bool is_order() const { return name_ == "tile_order"; }
  std::string name_;
  const TuningField* field_ = nullptr;
};

/// How much better a candidate must be to be kept. Both are relative.
struct Margin {
  double gain;  ///< the least, of the geometric mean of all rows
  double loss;  ///< the largest, of any row
};

/// The geometric mean; 1 of nothing.
inline double geometric_mean(std::span<const double> ratios) {
  double sum = 0;
  for (const double r : ratios) sum += std::log(r);
  return ratios.empty() ? 1 : std::exp(sum / static_cast<double>(ratios.size()));
}

/// Whether the ratios of old to new times of some rows are enough to keep the new tuning.
inline bool is_better(std::span<const double> ratios, const Margin& margin) {
  const bool any_loses =
      std::any_of(ratios.begin(), ratios.end(), [&](double r) { return r < 1 - margin.loss; });
  return !any_loses && geometric_mean(ratios) > 1 + margin.gain;
}

/// Says whether `candidate` is better than `best`, from which it differs in `member` alone.
using Better =
    std::function<bool(const Tuning& best, const Tuning& candidate, const Member& member)>;

/// Tries the neighbours of each member in turn and moves to those that are better, until no member
/// has one, and at most three times round. `best` is where it begins and ends, also if `better`
/// throws.
inline void descend(std::span<const Member> members, std::uint32_t max_workgroup,
                    const Better& better, Tuning& best) {
  bool moved = true;
  for (int round = 0; moved && round < 3; ++round) {
    moved = false;
    for (const Member& member : members) {
      std::vector<std::uint32_t> tried{member.get(best)};
      for (bool again = true; again;) {
        again = false;
        for (const std::uint32_t value : member.neighbours(member.get(best), max_workgroup)) {
          if (std::find(tried.begin(), tried.end(), value) != tried.end()) continue;
          tried.push_back(value);
          Tuning candidate = best;
          member.set(candidate, value);
          if (!better(best, candidate, member)) continue;
          best = candidate;
          again = moved = true;
          break;
        }
      }
    }
  }
}

}  // namespace vkprims::bench

// Oracle of vkprims/segmented_scan.hpp: the scan of each segment.
#pragma once

#include "oracles/scan.hpp"

namespace vkprims::oracle {

/// Calls f(first, end) for each segment, in order. `heads` says whether a segment begins at an
/// element.
template <class F>
void for_each_segment(const std::vector<bool>& heads, F&& f) {
  for (std::size_t first = 0, end; first < heads.size(); first = end) {
    for (end = first + 1; end < heads.size() && !heads[end];) ++end;
    f(first, end);
  }
}

/// The result is exact for integers and for min and max; for float add see segmented_scan_error().
template <class T>
std::vector<T> segmented_scan(std::span<const T> in, const std::vector<bool>& heads, Op op,
                              ScanKind kind, std::optional<T> initial = {}) {
  std::vector<T> out;
  for_each_segment(heads, [&](std::size_t first, std::size_t end) {
    const auto segment = scan<T, T>(in.subspan(first, end - first), op, kind, initial);
    out.insert(out.end(), segment.begin(), segment.end());
  });
  return out;
}

/// Returns the largest error of sums, as a share of the bound in vkprims/scan.hpp.
template <class T>
double segmented_scan_error(std::span<const T> in, const std::vector<bool>& heads, ScanKind kind,
                            const std::vector<T>& sums) {
  long double worst = 0;
  for_each_segment(heads, [&](std::size_t first, std::size_t end) {
    const auto right = scan_sums<T>(in.subspan(first, end - first), kind);
    for (std::size_t i = 0; i < end - first; ++i) {
      const long double error = std::abs(sums[first + i] - right.values[i]);
      const long double bound = scan_error_bound(right, i);
      if (error > 0) worst = std::max(worst, bound > 0 ? error / bound : 2);
    }
  });
  return static_cast<double>(worst);
}

}  // namespace vkprims::oracle

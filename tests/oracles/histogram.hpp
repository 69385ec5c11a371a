// Oracle of vkprims/histogram.hpp: one sample after another.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "vkprims/histogram.hpp"

namespace vkprims::oracle {

inline constexpr std::uint32_t kNoBin = ~std::uint32_t{0};

/// Returns the bin of a sample. `volatile` has every operation rounded by itself.
template <class T, class Level>
std::uint32_t histogram_bin(const HistogramDesc& desc, T x, std::span<const Level> levels) {
  if (x != x) return kNoBin;
  if (desc.by == HistogramBins::levels) {
    const auto above = std::upper_bound(levels.begin(), levels.end(), static_cast<Level>(x));
    if (above == levels.begin() || above == levels.end()) return kNoBin;
    return static_cast<std::uint32_t>(above - levels.begin() - 1);
  }
  if constexpr (std::is_same_v<T, float>) {
    const auto lower = static_cast<float>(desc.lower), upper = static_cast<float>(desc.upper);
    if (x < lower || x >= upper) return kNoBin;
    volatile float width = upper - lower;
    volatile float scale = static_cast<float>(desc.bins) / width;
    volatile float above = x - lower;
    volatile float bin = above * scale;
    return std::min(static_cast<std::uint32_t>(bin), desc.bins - 1);
  } else {
    const auto sample = static_cast<std::int64_t>(x);
    if (desc.by == HistogramBins::keys) {
      return sample >= 0 && sample < desc.bins ? static_cast<std::uint32_t>(sample) : kNoBin;
    }
    const auto lower = static_cast<std::int64_t>(desc.lower);
    const auto upper = static_cast<std::int64_t>(desc.upper);
    if (sample < lower || sample >= upper) return kNoBin;
    return static_cast<std::uint32_t>((sample - lower) * desc.bins / (upper - lower));
  }
}

/// Adds to counts[i] the number of samples that fall into bin i.
template <class T, class Counter, class Level = std::uint32_t>
void histogram(const HistogramDesc& desc, std::span<const T> in, std::span<Counter> counts,
               std::span<const Level> levels = {}) {
  for (const T x : in) {
    const std::uint32_t bin = histogram_bin(desc, x, levels);
    if (bin != kNoBin) ++counts[bin];
  }
}

}  // namespace vkprims::oracle

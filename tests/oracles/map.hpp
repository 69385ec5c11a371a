// Map as a plain loop, over elements as words.
#pragma once

#include <cstdint>
#include <vector>

namespace vkprims::oracle {

using Words = std::vector<std::uint32_t>;

/// Calls f(in, index, out) for each of n elements, where in[k] and out[k] point to the words of the
/// element of sequence k; `in_words` and `out_words` are how many those have.
template <class F>
std::vector<Words> map(F f, std::uint64_t n, const std::vector<Words>& in,
                       const std::vector<std::uint32_t>& in_words,
                       const std::vector<std::uint32_t>& out_words) {
  std::vector<Words> out;
  for (const std::uint32_t words : out_words) out.emplace_back(n * words);
  std::vector<const std::uint32_t*> x(in.size());
  std::vector<std::uint32_t*> y(out.size());
  for (std::uint64_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < in.size(); ++k) x[k] = in[k].data() + i * in_words[k];
    for (std::size_t k = 0; k < out.size(); ++k) y[k] = out[k].data() + i * out_words[k];
    f(x, i, y);
  }
  return out;
}

}  // namespace vkprims::oracle

// Column offsets that are not what they should be.
#pragma once

#include <algorithm>
#include <array>
#include <random>

#include "vkprims/string_column.hpp"

namespace vkprims::test {

/// Returns the rows between any offsets. Rows whose offsets descend or lie past the end are cut.
inline HostStrings cut_rows(const std::vector<std::uint64_t>& offsets, const std::string& chars) {
  HostStrings rows;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    const std::uint64_t end = std::min<std::uint64_t>(offsets[i + 1], chars.size());
    const std::uint64_t begin = std::min(offsets[i], end);
    rows.push_back(chars.substr(begin, end - begin));
  }
  return rows;
}

inline std::vector<std::vector<std::uint64_t>> hostile_offsets(std::uint64_t rows,
                                                               std::uint64_t bytes) {
  std::vector<std::vector<std::uint64_t>> all(6, std::vector<std::uint64_t>(rows + 1));
  std::mt19937_64 engine(1);
  for (std::uint64_t i = 0; i <= rows; ++i) {
    all[0][i] = 5 * (rows - i);                                   // these descend
    all[1][i] = i % 2 * bytes;                                    // all bytes, again and again
    all[2][i] = bytes + 3 * i;                                    // these lie past the end
    all[3][i] = engine() % (bytes + bytes / 4);                   // these lie anywhere
    all[4][i] = engine() % 3 ? engine() % bytes : ~0ull - i % 5;  // these lie far away
    all[5][i] = std::array{std::uint64_t{2}, bytes, std::uint64_t{4}, std::uint64_t{6}}[i % 4];
  }
  return all;
}

}  // namespace vkprims::test

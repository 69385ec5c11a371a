// Rows of an ArrowArray in host memory: checks before they are read, bits, elements.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "arrow_format.hpp"

namespace vkprims::arrow {

/// Rows of an array; these are not all of its rows where a record batch is a slice of its children.
struct Rows {
  const ArrowArray& array;
  const std::string& name;
  std::uint64_t first = 0;  // in the buffers
  std::uint64_t count = 0;

  template <class T>
  const T* buffer(int i) const {
    return static_cast<const T*>(array.buffers[i]);
  }
  /// An element of a buffer, which may have any address.
  template <class T>
  T load(int i, std::uint64_t at) const {
    T value;
    std::memcpy(&value, buffer<std::byte>(i) + at * sizeof(T), sizeof(T));
    return value;
  }
};

Rows all_rows(const ArrowArray& array, const std::string& name);
/// The rows of a record batch in one of its children.
Rows rows_of_child(const Rows& batch, std::size_t i, const std::string& name);

/// These throw Error for everything that can be wrong with an array except its contents.
void check_array(const Rows& rows, const Layout& layout);
void check_batch(const Rows& rows, std::size_t children);
/// Throws Error if buffer i is null.
void check_present(const Rows& rows, int i, const char* what);

/// Bits of the rows in a buffer, moved so that the first is bit 0, with zeros behind the last.
std::vector<std::uint32_t> bits_of(const Rows& rows, int i);
/// Validity bits of the rows; empty if no row is null.
std::vector<std::uint32_t> validity_of(const Rows& rows);

inline bool bit(const std::vector<std::uint32_t>& words, std::uint64_t i) {
  return words.empty() || (words[i / 32] >> (i % 32) & 1) != 0;
}

}  // namespace vkprims::arrow

// Arrow arrays made by hand, as another library would hand them over.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vkprims/arrow.hpp"

namespace vkprims::test {

using Bytes = std::vector<std::uint8_t>;

/// Counts how often each structure that was handed over has been released.
struct Releases {
  int arrays = 0, schemas = 0;
};

/// An array and its schema, member for member.
struct Produced {
  std::string format, name = "x";
  std::int64_t flags = ARROW_FLAG_NULLABLE;
  std::int64_t length = 0, null_count = -1, offset = 0;
  std::vector<std::optional<Bytes>> buffers;  ///< null pointers where there is none
  std::vector<Produced> children;
  std::vector<Produced> dictionary;  ///< empty, or one dictionary
};

namespace detail {

struct ProducedArray {
  std::vector<std::unique_ptr<std::uint8_t[]>> memory;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  ArrowArray dictionary{};
  Releases* releases;
};

struct ProducedSchema {
  std::string format, name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
  ArrowSchema dictionary{};
  Releases* releases;
};

template <class Owner, class Structure>
void release(Structure* structure) {
  auto* owner = static_cast<Owner*>(structure->private_data);
  for (Structure& child : owner->children) {
    if (child.release) child.release(&child);
  }
  if (owner->dictionary.release) owner->dictionary.release(&owner->dictionary);
  if (owner->releases) {
    ++(std::is_same_v<Structure, ArrowArray> ? owner->releases->arrays : owner->releases->schemas);
  }
  delete owner;
  structure->release = nullptr;
}

}  // namespace detail

/// Makes the array. Its buffers have exactly the bytes given, at odd addresses.
inline ArrowArray array_of(const Produced& p, Releases* releases) {
  auto* owner = new detail::ProducedArray{.releases = releases};
  for (const auto& bytes : p.buffers) {
    owner->buffers.push_back(nullptr);
    if (!bytes) continue;
    owner->memory.push_back(std::make_unique<std::uint8_t[]>(bytes->size() + 1));
    std::uint8_t* at = owner->memory.back().get() + 1;
    if (!bytes->empty()) std::memcpy(at, bytes->data(), bytes->size());
    owner->buffers.back() = at;
  }
  for (const Produced& child : p.children) owner->children.push_back(array_of(child, nullptr));
  for (ArrowArray& child : owner->children) owner->pointers.push_back(&child);
  if (!p.dictionary.empty()) owner->dictionary = array_of(p.dictionary[0], nullptr);
  return {.length = p.length,
          .null_count = p.null_count,
          .offset = p.offset,
          .n_buffers = static_cast<std::int64_t>(p.buffers.size()),
          .n_children = static_cast<std::int64_t>(p.children.size()),
          .buffers = owner->buffers.data(),
          .children = owner->pointers.data(),
          .dictionary = p.dictionary.empty() ? nullptr : &owner->dictionary,
          .release = detail::release<detail::ProducedArray, ArrowArray>,
          .private_data = owner};
}

inline ArrowSchema schema_of(const Produced& p, Releases* releases) {
  auto* owner =
      new detail::ProducedSchema{.format = p.format, .name = p.name, .releases = releases};
  for (const Produced& child : p.children) owner->children.push_back(schema_of(child, nullptr));
  for (ArrowSchema& child : owner->children) owner->pointers.push_back(&child);
  if (!p.dictionary.empty()) owner->dictionary = schema_of(p.dictionary[0], nullptr);
  return {.format = owner->format.c_str(),
          .name = owner->name.c_str(),
          .metadata = nullptr,
          .flags = p.flags,
          .n_children = static_cast<std::int64_t>(p.children.size()),
          .children = owner->pointers.data(),
          .dictionary = p.dictionary.empty() ? nullptr : &owner->dictionary,
          .release = detail::release<detail::ProducedSchema, ArrowSchema>,
          .private_data = owner};
}

template <class Structure>
bool is_alive(const Structure& structure) {
  return structure.release != nullptr;
}

/// Returns the bytes of values.
template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// Packs bits, the lowest first, after `offset` bits that are the opposite of the first one.
template <class Set>
Bytes pack_bits(std::uint64_t offset, std::uint64_t n, Set&& set) {
  Bytes bytes((offset + n + 7) / 8, n && !set(0) ? 0xff : 0);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t at = offset + i;
    const auto mask = static_cast<std::uint8_t>(1 << at % 8);
    bytes[at / 8] =
        static_cast<std::uint8_t>(set(i) ? bytes[at / 8] | mask : bytes[at / 8] & ~mask);
  }
  return bytes;
}

template <class T>
using Nullable = std::vector<std::optional<T>>;

template <class T>
bool any_null(const Nullable<T>& rows) {
  for (const auto& row : rows) {
    if (!row) return true;
  }
  return false;
}

/// Returns the validity of rows at an offset, or nothing if no row is null.
template <class T>
std::optional<Bytes> validity_of(const Nullable<T>& rows, std::uint64_t offset) {
  if (!any_null(rows)) return std::nullopt;
  return pack_bits(offset, rows.size(), [&](std::uint64_t i) { return rows[i].has_value(); });
}

/// Produces numbers that lie `offset` rows into their buffers. `junk` lies before them and under
/// nulls.
template <class T>
Produced produce(const char* format, const Nullable<T>& rows, std::uint64_t offset, T junk) {
  std::vector<T> values(offset, junk);
  for (const auto& row : rows) values.push_back(row.value_or(junk));
  return {.format = format,
          .length = static_cast<std::int64_t>(rows.size()),
          .offset = static_cast<std::int64_t>(offset),
          .buffers = {validity_of(rows, offset), bytes_of(values)}};
}

inline Produced produce_bits(const Nullable<bool>& rows, std::uint64_t offset) {
  return {.format = "b",
          .length = static_cast<std::int64_t>(rows.size()),
          .offset = static_cast<std::int64_t>(offset),
          .buffers = {validity_of(rows, offset), pack_bits(offset, rows.size(), [&](auto i) {
                        return rows[i].value_or(true);
                      })}};
}

/// Produces strings with offsets of type Offset. The buffer of bytes starts with some that belong
/// to no row, and the rows before `offset` and the null rows have bytes, too.
template <class Offset>
Produced produce_strings(const HostStrings& rows, std::uint64_t offset) {
  std::string bytes = "head";
  std::vector<Offset> offsets;
  for (std::uint64_t i = 0; i < offset; ++i) {
    offsets.push_back(static_cast<Offset>(bytes.size()));
    bytes += "before";
  }
  for (const auto& row : rows) {
    offsets.push_back(static_cast<Offset>(bytes.size()));
    bytes += row.value_or("null");
  }
  offsets.push_back(static_cast<Offset>(bytes.size()));
  return {
      .format = sizeof(Offset) == 8 ? "U" : "u",
      .length = static_cast<std::int64_t>(rows.size()),
      .offset = static_cast<std::int64_t>(offset),
      .buffers = {validity_of(rows, offset), bytes_of(offsets), Bytes(bytes.begin(), bytes.end())}};
}

/// Reads the rows of an array as the specification says.
inline bool is_valid(const ArrowArray& a, std::int64_t row) {
  const auto* bits = static_cast<const std::uint8_t*>(a.buffers[0]);
  const std::int64_t at = a.offset + row;
  return !bits || (bits[at / 8] >> at % 8 & 1);
}
template <class T>
Nullable<T> read_numbers(const ArrowArray& a) {
  Nullable<T> rows(static_cast<std::size_t>(a.length));
  for (std::int64_t i = 0; i < a.length; ++i) {
    if (is_valid(a, i))
      rows[static_cast<std::size_t>(i)] = static_cast<const T*>(a.buffers[1])[a.offset + i];
  }
  return rows;
}
inline Nullable<bool> read_bits(const ArrowArray& a) {
  Nullable<bool> rows(static_cast<std::size_t>(a.length));
  const auto* bits = static_cast<const std::uint8_t*>(a.buffers[1]);
  for (std::int64_t i = 0; i < a.length; ++i) {
    const std::int64_t at = a.offset + i;
    if (is_valid(a, i)) rows[static_cast<std::size_t>(i)] = (bits[at / 8] >> at % 8 & 1) != 0;
  }
  return rows;
}
template <class Offset>
HostStrings read_strings(const ArrowArray& a) {
  HostStrings rows(static_cast<std::size_t>(a.length));
  const auto* offsets = static_cast<const Offset*>(a.buffers[1]) + a.offset;
  const auto* chars = static_cast<const char*>(a.buffers[2]);
  for (std::int64_t i = 0; i < a.length; ++i) {
    if (is_valid(a, i)) {
      rows[static_cast<std::size_t>(i)].emplace(chars + offsets[i], chars + offsets[i + 1]);
    }
  }
  return rows;
}

}  // namespace vkprims::test

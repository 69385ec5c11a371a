// Columns of strings: their sizes, upload and download.
#include "vkprims/string_column.hpp"

#include <algorithm>

namespace vkprims {
namespace {

std::vector<std::uint32_t> bits_of(const HostStrings& rows) {
  std::vector<std::uint32_t> bits((rows.size() + 31) / 32);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    bits[i / 32] |= static_cast<std::uint32_t>(rows[i].has_value()) << (i % 32);
  }
  return bits;
}

bool bit(const std::vector<std::uint32_t>& words, std::uint64_t i) {
  return words.empty() || (words[i / 32] >> (i % 32) & 1) != 0;
}

template <class Offset>
StringColumn upload_as(Context& context, const HostStrings& rows, bool nullable,
                       std::uint64_t longest) {
  std::vector<Offset> offsets{0};
  std::vector<std::uint8_t> chars;
  for (const auto& row : rows) {
    if (row) chars.insert(chars.end(), row->begin(), row->end());
    offsets.push_back(static_cast<Offset>(chars.size()));
  }
  Buffer<std::uint32_t> validity;
  if (nullable) validity = context.upload(bits_of(rows));
  StringColumn column(context.upload(offsets), context.upload(chars), std::move(validity),
                      chars.size());
  column.set_longest_row_bytes(longest);
  return column;
}

// Throws Error because `what` has `size` elements and needs another number of them.
[[noreturn]] void refuse(const char* what, std::uint64_t size, const std::string& needed) {
  throw Error(Status::error(Status::invalid_argument, "StringColumn: %s.size() is %llu, %s", what,
                            static_cast<unsigned long long>(size), needed.c_str()));
}

}  // namespace

std::uint64_t StringColumn::checked_rows(std::uint64_t offsets) const {
  if (offsets == 0 || offsets > kMaxStringRows + 1) {
    refuse("offsets", offsets, "must be rows + 1, 1 … 2^31");
  }
  const std::uint64_t rows = offsets - 1, words = (rows + 31) / 32;
  if (validity_.size() != 0 && validity_.size() < words) {
    refuse("validity", validity_.size(),
           "must be 0 or at least " + std::to_string(words) + " for " + std::to_string(rows) +
               " rows");
  }
  if (bytes_ > chars_.size()) {
    refuse("chars", chars_.size(), "fewer than the " + std::to_string(bytes_) + " bytes given");
  }
  return rows;
}

std::uint32_t StringColumn::row_bytes() const {
  if (row_bytes_ || rows_ == 0) return row_bytes_;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>((bytes_ + rows_ - 1) / rows_, 1, kMaxStringBytes));
}

StringColumn upload_strings(Context& context, const HostStrings& rows, IndexWidth width) {
  std::uint64_t bytes = 0, longest = 1;  // a bound of 0 would mean that it is not known
  bool nullable = false;
  for (const auto& row : rows) {
    bytes += row ? row->size() : 0;
    longest = std::max<std::uint64_t>(longest, row ? row->size() : 0);
    nullable |= !row;
  }
  if (width == IndexWidth::u64) return upload_as<std::uint64_t>(context, rows, nullable, longest);
  if (bytes > kMaxStringBytes) {
    throw Error(Status::error(Status::invalid_argument,
                              "upload_strings: %llu bytes do not fit offsets of 32 bits",
                              static_cast<unsigned long long>(bytes)));
  }
  return upload_as<std::uint32_t>(context, rows, nullable, longest);
}

StringColumn upload_strings(Context& context, const std::vector<std::string>& rows,
                            IndexWidth width) {
  return upload_strings(context, HostStrings(rows.begin(), rows.end()), width);
}

HostStrings download_strings(Context& context, const StringColumn& column) {
  std::vector<std::uint64_t> offsets;
  if (column.offsets64().size()) {
    offsets = context.download(column.offsets64());
  } else {
    const auto narrow = context.download(column.offsets32());
    offsets.assign(narrow.begin(), narrow.end());
  }
  HostStrings rows(column.rows());
  if (rows.empty()) return rows;
  const std::uint64_t end = std::min<std::uint64_t>(offsets.back(), column.chars().size());
  const auto chars = context.download(column.chars(), 0, end);
  const auto validity =
      column.nullable() ? context.download(column.validity()) : std::vector<std::uint32_t>();
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t first = std::min(offsets[i], end), last = std::min(offsets[i + 1], end);
    if (bit(validity, i)) {
      rows[i].emplace(chars.begin() + std::ptrdiff_t(first),
                      chars.begin() + std::ptrdiff_t(std::max(first, last)));
    }
  }
  return rows;
}

std::vector<std::optional<bool>> download_bits(Context& context, const BitColumn& column) {
  const auto bits = context.download(column.bits);
  const auto validity =
      column.validity.size() ? context.download(column.validity) : std::vector<std::uint32_t>();
  std::vector<std::optional<bool>> rows(column.rows);
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    if (bit(validity, i)) rows[i] = bit(bits, i);
  }
  return rows;
}

}  // namespace vkprims

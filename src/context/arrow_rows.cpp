#include "arrow_rows.hpp"

#include <bit>

namespace vkprims::arrow {
namespace {

static_assert(std::endian::native == std::endian::little, "bytes of bits are taken as words");

// Sizes in bits do not overflow for rows that end below this.
constexpr std::int64_t kMaxEnd = std::int64_t{1} << 56;

[[noreturn]] void refuse_number(const std::string& name, const char* what, std::int64_t value,
                                const std::string& allowed) {
  refuse(Status::invalid_argument, name,
         std::string(what) + " is " + std::to_string(value) + ", must be " + allowed);
}

// Checks the numbers that an array of any format has, and the pointers to what they count.
void check_numbers(const ArrowArray& array, const std::string& name, std::int64_t buffers,
                   std::int64_t children) {
  if (!array.release) refuse(Status::invalid_argument, name, "the array has been released");
  if (is_in_device_memory(array)) {
    refuse(Status::invalid_argument, name,
           "the array is in device memory: import its device array");
  }
  if (array.length < 0) refuse_number(name, "length", array.length, "0 or more");
  if (array.offset < 0) refuse_number(name, "offset", array.offset, "0 or more");
  if (array.offset > kMaxEnd || array.length > kMaxEnd - array.offset) {
    refuse(Status::unsupported, name,
           "length " + std::to_string(array.length) + " at offset " + std::to_string(array.offset) +
               " leads past 2^56 rows");
  }
  if (array.null_count < -1 || array.null_count > array.length) {
    refuse_number(name, "null_count", array.null_count, "-1 to " + std::to_string(array.length));
  }
  if (array.n_buffers != buffers) {
    refuse_number(name, "n_buffers", array.n_buffers, std::to_string(buffers));
  }
  if (!array.buffers) refuse(Status::invalid_argument, name, "buffers is null");
  if (array.n_children != children) {
    refuse_number(name, "n_children", array.n_children, std::to_string(children));
  }
  if (children && !array.children) refuse(Status::invalid_argument, name, "children is null");
  if (array.null_count > 0 && !array.buffers[0]) {
    refuse(Status::invalid_argument, name,
           "null_count is " + std::to_string(array.null_count) + " without a validity buffer");
  }
}

void check_count(const Rows& rows, std::uint64_t limit) {
  if (rows.count <= limit) return;
  refuse(Status::unsupported, rows.name,
         std::to_string(rows.count) + " rows, at most " + std::to_string(limit));
}

void check_format(const Rows& rows, char format, bool has_dictionary) {
  check_numbers(rows.array, rows.name, buffer_count(format), 0);
  if (has_dictionary != (rows.array.dictionary != nullptr)) {
    refuse(Status::invalid_argument, rows.name,
           has_dictionary ? "the schema has a dictionary, the array has none"
                          : "the array has a dictionary, the schema has none");
  }
  check_count(rows, is_strings(format) ? kMaxStringRows : kMaxCount);
  if (rows.count) check_present(rows, 1, is_strings(format) ? "offsets" : "data");
}

bool all_set(const std::vector<std::uint32_t>& words, std::uint64_t n) {
  std::uint64_t set = 0;
  for (const std::uint32_t word : words) set += static_cast<std::uint64_t>(std::popcount(word));
  return set == n;
}

}  // namespace

Rows all_rows(const ArrowArray& array, const std::string& name) {
  return {array, name, static_cast<std::uint64_t>(array.offset),
          static_cast<std::uint64_t>(array.length)};
}

Rows rows_of_child(const Rows& batch, std::size_t i, const std::string& name) {
  const ArrowArray* child = batch.array.children[i];
  if (!child) refuse(Status::invalid_argument, name, "the array is null");
  const std::uint64_t end = batch.first + batch.count;
  if (child->length >= 0 && static_cast<std::uint64_t>(child->length) < end) {
    refuse_number(name, "length", child->length,
                  std::to_string(end) + " or more: offset and length of the record batch");
  }
  return {*child, name, static_cast<std::uint64_t>(child->offset) + batch.first, batch.count};
}

void check_array(const Rows& rows, const Layout& layout) {
  check_format(rows, layout.format, layout.dictionary_format != 0);
  if (!layout.dictionary_format) return;
  const std::string name = layout.field.name + ".dictionary";
  check_format(all_rows(*rows.array.dictionary, name), layout.dictionary_format, false);
}

void check_batch(const Rows& rows, std::size_t children) {
  check_numbers(rows.array, rows.name, 1, static_cast<std::int64_t>(children));
  check_count(rows, kMaxCount);
  if (rows.array.dictionary) {
    refuse(Status::invalid_argument, rows.name, "a record batch with a dictionary");
  }
}

void check_present(const Rows& rows, int i, const char* what) {
  if (rows.array.buffers[i]) return;
  refuse(Status::invalid_argument, rows.name,
         std::string("the buffer of the ") + what + " is null");
}

std::vector<std::uint32_t> bits_of(const Rows& rows, int i) {
  std::vector<std::uint32_t> words((rows.count + 31) / 32);
  if (words.empty()) return words;
  const std::uint64_t begin = rows.first / 8, end = (rows.first + rows.count + 7) / 8;
  const std::uint64_t bytes = (rows.count + 7) / 8;
  const std::uint8_t* from = rows.buffer<std::uint8_t>(i) + begin;
  auto* const to = reinterpret_cast<std::uint8_t*>(words.data());
  const unsigned shift = rows.first % 8;
  for (std::uint64_t at = 0; at < bytes; ++at) {
    const unsigned next = begin + at + 1 < end ? from[at + 1] : 0u;
    to[at] = static_cast<std::uint8_t>((from[at] | next << 8) >> shift);
  }
  if (rows.count % 32) words.back() &= (1u << rows.count % 32) - 1;
  return words;
}

std::vector<std::uint32_t> validity_of(const Rows& rows) {
  if (!rows.array.buffers[0] || rows.array.null_count == 0) return {};
  std::vector<std::uint32_t> words = bits_of(rows, 0);
  if (all_set(words, rows.count)) words.clear();
  return words;
}

}  // namespace vkprims::arrow

// Dictionary encoding: a number for each row of a column of strings, the same for the same bytes.
#pragma once

#include <optional>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// Which code a string has.
enum class DictionaryOrder : std::uint32_t {
  first_appearance,  ///< 0 for the first row that is not null, 1 for the next that differs, …
};

struct DictionaryEncodeDesc {
  DictionaryOrder order = DictionaryOrder::first_appearance;
  /// Distinct rows that there is room for; not given: as many as rows
  std::optional<std::uint64_t> capacity = {};
  /// Of the hash. Results do not depend on it; a random one makes it hard to choose rows that collide.
  std::uint32_t seed = 0;
  /// What no row is longer than; 0: not known. Below 512, scratch and some dispatches for longer rows are saved.
  std::uint64_t longest_row_bytes = 0;
  Schedule schedule = Schedule::automatic;
};

struct DictionaryEncodeBuffers {
  StringColumnView in;
  BufferView codes;
  BufferView validity = {};  ///< address 0: not wanted
  BufferView rows = {};      ///< address 0: not wanted
  BufferView distinct_count;
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};
};

/// codes[i] = the number of row i's bytes among the distinct ones, 0xffffffff where row i is null; rows[code] = the first
/// row that has these bytes. Null is no entry of the dictionary. The dictionary itself is a gather of the rows with the
/// count; a gather from it by the codes gives the column again, nulls too.
///
/// codes           u32 for each row of in; address multiple of 4
/// validity        bits of the codes from bit 0 on, those of in: in.rows / 32 words, rounded up; address multiple of 4
/// rows            room for capacity u32; address multiple of 4. What lies behind the last one is kept
/// distinct_count  8 bytes, address multiple of 8: how many there are, as u64, may be above capacity
/// report          DeviceReport: capacity_exceeded, count: distinct rows without room, first_index: the first of these,
///                 needed: how many there are. codes and distinct_count are right all the same
/// scratch         dictionary_encode_scratch(): 13 to 21 bytes for each row, and 1/16 of in.chars where a row may have
///                 512 bytes
/// in, barriers, errors, determinism: see vkprims/strings/column.hpp; scratch also -> DRAW_INDIRECT /
///                 INDIRECT_COMMAND_READ. capacity above kMaxStringRows is an error, too
/// Time            grows with all bytes, however long rows are: those of 512 bytes or more are cut into blocks of 256,
///                 unless offsets descend anywhere, where one invocation reads a row. Rows and blocks that were made to
///                 collide under a seed that is known can cost a pass over the table each
/// Source          open addressing in a table of at least twice as many slots as rows; A. Appleby's finalizer of
///                 MurmurHash3. The lowest row of each kind wins its slot, so that no race shows
///
/// Codes are keys for group_by (with Recorder r, StringColumn cities, Buffer<float> sales):
///
///   auto d = strings::dictionary_encode(r, cities);
///   const GroupKey key{.type = Type::u32, .nullable = cities.nullable()};
///   const GroupValue value{.type = Type::f32};
///   const GroupAggregation sum{.op = Aggregate::sum};
///   const BufferView codes = d.codes.view(), validity = d.validity.view(), in = sales.view();
///   const BufferView groups = out_codes.view(), sums = out_sums.view();
///   group_by(r, {.keys = {&key, 1}, .values = {&value, 1}, .aggregations = {&sum, 1}, .count = cities.rows(),
///                .null_keys = NullKeys::drop},
///            {.keys = {&codes, 1}, .key_validity = {&validity, 1}, .values = {&in, 1}, .out_keys = {&groups, 1},
///             .out = {&sums, 1}, .group_count = group_count.view()});
///   auto names = strings::gather(r, d.dictionary, out_codes, group_count, d.dictionary.byte_bound());
///
/// With NullKeys::group the rows that are null are the last group, if out_key_validity says so of it.
Status record_dictionary_encode(VkCommandBuffer cmd, const Device& device,
                                const DictionaryEncodeDesc& desc,
                                const DictionaryEncodeBuffers& buffers);

/// Scratch that record_dictionary_encode() needs for so many rows with so many bytes in in.chars.
ScratchNeed dictionary_encode_scratch(const Device& device, const DictionaryEncodeDesc& desc,
                                      std::uint64_t rows, std::uint64_t chars_bytes);

/// Compiles what record_dictionary_encode() uses for `desc`.
Status warm_up(const Device& device, const DictionaryEncodeDesc& desc);

}  // namespace vkprims::strings

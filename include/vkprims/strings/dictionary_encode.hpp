// Dictionary encoding: a number for each row of a column of strings, the same for the same bytes.
/// @ingroup strings
#pragma once

#include <optional>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// Which code each distinct string gets.
enum class DictionaryOrder : std::uint32_t {
  first_appearance,  ///< 0 for the first row that is not null, 1 for the next that differs, …
};

/// Describes an encoding to record_dictionary_encode(), dictionary_encode_scratch() and warm_up().
struct DictionaryEncodeDesc {
  DictionaryOrder order = DictionaryOrder::first_appearance;  ///< which code each string gets
  /// Number of distinct rows that there is room for; not given: as many as rows.
  std::optional<std::uint64_t> capacity = {};
  /// Seed of the hash. Results do not depend on it; a random seed makes it hard to choose rows that
  /// collide.
  std::uint32_t seed = 0;
  /// No row has more bytes; 0: not known. A value below 512 saves scratch and some dispatches for
  /// longer rows.
  std::uint64_t longest_row_bytes = 0;
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Memory for record_dictionary_encode().
struct DictionaryEncodeBuffers {
  StringColumnView in;        ///< the rows to encode
  BufferView codes;           ///< a code for each row
  BufferView validity = {};   ///< address 0: not wanted
  BufferView rows = {};       ///< address 0: not wanted
  BufferView distinct_count;  ///< one u64
  BufferView report = {};     ///< address 0: not wanted
  Scratch scratch = {};       ///< dictionary_encode_scratch() bytes
};

/// codes[i] = the number of row i's bytes among the distinct ones, or 0xffffffff where row i is
/// null; rows[code] = the first row that has these bytes. Null is not an entry of the dictionary.
/// To get the dictionary itself, gather the rows with the count; to get the column back, nulls
/// included, gather from the dictionary by the codes.
///
/// codes           u32 for each row of in; address multiple of 4
/// validity        validity bits of the codes from bit 0 on, equal to those of in: in.rows / 32
///                 words, rounded up; address multiple of 4
/// rows            room for capacity u32; address multiple of 4. Memory behind the last one is left
///                 unchanged
/// distinct_count  8 bytes, address multiple of 8: the number of distinct rows, as u64, which may
///                 be above capacity
/// report          DeviceReport: code capacity_exceeded, count = the distinct rows without room,
///                 first_index = the first of these, needed = the number of distinct rows. codes
///                 and distinct_count are still right
/// scratch         dictionary_encode_scratch(): 13 to 21 bytes for each row, and 1/16 of in.chars
///                 if a row may have 512 bytes
/// Before          in: last writer -> COMPUTE_SHADER / SHADER_READ. codes, validity, rows,
///                 distinct_count, report: all earlier users -> COMPUTE_SHADER / SHADER_READ |
///                 SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER | TRANSFER |
///                 DRAW_INDIRECT / SHADER_READ | SHADER_WRITE | TRANSFER_WRITE |
///                 INDIRECT_COMMAND_READ
/// After           codes, validity, rows, distinct_count, report: COMPUTE_SHADER / SHADER_WRITE ->
///                 your reader. in, scratch: free after COMPUTE_SHADER
/// Errors          as vkprims/strings/column.hpp describes; also capacity above kMaxStringRows
/// Cost            The time is proportional to the number of bytes, however long rows are: rows of
///                 512 bytes or more are cut into blocks of 256. If offsets descend anywhere, one
///                 invocation reads a whole row instead. Rows and blocks that were made to collide
///                 under a known seed can cost a pass over the table each
/// Source          open addressing in a table of at least twice as many slots as rows; A. Appleby's
///                 finalizer of MurmurHash3. Of equal rows the lowest wins the slot, so the result
///                 does not depend on races
///
/// The codes can be the keys of group_by, here with Recorder r, StringColumn cities and
/// Buffer<float> sales:
///
///   auto d = strings::dictionary_encode(r, cities);
///   const GroupKey key{.type = Type::u32, .nullable = cities.nullable()};
///   const GroupValue value{.type = Type::f32};
///   const GroupAggregation sum{.op = Aggregate::sum};
///   const BufferView codes = d.codes.view(), validity = d.validity.view(), in = sales.view();
///   const BufferView groups = out_codes.view(), sums = out_sums.view();
///   group_by(r,
///            {.keys = {&key, 1}, .values = {&value, 1}, .aggregations = {&sum, 1},
///             .count = cities.rows(), .null_keys = NullKeys::drop},
///            {.keys = {&codes, 1}, .key_validity = {&validity, 1}, .values = {&in, 1},
///             .out_keys = {&groups, 1}, .out = {&sums, 1},
///             .group_count = group_count.view()});
///   auto names = strings::gather(r, d.dictionary, out_codes, group_count,
///                                d.dictionary.byte_bound());
///
/// With NullKeys::group the null rows, if there are any, are the last group; its bit in
/// out_key_validity is 0 then.
Status record_dictionary_encode(VkCommandBuffer cmd, const Device& device,
                                const DictionaryEncodeDesc& desc,
                                const DictionaryEncodeBuffers& buffers);

/// Scratch that record_dictionary_encode() needs for `rows` rows with `chars_bytes` bytes in
/// in.chars.
ScratchNeed dictionary_encode_scratch(const Device& device, const DictionaryEncodeDesc& desc,
                                      std::uint64_t rows, std::uint64_t chars_bytes);

/// Compiles the pipelines that record_dictionary_encode() uses for `desc`.
Status warm_up(const Device& device, const DictionaryEncodeDesc& desc);

}  // namespace vkprims::strings

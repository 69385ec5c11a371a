// Tuning: how kernels are shaped on a device.
/// @ingroup runtime
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vkprims/status.hpp"

namespace vkprims {

/// The order in which the workgroups of a look-back take their tiles.
enum class TileOrder : std::uint32_t {
  from_table,  ///< as the library's table says for the device
  ticket,      ///< in the order in which they start, by an atomic counter; suits every device
  /// By their number, for devices that start workgroups in that order. On other devices a workgroup
  /// may have to recompute all tiles before its own. On lavapipe this fails beyond some thousand
  /// tiles, because its loops end after 65,535 iterations.
  workgroup,
};

/// How much work one workgroup takes on a device. A member that is 0 comes from the library's
/// table.
///
/// load() reads one from text, and text() writes it: a line `scan_rows = 7` for each member, in any
/// order, where `#` begins a comment. The value of tile_order is `ticket` or `workgroup`.
/// `vkprims-bench --tune` finds the values that are fastest on a device, and writes such a file.
struct Tuning {
  std::uint32_t workgroup_size = 0;  ///< power of two, 128 … 1024 and within device limits
  /// 16-byte rows that an invocation of copy, fill or iota moves, 1 … 16
  std::uint32_t stream_rows = 0;
  /// 16-byte rows that an invocation of a fold has in flight, 1 … 16
  std::uint32_t rows_per_tile = 0;
  std::uint32_t max_reduce_groups = 0;    ///< workgroups of a grid that folds, 1 … 8192
  std::uint32_t single_group_bytes = 0;   ///< input that one workgroup folds alone, 1 … 2^24
  std::uint32_t scan_workgroup_size = 0;  ///< the same as workgroup_size, for scans
  std::uint32_t scan_rows = 0;        ///< 16-byte rows in flight per invocation of scans, 1 … 16
  std::uint32_t scan_batches = 0;     ///< batches of scan_rows rows in a tile, 1 … 64
  std::uint32_t max_scan_groups = 0;  ///< workgroups of Schedule::multi_pass, 256 … 65536
  /// Bytes of elements up to which scans and compactions take one dispatch without scratch,
  /// 1 … 2^24. Histograms do so up to 16 KiB, if this is not less.
  std::uint32_t single_scan_bytes = 0;
  std::uint32_t segment_rows = 0;     ///< the same as scan_rows, for segmented scans, 1 … 16
  std::uint32_t segment_batches = 0;  ///< the same as scan_batches, for these, 1 … 64
  std::uint32_t run_rows = 0;         ///< the same as scan_rows, for run_length_encode, 1 … 8
  std::uint32_t run_batches = 0;      ///< the same as scan_batches, for run_length_encode, 1 … 8
  std::uint32_t key_workgroup_size = 0;  ///< the same as workgroup_size, for reduce_by_key
  std::uint32_t key_rows = 0;            ///< the same as scan_rows, for reduce_by_key, 1 … 8
  std::uint32_t key_batches = 0;         ///< the same as scan_batches, for reduce_by_key, 1 … 8
  /// Number of elements up to which segmented scans, run_length_encode and reduce_by_key use tiles
  /// of one batch of few rows in their look-back, so that more workgroups have work, 1 … 2^30.
  /// select, partition and unique do so up to a quarter of it. Up to as many elements, a subgroup
  /// of merge and merge_sort searches for a tile, not an invocation. From as many needles on,
  /// search has samples of its haystack in shared memory. Up to five times as many words of
  /// segments and values, tiles of segmented_reduce, spmv and expand search for where they begin;
  /// up to 24 times as many, a subgroup searches for each.
  std::uint32_t small_count = 0;
  /// The same as workgroup_size, for segmented_reduce, spmv, stack_match and nearest_smaller.
  std::uint32_t csr_workgroup_size = 0;
  std::uint32_t csr_rows = 0;  ///< the same as rows_per_tile, for these, 1 … 16
  /// The same as scan_rows, for select, partition and unique, 1 … 8.
  std::uint32_t compact_rows = 0;
  std::uint32_t compact_batches = 0;      ///< batches of compact_rows rows in a tile, 1 … 8
  std::uint32_t sort_workgroup_size = 0;  ///< for sorts of 4-byte keys; multiple of 128, 128 … 1024
  std::uint32_t sort_pair_workgroup_size = 0;  ///< the same for longer keys, and keys with values
  std::uint32_t sort_rows = 0;  ///< largest number of keys per invocation of sorts, 4 … 23
  /// Number of keys up to which tiles of sorts have at most 8 rows, so that more workgroups have
  /// work, 1 … 2^30. From twice as many signed keys or floats on, sorts save registers instead of
  /// instructions.
  std::uint32_t small_sort_count = 0;
  /// largest number of keys that one workgroup sorts alone, 1 … 8192
  std::uint32_t single_sort_count = 0;
  /// Number of rows up to which group_by sorts them, and does not look first whether their keys lie
  /// in a window, unless the caller gives a bound of the keys, 1 … 2^30.
  std::uint32_t group_sort_count = 0;
  std::uint32_t sort_portion = 0;  ///< largest number of keys that a dispatch moves, 1 … 2^29
  /// Symbols in a tile of StackSchedule::seed_window; a power of two, 4 … 1024.
  std::uint32_t stack_window_size = 0;
  /// Number of symbols from which on stack_match counts levels in 64 bits instead of 32, 1 … 2^30.
  std::uint32_t stack_short_count = 0;
  /// Largest number of symbols of which stack_fold folds all of a tile at once, and not row after
  /// row, 1 … 2^22.
  std::uint32_t stack_chain_count = 0;
  std::uint32_t spin_limit = 0;  ///< fruitless polls before a look-back recomputes a tile, 1 … 2^20
  std::uint32_t lookback_pause = 0;  ///< shuffles of a subgroup before the first poll, 0 … 256
  TileOrder tile_order = TileOrder::from_table;  ///< how look-backs take their tiles

  /// Reads a tuning from the contents of a file. Members that the text does not name are 0. Fails
  /// with invalid_argument on a line that is no `name = value`, on a name that is no member's or
  /// comes a second time, and on a value outside the member's range or against its rule; the
  /// message has the line, the name, the value and what is allowed. `tuning` is unchanged then.
  /// Whether workgroups fit a device is only checked by Device::create().
  static Status load(std::string_view text, Tuning& tuning);
  /// The members that are not 0, a line each, as load() reads them.
  std::string text() const;
};

/// What values a member of Tuning may have besides its range.
enum class TuningRule : std::uint32_t {
  any,             ///< all of its range
  power_of_two,    ///< powers of two
  multiple_of_128  ///< multiples of 128
};

/// A member of Tuning, for programs that let their users set it.
struct TuningField {
  const char* name;               ///< of the member
  std::uint32_t Tuning::*member;  ///< the member itself
  std::uint32_t low;              ///< the least value
  std::uint32_t high;             ///< the largest value; workgroups must fit the device besides
  TuningRule rule;                ///< which values between these are allowed
};

/// All members of Tuning except tile_order.
std::span<const TuningField> tuning_fields();

}  // namespace vkprims

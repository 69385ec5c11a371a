#include "runtime/tuning.hpp"

#include <algorithm>

#include "runtime/validate.hpp"

namespace vkprims {
namespace {

struct Row {
  std::uint32_t vendor, driver, subgroup_size;  // 0: any
  Tuning tuning;
};

// First match wins.
constexpr Row kTable[] = {
    // H200. Streaming: 256 invocations of 1 row copy at 4.27 TB/s, as cudaMemcpy does; 2 rows 4.13,
    // 4 rows 4.06, 8 rows 4.02.
    // Reduce: 1056 workgroups fill its 132 processors once; 2112 cost 2 us more at 2^24 elements,
    // 528 nothing less; 8 rows are no faster than 4. One workgroup folds 256 KiB in 7.7 us; many,
    // with the counter they need, take 12.3 us on a graphics queue.
    // Scan (2^28): without a look-back the same kernel runs at 97 % of copy, so what counts is how
    // long tiles wait, and how many can. u32 / u64: 7 rows x 256 are 608 / 1226 us, 6 x 256 - / 1268,
    // 8 x 256 625 / 1244 (the driver spills), 8 x 512 605 / 1269; two batches u64 1284: the second is
    // out of the cache by then. A pause of 48 shuffles before the first poll gains 2 %, 128 lose it
    // again. A poll that asks for a tile's prefix and aggregate at once instead of one after the
    // other: 575 / 1173 instead of 604 / 1228 us, select 480 instead of 504; with that pauses of
    // 0 / 16 / 32 / 48 / 64 / 96 are 1172 / 1311 / 1278 / 1171 / 1165 / 1177 (u64). Tickets instead of
    // workgroup numbers cost 2 %. In strips, 396 workgroups: 791 us, 264 799, 792 827.
    // What waits for a prefix decides the others, too, that is registers. Before ranks went by shuffles
    // (500 / 642 since): select 50 % / unique random: 4
    // rows x 2 batches 545 / 694 us, 2 x 4 685 / 762, 6 x 1 635 / 847; with a stage for each subgroup
    // instead of the workgroup 644 / 721. run_length_encode of runs of 16 / random: 6 x 1 (62 registers)
    // 655 / 1149, 4 x 2 631 / 1192, 2 x 4 712 / 1278. reduce_by_key of these, lanes with neighbours: 4 x 2 x 512
    // (62) 1068 / 1654, x 256 (76) 1199 / 1735; 2 x 4 x 256 (64) 1252 / 1696; rows instead, 2 x 4 x 256 (48) 1134 / 1653;
    // without turning the stage 4 x 2 x 256 (64) 969 / 2014; keys of dense batches staged as well (78) 1104 / 2109.
    // Small tiles at 2^20 / 65,536: reduce_by_key 17.4 / 11.0 instead of 20.9 / 19.3 us, scan_by_key 12.5 / 9.5
    // instead of 15.9 / 42.8; at 2^22 they lose.
    // Radix sort (2^28), u32 / with u32 / u64: what counts is how many keys are in flight, so registers: 384 x 23 5566 /
    // 9924 / 17946 (of 12 rows), 256 x 23 5925 / 8438 / 16784 (20), 512 x 20 5576 / 9512 / 19696; with digits and places
    // kept in registers 384 x 23 took 8948. A look-back that asks for 1 / 4 / 8 / 16 tiles at a time 6042 / 5545 /
    // 5566 / 5692. Ranks counted early instead of ranking once gain 2 %. At 2^20 large tiles take 64 us, 8 rows 71; at
    // 65,536 50 and 39.
    // CSR (segmented_reduce, mean 16): 128 x 4 rows 455, 256 x 4 516, 128 x 8 495, 128 x 2 640; workgroups
    // that stay and load the next tile's header ahead 626. spmv band: 16 nonzeros a lane 228, 12 258, 8 248.
    {0x10de,
     0,
     0,
     {.workgroup_size = 256,
      .stream_rows = 1,
      .rows_per_tile = 4,
      .max_reduce_groups = 1056,
      .single_group_bytes = 1 << 18,
      .scan_workgroup_size = 256,
      .scan_rows = 7,
      .scan_batches = 1,
      .max_scan_groups = 396,
      .single_scan_bytes = 1 << 17,
      .segment_rows = 4,
      .segment_batches = 2,
      .run_rows = 6,
      .run_batches = 1,
      .key_workgroup_size = 512,
      .key_rows = 4,
      .key_batches = 2,
      .small_count = 1 << 20,
      .csr_workgroup_size = 128,
      .csr_rows = 4,
      .compact_rows = 4,
      .compact_batches = 2,
      .sort_workgroup_size = 384,
      .sort_pair_workgroup_size = 256,
      .sort_rows = 23,
      .small_sort_count = 1 << 19,
      .single_sort_count = 8192,
      .sort_portion = 1 << 29,
      .stack_window_size = 512,
      .stack_short_count = 1 << 30,
      .spin_limit = 2048,
      .lookback_pause = 48,
      .tile_order = TileOrder::workgroup}},
    // lavapipe switches coroutines at every barrier: few invocations with much work each.
    {0,
     VK_DRIVER_ID_MESA_LLVMPIPE,
     0,
     {.workgroup_size = 128,
      .stream_rows = 8,
      .rows_per_tile = 8,
      .max_reduce_groups = 64,
      .single_group_bytes = 1 << 16,
      .scan_workgroup_size = 128,
      .scan_rows = 2,
      .scan_batches = 8,
      .max_scan_groups = 1024,
      .single_scan_bytes = 1 << 14,
      .segment_rows = 2,
      .segment_batches = 8,
      .run_rows = 2,
      .run_batches = 4,
      .key_workgroup_size = 128,
      .key_rows = 2,
      .key_batches = 4,
      .small_count = 1,
      .csr_workgroup_size = 128,
      .csr_rows = 8,
      .compact_rows = 2,
      .compact_batches = 4,
      .sort_workgroup_size = 128,
      .sort_pair_workgroup_size = 128,
      .sort_rows = 4,
      .small_sort_count = 1,
      .single_sort_count = 1024,
      .sort_portion = 1 << 29,
      .stack_window_size = 128,
      .stack_short_count = 1 << 30,
      .spin_limit = 8,
      .tile_order = TileOrder::ticket}},
    {0,
     0,
     0,
     {.workgroup_size = 256,
      .stream_rows = 4,
      .rows_per_tile = 4,
      .max_reduce_groups = 1024,
      .single_group_bytes = 1 << 17,
      .scan_workgroup_size = 128,
      .scan_rows = 4,
      .scan_batches = 4,
      .max_scan_groups = 1024,
      .single_scan_bytes = 1 << 14,
      .segment_rows = 4,
      .segment_batches = 4,
      .run_rows = 4,
      .run_batches = 2,
      .key_workgroup_size = 128,
      .key_rows = 2,
      .key_batches = 4,
      .small_count = 1 << 18,
      .csr_workgroup_size = 128,
      .csr_rows = 4,
      .compact_rows = 4,
      .compact_batches = 2,
      .sort_workgroup_size = 256,
      .sort_pair_workgroup_size = 256,
      .sort_rows = 15,
      .small_sort_count = 1 << 18,
      .single_sort_count = 2048,
      .sort_portion = 1 << 29,
      .stack_window_size = 256,
      .stack_short_count = 1 << 30,
      .spin_limit = 8,
      .tile_order = TileOrder::ticket}},
};

Status check_power_of_two(const char* name, std::uint32_t value) {
  if ((value & (value - 1)) == 0) return {};
  return Status::error(Status::invalid_argument,
                       "Device::create: tuning.%s is %u, must be a power of two", name, value);
}

Status check_multiple_of_128(const char* name, std::uint32_t value) {
  if (value % 128 == 0) return {};
  return Status::error(Status::invalid_argument,
                       "Device::create: tuning.%s is %u, must be a multiple of 128", name, value);
}

Status check_range(const char* name, std::uint32_t value, std::uint32_t low, std::uint32_t high) {
  if (value >= low && value <= high) return {};
  return Status::error(Status::invalid_argument, "Device::create: tuning.%s is %u, must be %u … %u",
                       name, value, low, high);
}

}  // namespace

Status choose_tuning(const TuningKey& key, std::uint32_t max_workgroup, const Tuning& wanted,
                     Tuning& tuning) {
  const auto matches = [](std::uint32_t row, std::uint32_t value) {
    return row == 0 || row == value;
  };
  for (const Row& row : kTable) {
    if (matches(row.vendor, key.vendor) && matches(row.driver, key.driver) &&
        matches(row.subgroup_size, key.subgroup_size)) {
      tuning = row.tuning;
      break;
    }
  }
  while (tuning.workgroup_size > max_workgroup) tuning.workgroup_size /= 2;
  while (tuning.scan_workgroup_size > max_workgroup) tuning.scan_workgroup_size /= 2;
  while (tuning.key_workgroup_size > max_workgroup) tuning.key_workgroup_size /= 2;
  while (tuning.csr_workgroup_size > max_workgroup) tuning.csr_workgroup_size /= 2;
  while (tuning.stack_window_size > max_workgroup) tuning.stack_window_size /= 2;
  tuning.sort_workgroup_size = std::min(tuning.sort_workgroup_size, max_workgroup / 128 * 128);
  tuning.sort_pair_workgroup_size =
      std::min(tuning.sort_pair_workgroup_size, max_workgroup / 128 * 128);

  const std::uint32_t largest = std::min(max_workgroup, 1024u);
  struct Field {
    const char* name;
    std::uint32_t Tuning::*value;
    std::uint32_t low, high;
  };
  const Field fields[] = {
      {"workgroup_size", &Tuning::workgroup_size, 128, largest},
      {"stream_rows", &Tuning::stream_rows, 1, 16},
      {"rows_per_tile", &Tuning::rows_per_tile, 1, 16},
      {"max_reduce_groups", &Tuning::max_reduce_groups, 1, 8192},
      {"single_group_bytes", &Tuning::single_group_bytes, 1, 1 << 24},
      {"scan_workgroup_size", &Tuning::scan_workgroup_size, 128, largest},
      {"scan_rows", &Tuning::scan_rows, 1, 16},
      {"scan_batches", &Tuning::scan_batches, 1, 64},
      {"max_scan_groups", &Tuning::max_scan_groups, 256, 65536},
      {"single_scan_bytes", &Tuning::single_scan_bytes, 1, 1 << 24},
      {"segment_rows", &Tuning::segment_rows, 1, 16},
      {"segment_batches", &Tuning::segment_batches, 1, 64},
      {"run_rows", &Tuning::run_rows, 1, 8},
      {"run_batches", &Tuning::run_batches, 1, 8},
      {"key_workgroup_size", &Tuning::key_workgroup_size, 128, largest},
      {"key_rows", &Tuning::key_rows, 1, 8},
      {"key_batches", &Tuning::key_batches, 1, 8},
      {"small_count", &Tuning::small_count, 1, 1 << 30},
      {"csr_workgroup_size", &Tuning::csr_workgroup_size, 128, largest},
      {"csr_rows", &Tuning::csr_rows, 1, 16},
      {"compact_rows", &Tuning::compact_rows, 1, 8},
      {"compact_batches", &Tuning::compact_batches, 1, 8},
      {"sort_workgroup_size", &Tuning::sort_workgroup_size, 128, largest},
      {"sort_pair_workgroup_size", &Tuning::sort_pair_workgroup_size, 128, largest},
      {"sort_rows", &Tuning::sort_rows, 4, 23},
      {"small_sort_count", &Tuning::small_sort_count, 1, 1 << 30},
      {"single_sort_count", &Tuning::single_sort_count, 1, 8192},
      {"sort_portion", &Tuning::sort_portion, 1, 1 << 29},
      {"stack_window_size", &Tuning::stack_window_size, 4, largest},
      {"stack_short_count", &Tuning::stack_short_count, 1, 1 << 30},
      {"spin_limit", &Tuning::spin_limit, 1, 1 << 20},
      {"lookback_pause", &Tuning::lookback_pause, 0, 256},
  };
  for (const Field& field : fields) {
    if (wanted.*field.value) tuning.*field.value = wanted.*field.value;
    VKPRIMS_TRY(check_range(field.name, tuning.*field.value, field.low, field.high));
  }
  VKPRIMS_TRY(check_power_of_two("workgroup_size", tuning.workgroup_size));
  VKPRIMS_TRY(check_power_of_two("scan_workgroup_size", tuning.scan_workgroup_size));
  VKPRIMS_TRY(check_power_of_two("key_workgroup_size", tuning.key_workgroup_size));
  VKPRIMS_TRY(check_power_of_two("csr_workgroup_size", tuning.csr_workgroup_size));
  VKPRIMS_TRY(check_power_of_two("stack_window_size", tuning.stack_window_size));
  VKPRIMS_TRY(check_multiple_of_128("sort_workgroup_size", tuning.sort_workgroup_size));
  VKPRIMS_TRY(check_multiple_of_128("sort_pair_workgroup_size", tuning.sort_pair_workgroup_size));
  if (wanted.tile_order != TileOrder::from_table) tuning.tile_order = wanted.tile_order;
  return check_range("tile_order", static_cast<std::uint32_t>(tuning.tile_order), 1, 2);
}

}  // namespace vkprims

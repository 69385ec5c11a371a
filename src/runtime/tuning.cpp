#include "runtime/tuning.hpp"

#include <algorithm>
#include <bit>

#include "runtime/validate.hpp"

namespace vkprims {
namespace {

struct Row {
  std::uint32_t vendor, driver, subgroup_size;  // 0: any
  Tuning tuning;
};

// These values are for devices of which nothing is known.
constexpr Tuning kOther{.workgroup_size = 256,
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
                        .sort_rows = 12,
                        .small_sort_count = 1 << 18,
                        .single_sort_count = 2048,
                        .group_sort_count = 1 << 18,
                        .sort_portion = 1 << 29,
                        .stack_window_size = 256,
                        .stack_short_count = 1 << 30,
                        .stack_chain_count = 1 << 18,
                        .spin_limit = 8,
                        .tile_order = TileOrder::ticket};

// Returns these values with those changed of which more is known.
constexpr Tuning changed(void (*change)(Tuning&)) {
  Tuning tuning = kOther;
  change(tuning);
  return tuning;
}

// The first row that matches is used.
constexpr Row kTable[] = {
    // This row is for the H200. Times are in microseconds.
    // Streaming: 256 invocations of 1 row copy at 4.27 TB/s, as cudaMemcpy does; 2, 4 and 8 rows
    // reach 4.13, 4.06 and 4.02.
    // Reduce: 1056 workgroups fill its 132 processors once. 2112 cost 2 us more at 2^24 elements,
    // and 528 save nothing; 8 rows are no faster than 4. One workgroup folds 256 KiB in 7.7 us;
    // many, with the counter that they need, take 12.3 us on a graphics queue.
    // Scan (2^28 elements; u32 / u64): without a look-back the same kernel runs at 97 % of the
    // speed of a copy, so what counts is how long tiles wait, and how many of them can. 7 rows x
    // 256 invocations take 608 / 1226, 6 x 256 - / 1268, 8 x 256 625 / 1244 (the driver spills),
    // and 8 x 512 605 / 1269. Two batches take 1284 (u64), because the second one is out of the
    // cache by then. In strips 396 workgroups take 791, 264 take 799, and 792 take 827.
    // Look-back: a pause of 48 shuffles before the first poll gains 2 %, which a pause of 128 loses
    // again. A poll that asks for a tile's prefix and aggregate at once, instead of one after the
    // other, takes 575 / 1173 instead of 604 / 1228, and select 480 instead of 504. With such polls
    // pauses of 0 / 16 / 32 / 48 / 64 / 96 take 1172 / 1311 / 1278 / 1171 / 1165 / 1177 (u64).
    // Tickets instead of workgroup numbers cost 2 %.
    // Select 50 % / unique of random keys: the number of tiles that can wait for a prefix decides
    // here, too, and so do registers. 4 rows x 2 batches take 545 / 694 (500 / 642 with ranks by
    // shuffles), 2 x 4 685 / 762, and 6 x 1 635 / 847. With a stage for each subgroup instead of
    // the workgroup they take 644 / 721.
    // run_length_encode of runs of 16 / of random keys: 6 x 1 (62 registers) takes 655 / 1149, 4 x
    // 2 631 / 1192, and 2 x 4 712 / 1278.
    // reduce_by_key of the same keys, where lanes have neighbours: 4 x 2 x 512 invocations (62
    // registers) takes 1068 / 1654, 4 x 2 x 256 (76) 1199 / 1735, and 2 x 4 x 256 (64) 1252 / 1696.
    // Where lanes have rows, 2 x 4 x 256 (48) takes 1134 / 1653. 4 x 2 x 256 takes 969 / 2014 (64)
    // without turning the stage, and 1104 / 2109 (78) if keys of dense batches are staged as well.
    // Small tiles at 2^20 / 65,536 elements: reduce_by_key takes 17.4 / 11.0 instead of 20.9 /
    // 19.3, and scan_by_key 12.5 / 9.5 instead of 15.9 / 42.8; at 2^22 small tiles are slower.
    // Radix sort (2^28 keys; u32 / u32 with u32 values / u64): what counts is how many keys are in
    // flight, and so registers. 384 invocations x 23 rows take 5566 / 9924 / 17946 (u64: 12 rows),
    // 256 x 23 5925 / 8438 / 16784 (u64: 20 rows), and 512 x 20 5576 / 9512 / 19696. With digits
    // and places kept in registers 384 x 23 takes 8948. A look-back that asks for 1 / 4 / 8 / 16
    // tiles at a time takes 6042 / 5545 / 5566 / 5692. To count ranks early instead of ranking once
    // gains 2 %. At 2^20 keys large tiles take 64 and tiles of 8 rows 71, at 65,536 keys 50 and 39.
    // group_by: 2^20 rows of 256 / 2^16 groups take 68 / 86 if they are sorted at once, and 73 /
    // 103 if their keys are looked at first; 2^24 rows of 256 groups take 326 and 154.
    // CSR (segmented_reduce, 16 values per segment on average): 128 x 4 rows take 455, 256 x 4 516,
    // 128 x 8 495, and 128 x 2 640; workgroups that stay and load the next tile's header ahead take
    // 626. spmv with a band matrix: 16 nonzeros per lane take 228, 12 258, and 8 248.
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
      .single_scan_bytes = 1 << 16,
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
      .group_sort_count = 1 << 20,
      .sort_portion = 1 << 29,
      .stack_window_size = 1024,
      .stack_short_count = 1 << 30,
      .stack_chain_count = 1 << 19,
      .spin_limit = 2048,
      .lookback_pause = 48,
      .tile_order = TileOrder::workgroup}},
    // lavapipe switches coroutines at every barrier, so it has few invocations with much work each.
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
      .group_sort_count = 1 << 16,
      .sort_portion = 1 << 29,
      .stack_window_size = 128,
      .stack_short_count = 1 << 30,
      .stack_chain_count = 1 << 18,
      .spin_limit = 8,
      .tile_order = TileOrder::ticket}},
    // The rows for AMD and Intel are predictions: nobody has timed them. Those for AMD are chosen
    // from what RADV's compiler (Mesa 25.0.7) says of VEGA10, NAVI21 and NAVI31; a SIMD unit has
    // room for 10 waves of VEGA10 and 16 of NAVI (docs/pipelines.md). With subgroups of 64, 4 rows
    // are more than hide the latency of memory, and cost waves. 2 rows in workgroups of twice the
    // size are the same tiles. In waves of VEGA10 / NAVI31, 4 rows and 2 rows give: transform 4 /
    // 12 and 9 / 16, scan u64 5 / 16 and 9 / 16, select, unique and partition 4 / 7 and 8 / 15, CSR
    // 4 / 7 and 7 / 13. reduce_by_key has 7 / 13 as it is.
    // Radix sort of words / pairs: sweeps with 15 keys have 3 / 1 waves of VEGA10 and 7 / 3 of
    // NAVI31, with 12 keys 4 / 2 and 8 / 4, and with 8 keys 6 / 3 and 12 / 6. 12 and 8 keep equally
    // many keys in flight, and with 12 there are fewer tiles, each of which publishes 256 numbers.
    // 768 workgroups that fold fill the 96 compute units of NAVI31 once.
    // Spin: the tile that is waited for is mostly under way on a GPU; NVIDIA's row has 2048 polls.
    {0x1002, 0, 64, changed([](Tuning& t) {
       t.stream_rows = t.scan_rows = t.segment_rows = t.run_rows = t.csr_rows = t.compact_rows = 2;
       t.scan_workgroup_size = 256;
       t.max_reduce_groups = 768;
       t.spin_limit = 256;
     })},
    // With subgroups of 32 all of these have 15 or 16 waves of NAVI with 4 rows, except sweeps: for
    // words / pairs 15 / 6 with 15 keys, and 16 / 8 with 12.
    {0x1002, 0, 0, changed([](Tuning& t) {
       t.max_reduce_groups = 768;
       t.spin_limit = 256;
     })},
    // Intel's compiler was not asked. Xe has 8 threads for each of its vector engines if a thread
    // has 128 registers of 32 bytes, which are 64 for each of 16 lanes, so few rows fit. 16 engines
    // share at least 64 KiB of shared memory, which are 32 bytes for each lane of all threads: 2
    // rows, or 8 keys. 512 workgroups that fold fill 32 cores of an Arc A770 twice.
    {0x8086, 0, 0, changed([](Tuning& t) {
       t.stream_rows = t.scan_rows = t.segment_rows = t.run_rows = t.csr_rows = t.compact_rows = 2;
       t.rows_per_tile = 2;
       t.scan_workgroup_size = 256;
       t.max_reduce_groups = 512;
       t.sort_rows = 8;
       t.spin_limit = 256;
     })},
    {0, 0, 0, kOther},
};

constexpr TuningField kFields[] = {
    {"workgroup_size", &Tuning::workgroup_size, 128, 1024, TuningRule::power_of_two},
    {"stream_rows", &Tuning::stream_rows, 1, 16, TuningRule::any},
    {"rows_per_tile", &Tuning::rows_per_tile, 1, 16, TuningRule::any},
    {"max_reduce_groups", &Tuning::max_reduce_groups, 1, 8192, TuningRule::any},
    {"single_group_bytes", &Tuning::single_group_bytes, 1, 1 << 24, TuningRule::any},
    {"scan_workgroup_size", &Tuning::scan_workgroup_size, 128, 1024, TuningRule::power_of_two},
    {"scan_rows", &Tuning::scan_rows, 1, 16, TuningRule::any},
    {"scan_batches", &Tuning::scan_batches, 1, 64, TuningRule::any},
    {"max_scan_groups", &Tuning::max_scan_groups, 256, 65536, TuningRule::any},
    {"single_scan_bytes", &Tuning::single_scan_bytes, 1, 1 << 24, TuningRule::any},
    {"segment_rows", &Tuning::segment_rows, 1, 16, TuningRule::any},
    {"segment_batches", &Tuning::segment_batches, 1, 64, TuningRule::any},
    {"run_rows", &Tuning::run_rows, 1, 8, TuningRule::any},
    {"run_batches", &Tuning::run_batches, 1, 8, TuningRule::any},
    {"key_workgroup_size", &Tuning::key_workgroup_size, 128, 1024, TuningRule::power_of_two},
    {"key_rows", &Tuning::key_rows, 1, 8, TuningRule::any},
    {"key_batches", &Tuning::key_batches, 1, 8, TuningRule::any},
    {"small_count", &Tuning::small_count, 1, 1 << 30, TuningRule::any},
    {"csr_workgroup_size", &Tuning::csr_workgroup_size, 128, 1024, TuningRule::power_of_two},
    {"csr_rows", &Tuning::csr_rows, 1, 16, TuningRule::any},
    {"compact_rows", &Tuning::compact_rows, 1, 8, TuningRule::any},
    {"compact_batches", &Tuning::compact_batches, 1, 8, TuningRule::any},
    {"sort_workgroup_size", &Tuning::sort_workgroup_size, 128, 1024, TuningRule::multiple_of_128},
    {"sort_pair_workgroup_size", &Tuning::sort_pair_workgroup_size, 128, 1024,
     TuningRule::multiple_of_128},
    {"sort_rows", &Tuning::sort_rows, 4, 23, TuningRule::any},
    {"small_sort_count", &Tuning::small_sort_count, 1, 1 << 30, TuningRule::any},
    {"single_sort_count", &Tuning::single_sort_count, 1, 8192, TuningRule::any},
    {"group_sort_count", &Tuning::group_sort_count, 1, 1 << 30, TuningRule::any},
    {"sort_portion", &Tuning::sort_portion, 1, 1 << 29, TuningRule::any},
    {"stack_window_size", &Tuning::stack_window_size, 4, 1024, TuningRule::power_of_two},
    {"stack_short_count", &Tuning::stack_short_count, 1, 1 << 30, TuningRule::any},
    {"stack_chain_count", &Tuning::stack_chain_count, 1, 1 << 22, TuningRule::any},
    {"spin_limit", &Tuning::spin_limit, 1, 1 << 20, TuningRule::any},
    {"lookback_pause", &Tuning::lookback_pause, 0, 256, TuningRule::any},
};

// The largest value that the table may give to a member of a device with such workgroups.
std::uint32_t fit(const TuningField& field, std::uint32_t value, std::uint32_t max_workgroup) {
  if (field.rule == TuningRule::multiple_of_128) {
    return std::min(value, max_workgroup / 128 * 128);
  }
  while (field.rule == TuningRule::power_of_two && value > max_workgroup) value /= 2;
  return value;
}

}  // namespace

std::span<const TuningField> tuning_fields() { return kFields; }

Status check_field(const char* where, const TuningField& field, std::uint32_t value,
                   std::uint32_t max_workgroup) {
  // Members with a rule are numbers of invocations of a workgroup.
  const bool is_workgroup = field.rule != TuningRule::any;
  const std::uint32_t high = is_workgroup ? std::min(field.high, max_workgroup) : field.high;
  if (value < field.low || value > high) {
    return Status::error(Status::invalid_argument, "%s%s is %u, must be %u … %u", where, field.name,
                         value, field.low, high);
  }
  const bool is_power = std::has_single_bit(value);
  if ((field.rule == TuningRule::power_of_two && !is_power) ||
      (field.rule == TuningRule::multiple_of_128 && value % 128 != 0)) {
    return Status::error(
        Status::invalid_argument, "%s%s is %u, must be a %s", where, field.name, value,
        field.rule == TuningRule::power_of_two ? "power of two" : "multiple of 128");
  }
  return {};
}

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
  for (const TuningField& field : kFields) {
    std::uint32_t& value = tuning.*field.member;
    value = fit(field, value, max_workgroup);
    if (wanted.*field.member) value = wanted.*field.member;
    VKPRIMS_TRY(check_field("Device::create: tuning.", field, value, max_workgroup));
  }
  if (wanted.tile_order != TileOrder::from_table) tuning.tile_order = wanted.tile_order;
  const auto order = static_cast<std::uint32_t>(tuning.tile_order);
  if (order == 1 || order == 2) return {};
  return Status::error(Status::invalid_argument,
                       "Device::create: tuning.tile_order is %u, must be 1 … 2", order);
}

}  // namespace vkprims

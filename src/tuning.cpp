#include "tuning.hpp"

#include <algorithm>

namespace vkprims {
namespace {

struct Row {
  std::uint32_t vendor, driver, subgroup_size;  // 0: any
  Tuning tuning;
};

// First match wins.
constexpr Row kTable[] = {
    // H200. Streaming: 256 invocations of 1 row copy at 4.27 TB/s, as cudaMemcpy does; 2 rows 4.13,
    // 4 rows
    // 4.06, 8 rows 4.02. Reduce: 1056 workgroups fill its 132 processors once; 2112 cost 2 us more
    // at 2^24
    // elements, 528 nothing less; 8 rows are no faster than 4. One workgroup folds 256 KiB in 7.7
    // us; many,
    // with the counter they need, take 12.3 us on a graphics queue.
    {0x10de,
     0,
     0,
     {.workgroup_size = 256,
      .stream_rows = 1,
      .rows_per_tile = 4,
      .max_reduce_groups = 1056,
      .single_group_bytes = 1 << 18}},
    // lavapipe switches coroutines at every barrier: few invocations with much work each.
    {0,
     VK_DRIVER_ID_MESA_LLVMPIPE,
     0,
     {.workgroup_size = 128,
      .stream_rows = 8,
      .rows_per_tile = 8,
      .max_reduce_groups = 64,
      .single_group_bytes = 1 << 16}},
    {0,
     0,
     0,
     {.workgroup_size = 256,
      .stream_rows = 4,
      .rows_per_tile = 4,
      .max_reduce_groups = 1024,
      .single_group_bytes = 1 << 17}},
};

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

  if (wanted.workgroup_size) tuning.workgroup_size = wanted.workgroup_size;
  if (wanted.stream_rows) tuning.stream_rows = wanted.stream_rows;
  if (wanted.rows_per_tile) tuning.rows_per_tile = wanted.rows_per_tile;
  if (wanted.max_reduce_groups) tuning.max_reduce_groups = wanted.max_reduce_groups;
  if (wanted.single_group_bytes) tuning.single_group_bytes = wanted.single_group_bytes;
  const std::uint32_t largest = std::min(max_workgroup, 1024u);
  if (Status s = check_range("workgroup_size", tuning.workgroup_size, 128, largest); !s) return s;
  if (tuning.workgroup_size & (tuning.workgroup_size - 1)) {
    return Status::error(Status::invalid_argument,
                         "Device::create: tuning.workgroup_size is %u, must be a power of two",
                         tuning.workgroup_size);
  }
  if (Status s = check_range("stream_rows", tuning.stream_rows, 1, 16); !s) return s;
  if (Status s = check_range("rows_per_tile", tuning.rows_per_tile, 1, 16); !s) return s;
  if (Status s = check_range("max_reduce_groups", tuning.max_reduce_groups, 1, 8192); !s) return s;
  return check_range("single_group_bytes", tuning.single_group_bytes, 1, 1 << 24);
}

}  // namespace vkprims

// ---- The old form of sort_passes.hpp, for families that are not converted yet.
#pragma once

#include "runtime/record.hpp"
#include "sort/radix_sort/radix_sort.abi.h"
#include "sort/sort_passes.hpp"

namespace vkprims {

/// The commands of a job whose count is above 0.
class SortPasses {
 public:
  /// Finds all pipelines and compiles those that are missing, if it may.
  Status get(DeviceState& state, const SortJob& job, const SortPlaces& places, bool may_compile);
  void record(CommandStream& stream) const;

 private:
  OldGrid grid_of(std::uint32_t portion) const;
  void record_single(CommandStream& stream) const;
  void record_pass(CommandStream& stream, const OldGrid& grid, std::uint32_t pass,
                   std::uint32_t portion) const;

  struct Shape {
    SortTile tile;
    std::uint32_t digit_bits, passes;  // of this job
    bool single;
    std::uint64_t portion_tiles, portions;  // tiles of the largest portion
    std::uint32_t groups, group_rows;       // of the dispatch that counts
    bool prepared, wide, rotates;
    VkDeviceSize header_offset, state_offset, block_offset, zero_end;  // in scratch
    VkDeviceSize grid_offset;  // for all portions except the first
    VkDeviceSize key_offset, second_key_offset, value_offset, end;
  };
  static Shape shape_of(const DeviceState& state, const SortJob& job, bool in_place);

  SortJob job_{};
  SortPlaces places_{};
  Shape shape_{};
  abi::RadixSortPush push_{};
  OldGrid grid_;
  VkPipeline single_ = VK_NULL_HANDLE, histogram_ = VK_NULL_HANDLE, sweep_ = VK_NULL_HANDLE;
  VkPipeline count_ = VK_NULL_HANDLE, prefixes_ = VK_NULL_HANDLE;
};

/// Compiles what a job may need at any count and alignment.
Status warm_up_sort(DeviceState& state, const SortJob& job);

}  // namespace vkprims

// The passes of a radix sort, with the kernels of shaders/sort/radix_sort, as radix_sort,
// argsort and others add them.
#pragma once

#include "runtime/commands.hpp"
#include "sort/sort_tile.hpp"

namespace vkprims {

/// What is sorted, and how.
struct SortJob {
  const char* primitive;  // for messages
  Type type;
  SortOrder order;
  FloatOrder float_order;
  std::uint32_t begin_bit, end_bit;
  Count count;
  Schedule schedule;
  std::uint32_t value_words;  // 0, 1 or 2, moved with the keys
  bool make_indices;          // the values are the numbers of the elements
  bool keep_keys;             // the keys that come out are wanted
};

/// Where things are. Scratch has a third place for keys and values; it also has a second one for
/// keys that are not wanted.
struct SortPlaces {
  VkDeviceAddress keys_in, keys_out, values_in, values_out;
  Scratch scratch;
};

/// The job of a descriptor, except for what its values are.
template <class Desc>
SortJob sort_job(const char* primitive, const Desc& desc) {
  return {.primitive = primitive,
          .type = desc.type,
          .order = desc.order,
          .float_order = desc.float_order,
          .begin_bit = desc.begin_bit,
          .end_bit = desc.end_bit.value_or(8 * size_of(desc.type)),
          .count = desc.count,
          .schedule = desc.schedule,
          .value_words = 0,
          .make_indices = false,
          .keep_keys = true};
}

/// Checks type, orders, bits, count and schedule; a range without bits becomes that from 0 to 0.
Status check_sort_job(SortJob& job);

/// Scratch of a job, whether keys are sorted in place or not.
ScratchNeed sort_need(const DeviceState& state, const SortJob& job);

/// Adds the commands of a job that has been checked.
Status add_sort(Commands& commands, const SortJob& job, const SortPlaces& places);

/// Adds what a job may need at any count, in place or not.
Status warm_up_sort(Commands& commands, const SortJob& job);

}  // namespace vkprims

// The host side of the primitive radix_sort.
#include "vkprims/radix_sort.hpp"

#include <cinttypes>

#include "elementwise/copy.hpp"
#include "elementwise/gather.hpp"
#include "runtime/scratch_layout.hpp"
#include "sort/sort_passes.hpp"

namespace vkprims {
namespace {

constexpr std::uint64_t kMaxIndexedCount = std::uint64_t{1} << 32;

// Values of other sizes do not go with the keys. Indices do instead, and in the end the values are
// gathered by these.
bool is_indexed(const RadixSortDesc& desc) {
  return desc.value_bytes != 0 && desc.value_bytes != 4 && desc.value_bytes != 8;
}

SortJob job_of(const RadixSortDesc& desc) {
  SortJob job = sort_job("radix_sort", desc);
  job.make_indices = is_indexed(desc);
  job.value_words = job.make_indices ? 1 : desc.value_bytes / 4;
  return job;
}

Status check_desc(const RadixSortDesc& desc, SortJob& job) {
  VKPRIMS_TRY(check_sort_job(job));
  const std::uint32_t bytes = desc.value_bytes;
  if (bytes > 16 || (bytes & (bytes - 1)) != 0) {
    return Status::error(Status::invalid_argument,
                         "radix_sort: value_bytes is %u, must be 0, 1, 2, 4, 8 or 16", bytes);
  }
  if (!is_indexed(desc) || desc.count.max <= kMaxIndexedCount) return {};
  return Status::error(Status::invalid_argument,
                       "radix_sort: count is %" PRIu64 ", at most %" PRIu64
                       " is allowed for a value_bytes of %u",
                       desc.count.max, kMaxIndexedCount, bytes);
}

// What lies in scratch behind the part that the passes need: the indices, and a copy of values that
// are sorted in place.
struct Layout {
  VkDeviceSize indices = 0, values = 0, rest = 0;
  ScratchNeed need;
};

GatherDesc gather_of(const RadixSortDesc& desc) {
  return {.element_bytes = desc.value_bytes, .count = desc.count, .source_count = desc.count.max};
}

Layout layout_of(const DeviceState& state, const RadixSortDesc& desc, const SortJob& job) {
  Layout layout;
  ScratchLayout parts;
  parts.take(sort_need(state, job).bytes);
  if (is_indexed(desc) && desc.count.max != 0) {
    layout.rest = parts.take(std::max(gather_need(state, gather_of(desc)).bytes,
                                      copy_need(state, {desc.value_bytes, desc.count}).bytes));
    layout.indices = parts.take(desc.count.max * 4);
    layout.values = parts.take(desc.count.max * desc.value_bytes);
  }
  layout.need = parts.need();
  return layout;
}

Status check_buffers(const RadixSortDesc& desc, const RadixSortBuffers& buffers,
                     const ScratchNeed& need) {
  const std::uint64_t n = desc.count.max;
  const std::uint32_t size = size_of(desc.type), value = desc.value_bytes;
  return check_operands(
      "radix_sort",
      {{"in", buffers.in, n * size, size, false},
       sized({"values_in", buffers.values_in, n * value, value, false}, value),
       in_place_of("in", {"out", buffers.out, n * size, size, true}),
       in_place_of("values_in",
                   sized({"values_out", buffers.values_out, n * value, value, true}, value)),
       operand_of(desc.count),
       operand_of(buffers.scratch, need)});
}

// Adds the commands that move values to where their keys went.
Status add_values(Commands& commands, const RadixSortDesc& desc, const RadixSortBuffers& buffers,
                  const Layout& layout) {
  const Scratch rest = part_of(buffers.scratch, layout.rest, layout.indices - layout.rest);
  BufferView from = buffers.values_in;
  if (from.address == buffers.values_out.address) {
    from = {buffers.scratch.address + layout.values, desc.count.max * desc.value_bytes};
    const Commands::Label label(commands, "copy");
    VKPRIMS_TRY(
        add_copy(commands, {desc.value_bytes, desc.count}, {buffers.values_in, from, rest}));
  }
  const BufferView indices{buffers.scratch.address + layout.indices, desc.count.max * 4};
  const Commands::Label label(commands, "gather");
  return add_gather(commands, gather_of(desc),
                    {.in = from, .indices = indices, .out = buffers.values_out, .scratch = rest});
}

}  // namespace

ScratchNeed radix_sort_scratch(const Device& device, const RadixSortDesc& desc) {
  SortJob job = job_of(desc);
  if (!device || !check_desc(desc, job)) return {};
  return layout_of(*device.state(), desc, job).need;
}

Status record_radix_sort(VkCommandBuffer cmd, const Device& device, const RadixSortDesc& desc,
                         const RadixSortBuffers& buffers) {
  return record_call("radix_sort", cmd, device, [&](Commands& commands) {
    SortJob job = job_of(desc);
    VKPRIMS_TRY(check_desc(desc, job));
    const Layout layout = layout_of(commands.state(), desc, job);
    VKPRIMS_TRY(check_buffers(desc, buffers, layout.need));
    if (desc.count.max == 0) return Status();
    SortPlaces places{buffers.in.address, buffers.out.address, buffers.values_in.address,
                      buffers.values_out.address, buffers.scratch};
    if (!is_indexed(desc)) return add_sort(commands, job, places);
    places.values_in = 0;
    places.values_out = buffers.scratch.address + layout.indices;
    VKPRIMS_TRY(add_sort(commands, job, places));
    return add_values(commands, desc, buffers, layout);
  });
}

Status warm_up(const Device& device, const RadixSortDesc& desc) {
  return warm_up_call("radix_sort", device, [&](Commands& commands) {
    SortJob job = job_of(desc);
    VKPRIMS_TRY(check_desc(desc, job));
    if (is_indexed(desc)) {
      VKPRIMS_TRY(warm_up_gather(commands, gather_of(desc)));
      VKPRIMS_TRY(warm_up_copy(commands, {desc.value_bytes, desc.count}));
    }
    return warm_up_sort(commands, job);
  });
}

}  // namespace vkprims

// The host side of the primitive radix_sort.
#include "vkprims/radix_sort.hpp"

#include <cinttypes>

#include "sort/sort_passes.hpp"
#include "runtime/validate.hpp"
#include "vkprims/copy.hpp"
#include "vkprims/gather.hpp"

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

Layout layout_of(const Device& device, const RadixSortDesc& desc, const SortJob& job) {
  Layout layout;
  layout.need = sort_need(*device.state(), job);
  if (!is_indexed(desc) || desc.count.max == 0) return layout;
  const auto take = [&](VkDeviceSize bytes) {
    const VkDeviceSize offset = (layout.need.bytes + 15) / 16 * 16;
    layout.need.bytes = offset + bytes;
    return offset;
  };
  layout.rest = take(std::max(gather_scratch(device, gather_of(desc)).bytes,
                              copy_scratch(device, {desc.value_bytes, desc.count}).bytes));
  layout.indices = take(desc.count.max * 4);
  layout.values = take(desc.count.max * desc.value_bytes);
  return layout;
}

Scratch part_of(const Scratch& scratch, VkDeviceSize offset, VkDeviceSize bytes) {
  return {scratch.buffer, scratch.offset + offset, scratch.address + offset, bytes};
}

// Moves values to where their keys went.
Status record_values(VkCommandBuffer cmd, const Device& device, const RadixSortDesc& desc,
                     const RadixSortBuffers& buffers, const Layout& layout) {
  const Scratch rest = part_of(buffers.scratch, layout.rest, layout.indices - layout.rest);
  BufferView from = buffers.values_in;
  if (from.address == buffers.values_out.address) {
    from = {buffers.scratch.address + layout.values, desc.count.max * desc.value_bytes};
    VKPRIMS_TRY(
        record_copy(cmd, device, {desc.value_bytes, desc.count}, {buffers.values_in, from, rest}));
  }
  VKPRIMS_TRY(record_barrier(cmd, device, BarrierBefore::compute_and_indirect));
  const BufferView indices{buffers.scratch.address + layout.indices, desc.count.max * 4};
  return record_gather(
      cmd, device, gather_of(desc),
      {.in = from, .indices = indices, .out = buffers.values_out, .scratch = rest});
}

}  // namespace

ScratchNeed radix_sort_scratch(const Device& device, const RadixSortDesc& desc) {
  SortJob job = job_of(desc);
  if (!device || !check_desc(desc, job)) return {};
  return layout_of(device, desc, job).need;
}

Status record_radix_sort(VkCommandBuffer cmd, const Device& device, const RadixSortDesc& desc,
                         const RadixSortBuffers& buffers) {
  VKPRIMS_RECORD_CALL("radix_sort", cmd, device);
  DeviceState& state = *device.state();
  SortJob job = job_of(desc);
  VKPRIMS_TRY(check_desc(desc, job));
  const Layout layout = layout_of(device, desc, job);
  const std::uint64_t n = desc.count.max;
  const std::uint32_t size = size_of(desc.type), value = desc.value_bytes;
  const bool keys_in_place = buffers.in.address == buffers.out.address;
  const bool values_in_place = buffers.values_in.address == buffers.values_out.address;
  const Argument in{"in", buffers.in, n * size, size, false};
  const Argument values_in =
      sized({"values_in", buffers.values_in, n * value, value, false}, value);
  const Argument values_out =
      sized({"values_out", buffers.values_out, n * value, value, true}, value);
  // A sequence that is sorted in place is checked only as an output, except for its size.
  VKPRIMS_TRY(check_arguments("radix_sort", {in, values_in}));
  VKPRIMS_TRY(check_arguments("radix_sort", {keys_in_place ? Argument{} : in,
                                             {"out", buffers.out, n * size, size, true},
                                             values_in_place ? Argument{} : values_in,
                                             values_out,
                                             argument_of(desc.count),
                                             argument_of(buffers.scratch, layout.need)}));
  if (n == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  const bool indexed = is_indexed(desc);
  SortPlaces places{buffers.in.address, buffers.out.address, buffers.values_in.address,
                    buffers.values_out.address, buffers.scratch};
  if (indexed) {
    places.values_in = 0;
    places.values_out = buffers.scratch.address + layout.indices;
  }
  SortPasses passes;
  VKPRIMS_TRY(passes.get(state, job, places, may_compile));
  if (indexed) {
    const Rehearsal rehearsal;
    VKPRIMS_TRY(record_values(cmd, device, desc, buffers, layout));
  }
  const CommandStream label(state, cmd);
  {
    CommandStream stream(state, cmd);
    passes.record(stream);
  }
  return indexed ? record_values(cmd, device, desc, buffers, layout) : Status();
}

Status warm_up(const Device& device, const RadixSortDesc& desc) {
  VKPRIMS_WARM_UP_CALL("radix_sort", device);
  SortJob job = job_of(desc);
  VKPRIMS_TRY(check_desc(desc, job));
  if (is_indexed(desc)) {
    GatherDesc gather = gather_of(desc);
    gather.count.max = gather.source_count = kMaxIndexedCount;
    VKPRIMS_TRY(warm_up(device, gather));
    VKPRIMS_TRY(warm_up(device, CopyDesc{desc.value_bytes, gather.count}));
  }
  return warm_up_sort(*device.state(), job);
}

}  // namespace vkprims

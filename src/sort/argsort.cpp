// The host side of the primitive argsort.
#include "vkprims/argsort.hpp"

#include <cinttypes>

#include "sort/sort_passes.hpp"

namespace vkprims {
namespace {

constexpr std::uint64_t kMaxNarrowCount = std::uint64_t{1} << 32;

SortJob job_of(const ArgsortDesc& desc, bool keep_keys) {
  SortJob job = sort_job("argsort", desc);
  job.value_words = size_of(desc.index_width) / 4;
  job.make_indices = true;
  job.keep_keys = keep_keys;
  return job;
}

Status check_desc(const ArgsortDesc& desc, SortJob& job) {
  VKPRIMS_TRY(check_enum("argsort", "index_width", desc.index_width, IndexWidth::u64));
  VKPRIMS_TRY(check_sort_job(job));
  if (desc.index_width == IndexWidth::u64 || desc.count.max <= kMaxNarrowCount) return {};
  return Status::error(Status::invalid_argument,
                       "argsort: count is %" PRIu64 ", at most %" PRIu64
                       " is allowed for an index_width of u32",
                       desc.count.max, kMaxNarrowCount);
}

}  // namespace

ScratchNeed argsort_scratch(const Device& device, const ArgsortDesc& desc) {
  SortJob job = job_of(desc, false);
  if (!device || !check_desc(desc, job)) return {};
  return sort_need(*device.state(), job);
}

Status record_argsort(VkCommandBuffer cmd, const Device& device, const ArgsortDesc& desc,
                      const ArgsortBuffers& buffers) {
  return record_call("argsort", cmd, device, [&](Commands& commands) {
    SortJob job = job_of(desc, false);
    VKPRIMS_TRY(check_desc(desc, job));
    const ScratchNeed need = sort_need(commands.state(), job);
    job.keep_keys = buffers.keys_out.address != 0;
    const std::uint64_t n = desc.count.max;
    const std::uint32_t size = size_of(desc.type), index_size = size_of(desc.index_width);
    VKPRIMS_TRY(check_operands(
        "argsort", {{"in", buffers.in, n * size, size, false},
                    {"out", buffers.out, n * index_size, index_size, true},
                    {"keys_out", buffers.keys_out, job.keep_keys ? n * size : 0, size, true},
                    operand_of(desc.count),
                    operand_of(buffers.scratch, need)}));
    return add_sort(
        commands, job,
        {buffers.in.address, buffers.keys_out.address, 0, buffers.out.address, buffers.scratch});
  });
}

Status warm_up(const Device& device, const ArgsortDesc& desc) {
  return warm_up_call("argsort", device, [&](Commands& commands) {
    SortJob job = job_of(desc, false);
    VKPRIMS_TRY(check_desc(desc, job));
    return warm_up_sort(commands, job);
  });
}

}  // namespace vkprims

// Operations that choose or order the rows of a column of strings, as a Recorder records them.
#include "string_result.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::strings {
namespace {

StringColumn gather_rows(Recorder& r, const StringColumn& in, const Buffer<std::uint32_t>& indices,
                         VkDeviceAddress count, std::uint64_t byte_bound, bool nullable) {
  Result result(r, indices.size(), byte_bound, nullable, in.row_bytes());
  const GatherStringsDesc desc{.count = {indices.size(), count, CountWidth::u64},
                               .longest_row_bytes = in.longest_row_bytes()};
  r.step(gather_scratch(r.device(), desc, indices.size()), [&](VkCommandBuffer cmd,
                                                               const Scratch& scratch) {
    return record_gather(
        cmd, r.device(), desc,
        {.in = in.view(), .indices = indices.view(), .out = result.out(), .scratch = scratch});
  });
  result.longest_row_bytes = in.longest_row_bytes();
  return std::move(result).column();
}

}  // namespace

StringColumn gather(Recorder& r, const StringColumn& in, const Buffer<std::uint32_t>& indices,
                    std::uint64_t byte_bound) {
  return gather_rows(r, in, indices, 0, byte_bound, true);
}
StringColumn gather(Recorder& r, const StringColumn& in, const Buffer<std::uint32_t>& indices,
                    const Buffer<std::uint64_t>& count, std::uint64_t byte_bound) {
  return gather_rows(r, in, indices, count.address(), byte_bound, true);
}

SelectedRows select(Recorder& r, const StringColumn& in, const BitColumn& mask) {
  Result result(r, in.rows(), in.byte_bound(), true, in.row_bytes());
  auto count = r.allocate<std::uint64_t>(1);
  const SelectStringsDesc desc{.longest_row_bytes = in.longest_row_bytes()};
  r.step(select_scratch(r.device(), desc, in.rows()),
         [&](VkCommandBuffer cmd, const Scratch& scratch) {
           return record_select(cmd, r.device(), desc,
                                {.in = in.view(),
                                 .mask = mask.view(),
                                 .out = result.out(),
                                 .selected_count = count.view(),
                                 .scratch = scratch});
         });
  result.longest_row_bytes = in.longest_row_bytes();
  return {std::move(result).column(), std::move(count)};
}

Buffer<std::uint32_t> argsort(Recorder& r, const StringColumn& in,
                              const ArgsortStringsDesc& options) {
  ArgsortStringsDesc desc = options;
  desc.longest_row_bytes = longest_row_of({&in}, desc.longest_row_bytes);
  auto indices = r.allocate<std::uint32_t>(in.rows());
  r.step(argsort_scratch(r.device(), desc, in.rows(), in.byte_bound()),
         [&](VkCommandBuffer cmd, const Scratch& scratch) {
           return record_argsort(cmd, r.device(), desc,
                                 {.in = in.view(), .indices = indices.view(), .scratch = scratch});
         });
  return indices;
}

StringColumn sort(Recorder& r, const StringColumn& in, const ArgsortStringsDesc& desc) {
  return gather_rows(r, in, argsort(r, in, desc), 0, in.byte_bound(), in.nullable());
}

}  // namespace vkprims::strings

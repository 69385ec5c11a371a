// The host side of the primitive gather.
#include "elementwise/gather.hpp"

#include <array>
#include <cstring>

#include "blocks/indexed.hpp"
#include "elementwise/gather/gather.abi.h"
#include "runtime/push.hpp"
#include "spirv/gather.hpp"

namespace vkprims {
namespace {

Status check_desc(const GatherDesc& desc) {
  VKPRIMS_TRY(check_element_bytes("gather", desc.element_bytes));
  VKPRIMS_TRY(check_indexed("gather", desc, "source_count", desc.source_count));
  if (desc.out_of_range != OutOfRange::fill) return {};
  VKPRIMS_TRY(check_kind("gather", desc.kind, desc.element_bytes));
  return check_value("gather", "fill", desc.fill, desc.kind, desc.element_bytes);
}

// The element that is read where an index is out of range.
Value fill_of(const GatherDesc& desc) {
  if (desc.out_of_range != OutOfRange::fill) return {};
  return element_value(desc.fill, desc.kind, desc.element_bytes);
}

std::array<Operand, 7> operands_of(const DeviceState& state, const GatherDesc& desc,
                                   const GatherBuffers& buffers) {
  const std::uint32_t size = desc.element_bytes, index_size = size_of(desc.index_width);
  const std::uint64_t n = desc.count.max;
  return {{{"in", buffers.in, desc.source_count * size, size, false, "", "source_count"},
           {"indices", buffers.indices, n * index_size, index_size, false},
           {"out", buffers.out, n * size, size, true},
           operand_of_report(buffers.report),
           operand_of(desc.count),
           operand_of("fill", fill_of(desc), size),
           operand_of(buffers.scratch, gather_need(state, desc))}};
}

}  // namespace

ScratchNeed gather_need(const DeviceState& state, const GatherDesc& desc) {
  return grid_need(indexed_grid(state.tuning, desc.element_bytes, desc.count));
}

ScratchNeed gather_scratch(const Device& device, const GatherDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return gather_need(*device.state(), desc);
}

Status add_gather(Commands& commands, const GatherDesc& desc, const GatherBuffers& buffers) {
  if (desc.count.max == 0) return {};
  const auto [in, indices, out, report, count, fill, scratch] =
      operands_of(commands.state(), desc, buffers);
  abi::GatherPush push{.in_base = push_u64(in),
                       .index_base = push_u64(indices),
                       .out_base = push_u64(out),
                       .report = push_u64(report),
                       .count = push_count(desc.count),
                       .source_count = push_u64(desc.source_count),
                       .fill_address = push_u64(fill),
                       .fill = {}};
  std::memcpy(push.fill, fill_of(desc).words, desc.element_bytes);
  const Tuning& tuning = commands.tuning();
  return commands.dispatch(
      spirv::gather,
      indexed_specialization(tuning, desc.element_bytes, desc.index_width, desc.out_of_range,
                             out.address(), indices.address()),
      push, indexed_grid(tuning, desc.element_bytes, desc.count, buffers.scratch),
      {count, fill, in, indices, out, report});
}

Status warm_up_gather(Commands& commands, const GatherDesc& desc) {
  GatherDesc any = desc;
  any.count.max = kMaxCount;
  // Units are aligned at the first of these addresses and not at the second, if they can be that.
  for (const std::uint32_t out : {0u, desc.element_bytes}) {
    VKPRIMS_TRY(add_gather(commands, any, {.out = {out}}));
  }
  return {};
}

Status record_gather(VkCommandBuffer cmd, const Device& device, const GatherDesc& desc,
                     const GatherBuffers& buffers) {
  return record_call("gather", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    VKPRIMS_TRY(check_report("gather", buffers.report, desc.out_of_range));
    VKPRIMS_TRY(check_operands("gather", operands_of(commands.state(), desc, buffers)));
    return add_gather(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const GatherDesc& desc) {
  return warm_up_call("gather", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    return warm_up_gather(commands, desc);
  });
}

}  // namespace vkprims

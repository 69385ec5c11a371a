#include "strings/bits.hpp"

#include "runtime/push.hpp"
#include "spirv/strings_bits.hpp"
#include "strings/bits/bits.abi.h"
#include "runtime/validate.hpp"

namespace vkprims::strings {
namespace {

Status get_pipeline(DeviceState& state, bool may_compile, VkPipeline& pipeline) {
  return state.pipelines.get(state.vk, spirv::strings_bits,
                             {.workgroup_size = state.tuning.workgroup_size}, may_compile,
                             pipeline);
}

}  // namespace

Status record_bits(VkCommandBuffer cmd, DeviceState& state, const BitsView& in,
                   VkDeviceAddress out) {
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, state.info.pipelines == PipelinePolicy::lazy, pipeline));
  const abi::BitsPush push{.bits = push_u64(in.bits.address),
                           .validity = push_u64(in.validity.address),
                           .result = push_u64(out),
                           .first_bit = in.first_bit,
                           .rows = static_cast<abi::uint>(in.rows)};
  const VkDeviceSize bytes = in.rows ? bit_bytes(in.rows, in.first_bit) : 0;
  const std::uint64_t words_each = state.tuning.workgroup_size;
  OldGrid grid;
  grid.groups = (bit_bytes(in.rows) / 4 + words_each - 1) / words_each;
  CommandStream stream(state, cmd);
  stream.dispatch(pipeline, push, grid,
                  {reads(in.bits.address, in.bits.address ? bytes : 0),
                   reads(in.validity.address, in.validity.address ? bytes : 0),
                   writes(out, bit_bytes(in.rows))});
  return {};
}

Status warm_up_bits(DeviceState& state) {
  VkPipeline pipeline;
  return get_pipeline(state, true, pipeline);
}

}  // namespace vkprims::strings

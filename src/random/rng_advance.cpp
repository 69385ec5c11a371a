// The host side of the primitive rng_advance, and the checks of random-number states.
#include "vkprims/rng_advance.hpp"

#include <cinttypes>

#include "runtime/push.hpp"
#include "random/rng.hpp"
#include "spirv/rng_advance.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

constexpr VkDeviceSize kStateBytes = sizeof(DeviceRngState);
constexpr const char* kStateName = "a DeviceRngState";
constexpr std::uint32_t kWordsAreDraws = 2;  // log2 of the draws in a block

}  // namespace

Status check_rng(const char* primitive, const Rng& rng) {
  VKPRIMS_TRY(check_enum(primitive, "rng.rounds", rng.rounds, PhiloxRounds::seven));
  if (rng.offset % 4 == 0) return {};
  return Status::error(Status::invalid_argument,
                       "%s: rng.offset is %" PRIu64 ", must be a multiple of 4", primitive,
                       rng.offset);
}

Argument argument_of(const Rng& rng) {
  return {"rng.state", {rng.state, kStateBytes}, rng.state ? kStateBytes : 0, 8, rng.advance, "",
          kStateName};
}

abi::VkpRngPush push_rng(const Rng& rng) {
  return {push_u64(rng.seed), push_u64(rng.offset), push_u64(rng.stream), push_u64(rng.state)};
}

Status RngAdvance::get(DeviceState& state, const Rng& rng, bool may_compile) {
  if (rng.state == 0 || !rng.advance) return {};
  return state.pipelines.get(state.vk, spirv::rng_advance, kFirstInvocation, may_compile,
                             pipeline_);
}

void RngAdvance::record(CommandStream& stream, const Rng& rng, const Count& draws,
                        std::uint32_t block_draws) const {
  if (!pipeline_) return;
  const abi::RngAdvancePush push{.state = push_u64(rng.state),
                                 .offset = push_u64(rng.offset),
                                 .draws = push_count(draws),
                                 .block_draws = block_draws};
  OldGrid one;
  one.groups = 1;
  stream.dispatch(pipeline_, push, one, {reads(draws), writes(rng.state, kStateBytes)});
}

Status record_rng_advance(VkCommandBuffer cmd, const Device& device, const RngAdvanceDesc& desc,
                          const RngAdvanceBuffers& buffers) {
  VKPRIMS_RECORD_CALL("rng_advance", cmd, device);
  VKPRIMS_TRY(check_count("rng_advance", desc.words, "words"));
  VKPRIMS_TRY(check_arguments("rng_advance",
                              {{"state", buffers.state, kStateBytes, 8, true, "", kStateName},
                               argument_of(desc.words, "words")}));
  DeviceState& state = *device.state();
  const Rng rng{.state = buffers.state.address};
  RngAdvance advance;
  VKPRIMS_TRY(advance.get(state, rng, state.info.pipelines == PipelinePolicy::lazy));
  CommandStream stream(state, cmd);
  advance.record(stream, rng, desc.words, kWordsAreDraws);
  return {};
}

Status warm_up(const Device& device, const RngAdvanceDesc& desc) {
  VKPRIMS_WARM_UP_CALL("rng_advance", device);
  VKPRIMS_TRY(check_count("rng_advance", desc.words, "words"));
  RngAdvance advance;
  return advance.get(*device.state(), {.state = 1}, true);
}

}  // namespace vkprims

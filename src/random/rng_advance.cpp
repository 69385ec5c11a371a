// The host side of the primitive rng_advance, and the checks of random-number states.
#include "vkprims/rng_advance.hpp"

#include <cinttypes>

#include "random/rng.hpp"
#include "runtime/push.hpp"
#include "spirv/rng_advance.hpp"

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

Operand operand_of(const Rng& rng) {
  return {"rng.state", {rng.state, kStateBytes}, rng.state ? kStateBytes : 0, 8, rng.advance, "",
          kStateName};
}

abi::VkpRngPush push_rng(const Rng& rng) {
  return {push_u64(rng.seed), push_u64(rng.offset), push_u64(rng.stream), push_u64(rng.state)};
}

Status add_rng_advance(Commands& commands, const Rng& rng, const Count& draws,
                       std::uint32_t block_draws) {
  if (rng.state == 0 || !rng.advance) return {};
  const abi::RngAdvancePush push{.state = push_u64(rng.state),
                                 .offset = push_u64(rng.offset),
                                 .draws = push_count(draws),
                                 .block_draws = block_draws};
  return commands.dispatch(spirv::rng_advance, kFirstInvocation, push, Grid(1),
                           {operand_of(draws), operand_of(rng)});
}

Status record_rng_advance(VkCommandBuffer cmd, const Device& device, const RngAdvanceDesc& desc,
                          const RngAdvanceBuffers& buffers) {
  return record_call("rng_advance", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_count("rng_advance", desc.words, "words"));
    VKPRIMS_TRY(check_operands("rng_advance",
                               {{"state", buffers.state, kStateBytes, 8, true, "", kStateName},
                                operand_of(desc.words, "words")}));
    return add_rng_advance(commands, {.state = buffers.state.address}, desc.words, kWordsAreDraws);
  });
}

Status warm_up(const Device& device, const RngAdvanceDesc& desc) {
  return warm_up_call("rng_advance", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_count("rng_advance", desc.words, "words"));
    return add_rng_advance(commands, {.state = 8}, desc.words, kWordsAreDraws);
  });
}

}  // namespace vkprims

// What primitives that draw random numbers share: checks, push constants, and the state on the
// device.
#pragma once

#include "random/rng_advance/rng_advance.abi.h"
#include "runtime/commands.hpp"
#include "vkprims/philox.hpp"
#include "vkprims/random/philox.h"

namespace vkprims {

Status check_rng(const char* primitive, const Rng& rng);
/// The state of a call, which it writes if it advances it.
Operand operand_of(const Rng& rng);
/// What a command that draws accesses.
inline Access reads(const Rng& rng) {
  return reads(rng.state, rng.state ? sizeof(DeviceRngState) : 0);
}

abi::VkpRngPush push_rng(const Rng& rng);
constexpr std::uint32_t rounds_of(const Rng& rng) {
  return rng.rounds == PhiloxRounds::ten ? 10 : 7;
}

/// Adds the last command of a call that advances its state; a call without a state has none.
/// `draws` numbers have been drawn behind the offset; 2^block_draws of them share a block.
Status add_rng_advance(Commands& commands, const Rng& rng, const Count& draws,
                       std::uint32_t block_draws);

}  // namespace vkprims

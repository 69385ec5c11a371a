// What primitives that draw random numbers share: checks, push constants, and the state on the
// device.
#pragma once

#include "runtime/record.hpp"
#include "random/rng_advance/rng_advance.abi.h"
#include "runtime/validate.hpp"
#include "vkprims/random/philox.h"
#include "vkprims/philox.hpp"

namespace vkprims {

Status check_rng(const char* primitive, const Rng& rng);
/// The state of a call, for check_arguments().
Argument argument_of(const Rng& rng);

abi::VkpRngPush push_rng(const Rng& rng);
constexpr std::uint32_t rounds_of(const Rng& rng) {
  return rng.rounds == PhiloxRounds::ten ? 10 : 7;
}
inline Access reads(const Rng& rng) { return reads(rng.state, rng.state ? 16 : 0); }

/// The last command of a call that advances its state; a call without a state has none.
class RngAdvance {
 public:
  Status get(DeviceState& state, const Rng& rng, bool may_compile);
  /// `draws` numbers have been drawn behind the offset; 2^block_draws of them share a block.
  void record(CommandStream& stream, const Rng& rng, const Count& draws,
              std::uint32_t block_draws) const;

 private:
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace vkprims

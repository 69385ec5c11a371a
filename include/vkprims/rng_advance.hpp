// RNG advance: moves the offset of a DeviceRngState that several calls share.
/// @ingroup random
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/philox.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a number of random words to record_rng_advance() and warm_up().
struct RngAdvanceDesc {
  Count words = {};  ///< 0 … kMaxCount; rounded up to whole blocks of 4
};

/// Memory for record_rng_advance(), whose comment tells sizes, alignments and what may overlap.
struct RngAdvanceBuffers {
  BufferView state;  ///< a DeviceRngState
};

/// state.offset += words, rounded up to a multiple of 4.
///
/// Record it at the end of a command buffer in which calls draw at offsets of their own from one
/// state, with `words` = RngState::taken(). When the command buffer is submitted again, all these
/// calls draw other numbers.
///
/// state     16 bytes; address multiple of 8
/// Before    state: all earlier users -> COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. words: last
///           writer -> COMPUTE_SHADER / SHADER_READ
/// After     state: COMPUTE_SHADER / SHADER_WRITE -> the next call that draws
/// Errors    words above the limit, view too small or unaligned
/// Results   exact; modulo 2^64
Status record_rng_advance(VkCommandBuffer cmd, const Device& device, const RngAdvanceDesc& desc,
                          const RngAdvanceBuffers& buffers);

/// Compiles the pipelines that record_rng_advance() uses.
Status warm_up(const Device& device, const RngAdvanceDesc& desc);

/// Advances a DeviceRngState as a step of `recorder`. desc.words must be given.
template <std::same_as<Recorder> R, class State>
void rng_advance(R& recorder, const RngAdvanceDesc& desc, const State& state) {
  static_assert(std::is_same_v<overloads::ElementOf<State>, DeviceRngState>,
                "vkprims: rng_advance: state must be a vkprims::DeviceRngState");
  recorder.step({}, [&](VkCommandBuffer cmd, const Scratch&) {
    return record_rng_advance(cmd, recorder.device(), desc, {state.view()});
  });
}

}  // namespace vkprims

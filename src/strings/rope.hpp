// Operations whose results are strings: the kernels of shaders/strings that include rope.glsl.
#pragma once

#include "strings/long_rows.hpp"
#include "vkprims/strings/rope.hpp"

namespace vkprims::strings {

/// The kernels of an operation. The library's own may have RopeKernel::pieces 0, which stands for 2
/// for each column of the table except the first, and 1 more.
struct RopeKernels {
  RopeKernel of_rows;
  LongKernels of_long = {};
  std::uint32_t operation = 0;  // their constant VKP_STRINGS_SPEC_OP
};

struct RopePlaces {
  StringColumnOut out;
  BufferView report;
  Scratch scratch;
};

/// Scratch for a call of which nothing need be known but its texts, the number of rows and of
/// columns, and how long rows are.
ScratchNeed rope_scratch(const Device& device, const RopeKernels& kernels, const Call& call);

/// Adds the commands of a call that has been checked.
Status add_rope(Commands& commands, const RopeKernels& kernels, const Call& call,
                const RopePlaces& places);
/// Checks a call and adds its commands.
Status check_and_add_rope(Commands& commands, const RopeKernels& kernels, const Call& call,
                          const RopePlaces& places);

Status warm_up_rope(Commands& commands, const RopeKernels& kernels, Schedule schedule);

}  // namespace vkprims::strings

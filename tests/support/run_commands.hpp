// Commands of kernels that only tests have.
#pragma once

#include "runtime/commands.hpp"
#include "support/support.hpp"

namespace vkprims::test {

/// Records what `add` adds, as a call of this name, and runs it.
inline void run_commands(const char* name, const Device& device,
                         FunctionRef<Status(Commands&)> add) {
  run([&](VkCommandBuffer cmd) { throw_if_error(record_call(name, cmd, device, add)); });
}

}  // namespace vkprims::test

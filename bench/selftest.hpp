// --selftest: whether this device and driver do what the library relies on.
#pragma once

#include "harness.hpp"

namespace vkprims::bench {

/// Prints a short table. Returns how many checks failed.
int selftest(Session& session);

}  // namespace vkprims::bench

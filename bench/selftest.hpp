// The flag --selftest: whether this device and driver do what the library relies on.
#pragma once

#include "harness.hpp"

namespace vkprims::bench {

/// Prints a short table of all rows, or of one row for each primitive if `headline` is set. Returns
/// how many checks failed.
int selftest(Session& session, bool headline);

}  // namespace vkprims::bench

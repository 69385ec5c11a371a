// Checks of device and driver that do not involve the primitives: part of --selftest.
#pragma once

#include <string>

#include "harness.hpp"

namespace vkprims::bench {

/// Message passing between workgroups (shaders/litmus.comp), many rounds.
struct Litmus {
  std::uint64_t seen = 0;   ///< flags that were seen: 0 means that nothing was tested
  std::uint64_t stale = 0;  ///< of those, with stale data behind them: must be 0
};
Litmus litmus_with_fences(Session& session);
Litmus litmus_with_atomics(Session& session);
/// The same test without any ordering: stale data are allowed, and show that the test can find
/// them.
Litmus litmus_control(Session& session);

/// Whether a driver has a trap that the library avoids: "present", "absent", or why it was not
/// tested.
std::string trap_loop_limit(Session& session);
std::string trap_shared_in_uneven_loop(Session& session);
std::string trap_subgroup_barrier(Session& session);
std::string trap_device_scope(Session& session);

}  // namespace vkprims::bench

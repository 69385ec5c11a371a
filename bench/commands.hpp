// The flag --commands: how long each command of a call takes.
#pragma once

#include <vector>

#include "harness.hpp"

namespace vkprims::bench {

/// Prints the commands of the rows, each with the time from the end of the one before to its own,
/// its barrier included. Rows of the host and cold ones are left out. Returns the exit status: 1 if
/// this device has no timestamps.
int print_commands(Session& session, const std::vector<Entry>& entries);

}  // namespace vkprims::bench

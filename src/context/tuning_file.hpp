// The tuning of a Context on a device of its own.
#pragma once

#include "vkprims/context.hpp"

namespace vkprims {

/// The members of info.tuning, and for those that are 0 the values of info.tuning_file or, without
/// one, of $VKPRIMS_TUNING. Throws Error, which names the file.
Tuning tuning_of(const ContextInfo& info);

}  // namespace vkprims

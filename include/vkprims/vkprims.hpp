// All primitives, one header each. context.hpp (programs without a renderer) is apart.
#pragma once

#include "vkprims/arg_reduce.hpp"
#include "vkprims/copy.hpp"
#include "vkprims/device.hpp"
#include "vkprims/dispatch_args.hpp"
#include "vkprims/fill.hpp"
#include "vkprims/iota.hpp"
#include "vkprims/reduce.hpp"
#include "vkprims/scan.hpp"
#include "vkprims/status.hpp"
#include "vkprims/types.hpp"
#include "vkprims/version.hpp"

// Oracle of vkprims/argsort.hpp, which radix_sort.hpp contains.
#pragma once

#include "oracles/radix_sort.hpp"

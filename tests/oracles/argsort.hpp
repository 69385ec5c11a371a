// The order of keys: radix_sort.hpp has it.
#pragma once

#include "oracles/radix_sort.hpp"

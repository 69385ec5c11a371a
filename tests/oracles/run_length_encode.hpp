// Oracle of vkprims/run_length_encode.hpp: a reduction of ones by key.
#pragma once

#include "oracles/reduce_by_key.hpp"
#include "vkprims/run_length_encode.hpp"

namespace vkprims::oracle {

template <class Key>
Runs<Key, std::uint64_t> run_length_encode(const std::vector<Key>& in,
                                           FloatOrder order = FloatOrder::by_value) {
  return reduce_by_key(in, std::vector<std::uint64_t>(in.size(), 1), Op::add, order);
}

}  // namespace vkprims::oracle

// The host side of comparisons of the application's own: checks, kernels, and sizes of tiles.
#pragma once

#include "runtime/arithmetic.hpp"
#include "runtime/commands.hpp"
#include "sort/merge_sort/merge_sort.abi.h"
#include "vkprims/compare.hpp"

namespace vkprims {

/// Checks that the device can compare by it.
Status check_compare(const char* primitive, const DeviceState& state, const Compare& compare);

/// Gives a kernel of the comparison.
Status find_kernel(const char* primitive, const Compare& compare, CompareKernel kernel,
                   const Spirv*& spirv);

/// Elements of a tile of a workgroup.
inline std::uint32_t compare_tile_items(const Compare& compare, std::uint32_t workgroup_size) {
  return workgroup_size * VKP_MERGE_SORT_ITEMS(compare.bytes / 4);
}

/// The largest workgroup of at most `wanted` invocations, a power of two, whose tile the device's
/// shared memory holds; 128 always fit.
std::uint32_t compare_workgroup(const DeviceState& state, const Compare& compare,
                                std::uint32_t wanted);

/// Whether a subgroup searches for each tile of a merge of so many elements. It loads more than an
/// invocation does, but waits for fewer loads one after the other.
bool searches_by_subgroup(const DeviceState& state, std::uint64_t elements);

/// A dispatch that finds where so many tiles begin.
struct TileFinders {
  Specialization constants;
  Grid grid;
};
TileFinders tile_finders(const DeviceState& state, std::uint64_t elements, std::uint64_t tiles);

}  // namespace vkprims

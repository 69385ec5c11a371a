#include "sort/compare_kernels.hpp"

#include <algorithm>

namespace vkprims {
namespace {

Status lacks(const char* primitive, const Compare& compare, const char* feature) {
  return Status::error(
      Status::unsupported,
      "%s: comparison %s needs Features::%s, without which this device was created", primitive,
      compare.name, feature);
}

}  // namespace

Status check_compare(const char* primitive, const DeviceState& state, const Compare& compare) {
  if (compare.bytes < 4 || compare.bytes > 32 || compare.bytes % 4 != 0) {
    return Status::error(
        Status::invalid_argument,
        "%s: comparison %s has elements of %u bytes, must be a multiple of 4, 4 … 32", primitive,
        compare.name, compare.bytes);
  }
  if (!compare.find_module) {
    return Status::error(Status::invalid_argument, "%s: comparison %s has no find_module",
                         primitive, compare.name);
  }
  if (compare.has_int64 && !state.info.enabled.int64) return lacks(primitive, compare, "int64");
  if (compare.has_float64 && !state.info.enabled.float64) {
    return lacks(primitive, compare, "float64");
  }
  return {};
}

Status find_kernel(const char* primitive, const Compare& compare, CompareKernel kernel,
                   const Spirv*& spirv) {
  spirv = nullptr;
  VKPRIMS_TRY(compare.find_module(compare, kernel, spirv));
  if (spirv) return {};
  return Status::error(Status::invalid_argument,
                       "%s: comparison %s has no kernels for it; name it in the FORMS of "
                       "vkprims_add_compare()",
                       primitive, compare.name);
}

std::uint32_t compare_workgroup(const DeviceState& state, const Compare& compare,
                                std::uint32_t wanted) {
  const std::uint32_t words = compare.bytes / 4;
  std::uint32_t size = 128;
  while (2 * size <= wanted && 2 * size <= state.largest_workgroup &&
         VKP_MERGE_SORT_ROW(words, 2 * size) * compare.bytes <= state.shared_bytes) {
    size *= 2;
  }
  return size;
}

bool searches_by_subgroup(const DeviceState& state, std::uint64_t elements) {
  return elements <= state.tuning.small_count;
}

TileFinders tile_finders(const DeviceState& state, std::uint64_t elements, std::uint64_t tiles) {
  const bool by_subgroup = searches_by_subgroup(state, elements);
  Specialization constants{.workgroup_size =
                               by_subgroup ? std::min(256u, state.largest_workgroup) : 128u};
  const std::uint32_t searches =
      by_subgroup ? VKP_MERGE_SORT_SUBGROUP_SEARCHES : constants.workgroup_size;
  constants.set(VKP_MERGE_SORT_SPEC_BY_SUBGROUP, by_subgroup);
  // The last search of a workgroup finds where its last tile ends.
  return {constants, Grid(ceil_div(tiles, searches - 1))};
}

}  // namespace vkprims

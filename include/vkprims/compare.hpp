// Comparisons of the application's own: an element type and a strict weak order, written in GLSL.
/// @ingroup runtime
#pragma once

#include "vkprims/spirv.hpp"
#include "vkprims/status.hpp"
#include "vkprims/types.hpp"

namespace vkprims {

/// The kernels that primitives need of a comparison, by their files below shaders/sort/.
enum class CompareKernel : std::uint32_t {
  merge_sort_tiles,       ///< merge_sort/tiles.comp
  merge_sort_merge_runs,  ///< merge_sort/merge_runs.comp
  merge_sort_partition,   ///< merge_sort/partition.comp
  merge_sort_merge,       ///< merge_sort/merge.comp
  merge_own_partition,    ///< merge/own_partition.comp
};

/// A comparison of the application's own, by which merge_sort and merge order elements of any type.
/// vkprims_add_compare() (docs/own_kernels.md) makes one from GLSL when the application is built.
/// It must live as long as every Device that has recorded it.
struct Compare {
  const char* name = "";     ///< for messages
  std::uint32_t bytes = 0;   ///< of an element, 4 … 32, a multiple of 4
  bool has_int64 = false;    ///< whether Features::int64 is needed
  bool has_float64 = false;  ///< whether Features::float64 is needed
  /// Gives the module of a kernel, or null if the comparison was made without it.
  Status (*find_module)(const Compare& compare, CompareKernel kernel,
                        const Spirv*& spirv) = nullptr;
  void* user_data = nullptr;  ///< for find_module
};

/// A Compare whose C++ type is known.
template <class T>
struct CompareOf : Compare {
  using Element = T;  ///< what is compared
};

}  // namespace vkprims

// Predicates of the application's own, by which select, partition and partition_three choose
// elements.
/// @ingroup runtime
#pragma once

#include "vkprims/spirv.hpp"
#include "vkprims/status.hpp"
#include "vkprims/types.hpp"

namespace vkprims {

/// The kernels that primitives need of a predicate, by their files below shaders/compact/. word64
/// is for devices with 64-bit integers and atomics of them.
enum class PredicateKernel : std::uint32_t {
  compact_look_back_word32,          ///< compact/look_back.comp with states of 32 bits
  compact_look_back_word64,          ///< compact/look_back.comp with states of 64 bits
  compact_count,                     ///< compact/count.comp
  compact_place,                     ///< compact/place.comp
  partition_three_look_back_word32,  ///< partition_three/look_back.comp with states of 32 bits
  partition_three_look_back_word64,  ///< partition_three/look_back.comp with states of 64 bits
  partition_three_count,             ///< partition_three/count.comp
  partition_three_place,             ///< partition_three/place.comp
};

/// A function of an element and its number that says whether the element is chosen, or for
/// partition_three which part it is of. Descriptors take it instead of a type and a
/// vkprims::Predicate. vkprims_add_predicate() (docs/own_kernels.md) makes one from GLSL when the
/// application is built. It must live as long as every Device that has recorded it.
struct OwnPredicate {
  const char* name = "";             ///< for messages
  std::uint32_t bytes = 0;           ///< of an element: 4, 8 or 16
  std::uint32_t argument_bytes = 0;  ///< of what the function gets for all elements, 0 … 32
  bool has_int64 = false;            ///< whether Features::int64 is needed
  bool has_float64 = false;          ///< whether Features::float64 is needed
  /// Gives the module of a kernel, or null if the predicate was made without it.
  Status (*find_module)(const OwnPredicate& predicate, PredicateKernel kernel,
                        const Spirv*& spirv) = nullptr;
  void* user_data = nullptr;  ///< for find_module
};

/// An OwnPredicate whose elements are T in C++.
template <class T>
struct PredicateOf : OwnPredicate {
  using Element = T;  ///< what is chosen
};

}  // namespace vkprims

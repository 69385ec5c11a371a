// Monoids of the application's own: an element type and an associative operation, written in GLSL.
/// @ingroup runtime
#pragma once

#include "vkprims/spirv.hpp"
#include "vkprims/status.hpp"
#include "vkprims/types.hpp"

namespace vkprims {

/// The kernels that primitives need of a monoid, by their files below shaders/ without the family.
/// word64 is for devices with 64-bit integers and atomics of them.
enum class MonoidKernel : std::uint32_t {
  scan_look_back_word32,            ///< scan/look_back.comp with states of 32 bits
  scan_look_back_word64,            ///< scan/look_back.comp with states of 64 bits
  scan_multi_pass_fold,             ///< scan/multi_pass_fold.comp
  scan_multi_pass_scan,             ///< scan/multi_pass_scan.comp
  reduce,                           ///< reduce/reduce.comp
  segmented_scan_look_back_word32,  ///< segmented_scan/look_back.comp with states of 32 bits
  segmented_scan_look_back_word64,  ///< segmented_scan/look_back.comp with states of 64 bits
  segmented_scan_multi_pass_fold,   ///< segmented_scan/multi_pass_fold.comp
  segmented_scan_multi_pass_scan,   ///< segmented_scan/multi_pass_scan.comp
  segmented_reduce_tiles,           ///< segmented_reduce/tiles.comp
  segmented_reduce_fix_up,          ///< segmented_reduce/fix_up.comp
  reduce_by_key_look_back_word32,   ///< reduce_by_key/look_back.comp with states of 32 bits
  reduce_by_key_look_back_word64,   ///< reduce_by_key/look_back.comp with states of 64 bits
  reduce_by_key_fold,               ///< reduce_by_key/fold.comp
  reduce_by_key_reduce,             ///< reduce_by_key/reduce.comp
  stack_fold_slices,                ///< stack_fold/slices.comp
  stack_fold_links,                 ///< stack_fold/links.comp
  stack_fold_jump,                  ///< stack_fold/jump.comp
  stack_fold_seeds,                 ///< stack_fold/seeds.comp
  stack_fold_rows,                  ///< stack_fold/rows.comp
  stack_fold_chains,                ///< stack_fold/chains.comp
  stack_fold_tiles,                 ///< stack_fold/tiles.comp
  stack_fold_nodes,                 ///< stack_fold/nodes.comp
  stack_fold_enclosed,              ///< stack_fold/enclosed.comp
  rolling_tile,                     ///< rolling/tile.comp
  rolling_edges,                    ///< rolling/edges.comp
  rolling_fold,                     ///< rolling/fold.comp
  rolling_double,                   ///< rolling/double.comp
};

/// A monoid of the application's own, which the descriptors of folds take instead of a type and an
/// operator. vkprims_add_monoid() (docs/own_kernels.md) makes one from GLSL when the application is
/// built. It must live as long as every Device that has recorded it.
struct Monoid {
  const char* name = "";        ///< for messages
  std::uint32_t bytes = 0;      ///< of an element, 4 … 32, a multiple of 4
  std::uint32_t in_bytes = 0;   ///< of an element of an input: as bytes, without vkp_load()
  std::uint32_t out_bytes = 0;  ///< of an element of an output: as bytes, without vkp_store()
  /// The size of what vkp_load() gets for all elements, 0 … 32: ReduceDesc::arguments.
  std::uint32_t argument_bytes = 0;
  bool has_load = false;     ///< whether vkp_load() makes elements of what inputs hold
  bool has_store = false;    ///< whether vkp_store() makes what outputs hold
  bool commutes = false;     ///< whether combine(a, b) == combine(b, a)
  bool has_int64 = false;    ///< whether Features::int64 is needed
  bool has_float64 = false;  ///< whether Features::float64 is needed
  /// Gives the module of a kernel, or null if the monoid was made without it.
  Status (*find_module)(const Monoid& monoid, MonoidKernel kernel, const Spirv*& spirv) = nullptr;
  void* user_data = nullptr;  ///< for find_module

  /// Whether vkp_load() or vkp_store() convert elements.
  constexpr bool converts() const { return has_load || has_store; }
  /// What the addresses of elements of so many bytes must be multiples of.
  static constexpr std::uint32_t alignment(std::uint32_t bytes) { return bytes == 8 ? 8 : 4; }
};

/// A Monoid whose C++ types are known: elements, what inputs hold and what outputs hold.
template <class T, class In = T, class Out = T>
struct MonoidOf : Monoid {
  using Element = T;   ///< what is folded
  using Input = In;    ///< an element of an input sequence
  using Output = Out;  ///< an element of an output sequence
};

}  // namespace vkprims

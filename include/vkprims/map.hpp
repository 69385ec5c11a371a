// Map: out[i] = f(in[i], i) for a function f of the application's own, written in GLSL.
/// @ingroup elementwise
#pragma once

#include <concepts>
#include <tuple>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"
#include "vkprims/spirv.hpp"

namespace vkprims {

/// A function of the application's own, of up to 4 elements and the number of the element, that has
/// up to 4 results. vkprims_add_map() (docs/own_kernels.md) makes one from GLSL when the
/// application is built. It must live as long as every Device that has recorded it.
struct Map {
  const char* name = "";            ///< for messages
  std::uint32_t inputs = 0;         ///< 0 … 4
  std::uint32_t outputs = 0;        ///< 1 … 4
  std::uint32_t in_bytes[4] = {};   ///< of an element of each input: 4 … 32, a multiple of 4
  std::uint32_t out_bytes[4] = {};  ///< the same of each output
  const char* in_names[4] = {"in[0]", "in[1]", "in[2]", "in[3]"};       ///< for messages
  const char* out_names[4] = {"out[0]", "out[1]", "out[2]", "out[3]"};  ///< for messages
  std::uint32_t argument_bytes = 0;  ///< of what the function gets for all elements, 0 … 32
  bool has_int64 = false;            ///< whether Features::int64 is needed
  bool has_float64 = false;          ///< whether Features::float64 is needed
  const Spirv* spirv = nullptr;      ///< shaders/elementwise/map/map.glsl with the function

  /// What the addresses of elements of so many bytes must be multiples of.
  static constexpr std::uint32_t alignment(std::uint32_t bytes) { return bytes == 8 ? 8 : 4; }
};

/// A Map whose C++ types are known: In and Out are a std::tuple of the elements each.
template <class In, class Out>
struct MapOf : Map {
  using Inputs = In;    ///< elements of the inputs
  using Outputs = Out;  ///< elements of the outputs
};

/// Describes a map to record_map(), map_scratch() and warm_up().
struct MapDesc {
  const Map* own = nullptr;  ///< the function
  Count count = {};          ///< elements, 0 … kMaxCount
  Value arguments = {};      ///< Map::argument_bytes that the function gets for all elements
};

/// Memory for record_map(), whose comment tells sizes, alignments and what may overlap.
struct MapBuffers {
  BufferView in[4] = {};   ///< the first Map::inputs of them are used
  BufferView out[4] = {};  ///< the first Map::outputs of them are used
  Scratch scratch = {};    ///< map_scratch() bytes
};

/// out[0][i], out[1][i] … = f(in[0][i], in[1][i] …, i, arguments) for the function f of `own`.
///
/// in         count * own->in_bytes bytes each; address multiple of Map::alignment() of the size of
///            an element
/// out        count * own->out_bytes bytes each; address multiple of the same; must not overlap
///            each other; each at the same address as an input whose elements have the same size
///            (in place), or without overlap with any. Fastest where all sequences are the same
///            number of elements away from a multiple of 16 bytes, and elements of 16 and 32 bytes
///            at multiples of 16
/// arguments  a host value of own->argument_bytes bytes, or a device address (multiple of 4, or of
///            8 if it has 8 bytes) that does not lie in out; not given if there are none
/// scratch    map_scratch() bytes: 0, except for a large count that is read on the GPU
/// Before     in: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users ->
///            COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER |
///            DRAW_INDIRECT / SHADER_WRITE | INDIRECT_COMMAND_READ. count, arguments: last writer
///            -> COMPUTE_SHADER / SHADER_READ
/// After      out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, scratch: free after
///            COMPUTE_SHADER
/// Errors     no function, one with sizes out of range or that needs what the device lacks, size of
///            arguments, count above the limit, views too small, unaligned or overlapping, invalid
///            scratch
/// Results    f is called once for each element, with the elements of this index only
/// Source     one 16-byte row per invocation and step, like copy.hpp
VKPRIMS_EXPERIMENTAL Status record_map(VkCommandBuffer cmd, const Device& device,
                                       const MapDesc& desc, const MapBuffers& buffers);

/// Scratch that record_map() needs for `desc`.
VKPRIMS_EXPERIMENTAL ScratchNeed map_scratch(const Device& device, const MapDesc& desc);

/// Compiles the pipelines that record_map() uses for `desc` at any alignment and count.
VKPRIMS_EXPERIMENTAL Status warm_up(const Device& device, const MapDesc& desc);

namespace overloads {

/// The views of buffers whose elements must be those of a std::tuple.
template <class Elements, class Buffers, std::size_t... i>
void take_views(const Buffers& buffers, BufferView* views, std::index_sequence<i...>) {
  static_assert((kMayHold<std::remove_cvref_t<std::tuple_element_t<i, Buffers>>,
                          std::tuple_element_t<i, Elements>> &&
                 ...),
                "vkprims: map: each buffer must hold the elements that the function has there");
  ((views[i] = std::get<i>(buffers).view()), ...);
}

}  // namespace overloads

/// Maps inputs to outputs, which follow them in `buffers`, as a step of `recorder`; a count that is
/// not given is the size of the first buffer.
template <std::same_as<Recorder> R, class... I, class... O, class... Buffers>
void map(R& recorder, const MapOf<std::tuple<I...>, std::tuple<O...>>& own, MapDesc desc,
         const Buffers&... buffers) {
  static_assert(sizeof...(Buffers) == sizeof...(I) + sizeof...(O),
                "vkprims: map: there must be a buffer for each input and each output");
  const std::tuple<const Buffers&...> all(buffers...);
  BufferView views[sizeof...(I) + sizeof...(O)];
  overloads::take_views<std::tuple<I..., O...>>(all, views, std::index_sequence_for<I..., O...>());
  MapBuffers taken;
  for (std::size_t i = 0; i < sizeof...(I); ++i) taken.in[i] = views[i];
  for (std::size_t i = 0; i < sizeof...(O); ++i) taken.out[i] = views[sizeof...(I) + i];
  desc.own = &own;
  desc.count = desc.count.or_all(std::get<0>(all).size());
  overloads::add_step<record_map, map_scratch>(recorder, desc, taken);
}

}  // namespace vkprims

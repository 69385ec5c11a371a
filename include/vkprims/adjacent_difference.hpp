// Adjacent difference: how each element of a sequence differs from its neighbour.
#pragma once

#include <concepts>

#include "vkprims/recorder_overloads.hpp"
#include "vkprims/transform.hpp"

namespace vkprims {

/// The neighbour that an element is combined with.
enum class Neighbour : std::uint32_t {
  left,   ///< out[i] = op(in[i], in[i - 1]), out[0] = in[0]
  right,  ///< out[i] = op(in[i], in[i + 1]), out[count - 1] = in[count - 1]
};

struct AdjacentDifferenceDesc {
  Type type = Type::u32;
  MapOp op = MapOp::sub;  ///< any of two elements of type that results in type: add … shift_right
  Neighbour neighbour = Neighbour::left;
  Count count = {};  ///< elements, 0 … kMaxCount
};

struct AdjacentDifferenceBuffers {
  BufferView in;
  BufferView out;
  Scratch scratch = {};
};

/// out[i] = in[i] - in[i - 1], or what op makes of the two; the first element, which has no neighbour, is
/// copied (the last one with Neighbour::right). An inclusive scan undoes the difference on the left.
///
/// in, out   count * size_of(type) bytes each; address multiple of size_of(type); must not overlap,
///           not even in place: other workgroups read elements that one overwrites. Fastest where
///           both are the same number of elements away from a multiple of 16 bytes
/// scratch   adjacent_difference_scratch() bytes: 0, but for a large count that is read on the GPU
/// Before    in: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users ->
///           COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER |
///           DRAW_INDIRECT / SHADER_WRITE | INDIRECT_COMMAND_READ. count: last writer ->
///           COMPUTE_SHADER / SHADER_READ
/// After     out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, scratch: free after
///           COMPUTE_SHADER
/// Errors    type that the device lacks, function that the type does not have or that is not of two
///           elements, count above the limit, views too small, unaligned or overlapping, scratch
/// Results   as transform.hpp: integers, min and max are exact, floats are rounded once
/// Source    as transform.hpp, with one element of each 16-byte row passed between lanes
Status record_adjacent_difference(VkCommandBuffer cmd, const Device& device,
                                  const AdjacentDifferenceDesc& desc,
                                  const AdjacentDifferenceBuffers& buffers);

/// Scratch that record_adjacent_difference() needs for `desc`.
ScratchNeed adjacent_difference_scratch(const Device& device, const AdjacentDifferenceDesc& desc);

/// Compiles what record_adjacent_difference() uses for `desc` at any alignment.
Status warm_up(const Device& device, const AdjacentDifferenceDesc& desc);

/// Writes the differences of in to out as a step of `recorder`; a count that is not given is in.size().
template <std::same_as<Recorder> R, class In, class Out>
void adjacent_difference(R& recorder, AdjacentDifferenceDesc desc, const In& in, const Out& out) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: adjacent_difference: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<In, Out>,
                "vkprims: adjacent_difference: out must have in's element type");
  desc.type = overloads::element_type<In>();
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_adjacent_difference, adjacent_difference_scratch>(
      recorder, desc, AdjacentDifferenceBuffers{.in = in.view(), .out = out.view()});
}

}  // namespace vkprims

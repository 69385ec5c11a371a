// Adjacent difference: the difference between each element of a sequence and its neighbour.
/// @ingroup elementwise
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

/// Describes differences to record_adjacent_difference(), adjacent_difference_scratch() and
/// warm_up().
struct AdjacentDifferenceDesc {
  Type type = Type::u32;  ///< type of the elements of in and out
  /// An operation on two elements whose result has the same type: add … shift_right.
  MapOp op = MapOp::sub;
  Neighbour neighbour = Neighbour::left;  ///< the one that the difference is to
  Count count = {};                       ///< elements, 0 … kMaxCount
};

/// Memory for record_adjacent_difference(), whose comment tells sizes, alignments and what may
/// overlap.
struct AdjacentDifferenceBuffers {
  BufferView in;         ///< the elements
  BufferView out;        ///< as many differences
  Scratch scratch = {};  ///< adjacent_difference_scratch() bytes
};

/// out[i] = in[i] - in[i - 1], or what op makes of the two. The first element (with
/// Neighbour::right the last one) has no neighbour and is copied. An inclusive scan undoes the
/// difference with Neighbour::left.
///
/// in, out   count * size_of(type) bytes each; address multiple of size_of(type); must not overlap,
///           not even in place, because a workgroup would overwrite elements that others still
///           read. Fastest where both are the same number of elements away from a multiple of 16
///           bytes
/// scratch   adjacent_difference_scratch() bytes: 0, except for a large count that is read on the
///           GPU
/// Before    in: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users ->
///           COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER |
///           DRAW_INDIRECT / SHADER_WRITE | INDIRECT_COMMAND_READ. count: last writer ->
///           COMPUTE_SHADER / SHADER_READ
/// After     out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, scratch: free after
///           COMPUTE_SHADER
/// Errors    type that the device lacks, op that the type does not have or that does not take two
///           elements, count above the limit, views too small, unaligned or overlapping, invalid
///           scratch
/// Results   the same as in transform.hpp: integers, min and max are exact, floats are rounded once
/// Source    the same as transform.hpp, with one element of each 16-byte row passed between lanes
Status record_adjacent_difference(VkCommandBuffer cmd, const Device& device,
                                  const AdjacentDifferenceDesc& desc,
                                  const AdjacentDifferenceBuffers& buffers);

/// Scratch that record_adjacent_difference() needs for `desc`.
ScratchNeed adjacent_difference_scratch(const Device& device, const AdjacentDifferenceDesc& desc);

/// Compiles the pipelines that record_adjacent_difference() uses for `desc` at any alignment.
Status warm_up(const Device& device, const AdjacentDifferenceDesc& desc);

/// Writes the differences of in to out as a step of `recorder`; a count that is not given is
/// in.size().
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

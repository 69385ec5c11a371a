// Scatter: stores in[i] to out[indices[i]], or combines both.
/// @ingroup elementwise
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// The new value of out[indices[i]].
enum class ScatterMode : std::uint32_t {
  assign,  ///< in[i]; one of them if several have the same index
  add,     ///< the sum of the old value and all in[i] with this index
  min,     ///< the smallest of the old value and all in[i] with this index
  max,     ///< the largest of the old value and all in[i] with this index
};

/// Describes a scatter to record_scatter(), scatter_scratch() and warm_up().
struct ScatterDesc {
  ScatterMode mode = ScatterMode::assign;    ///< how elements of in and out are combined
  std::uint32_t element_bytes = 4;           ///< for ScatterMode::assign: 1, 2, 4, 8 or 16
  Type type = Type::u32;                     ///< for the other modes
  IndexWidth index_width = IndexWidth::u32;  ///< width of the elements of indices
  /// What happens at an index of out_count or more; see OutOfRange for when to change it. fill is
  /// the same as skip here.
  OutOfRange out_of_range = OutOfRange::unchecked;
  Count count = {};             ///< elements and indices, 0 … kMaxCount
  std::uint64_t out_count = 0;  ///< elements of out, 0 … kMaxCount
};

/// Memory for record_scatter(), whose comment tells sizes, alignments and what may overlap.
struct ScatterBuffers {
  BufferView in;           ///< the elements
  BufferView indices;      ///< an index into out for each element of in
  BufferView out;          ///< out_count elements
  BufferView report = {};  ///< a DeviceReport; address 0: not wanted
  Scratch scratch = {};    ///< scatter_scratch() bytes
};

/// Stores in[i] to out[indices[i]], or combines both, for i below count; the other elements of out
/// are kept. Where indices[i] is not below out_count, OutOfRange decides: behaviour is undefined
/// (unchecked), in[i] is left out (skip, fill), or it goes to out[out_count - 1] (clamp).
///
/// An element has element_bytes bytes, or size_of(type) in modes other than assign.
///
/// in        count elements; address multiple of the element size. Fastest where both in and
///           indices are multiples of 16
/// indices   count * size_of(index_width) bytes; address multiple of size_of(index_width)
/// out       out_count elements; address multiple of the element size; must not overlap in or
///           indices. Bytes outside the elements are kept, also those that share a word with them
/// report    32 bytes; address multiple of 8; must not overlap the others. Not allowed with
///           OutOfRange::unchecked. Its count grows by the number of indices out of range; if its
///           count was 0, its first_index becomes the position i of one of them
/// scratch   scatter_scratch() bytes: 0, except for a large count that is read on the GPU
/// Before    in, indices: last writer -> COMPUTE_SHADER / SHADER_READ. out, report: all earlier
///           users -> COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. scratch: all earlier users ->
///           COMPUTE_SHADER | DRAW_INDIRECT / SHADER_WRITE | INDIRECT_COMMAND_READ. count: last
///           writer -> COMPUTE_SHADER / SHADER_READ
/// After     out, report: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, indices, scratch: free
///           after COMPUTE_SHADER
/// Errors    mode, element_bytes, type, index_width, out_of_range, count or out_count above the
///           limit, views too small, unaligned or overlapping, a report with OutOfRange::unchecked,
///           invalid scratch. Status::unsupported: min and max of u64, i64 and f64 without the
///           device's int64 and int64_atomics, add of f64 without these and float64. add of u64 and
///           i64 needs no feature
/// Results   assign, all indices distinct: exact. If several elements have the same index, it is
///           undefined which one is stored. Elements of 1, 2 or 4 bytes are stored whole, but the
///           words of elements of 8 or 16 bytes may come from different ones. add of integers, min
///           and max: exact and independent of the order. min and max order floats as for Op: -0 is
///           below +0, NaN in `in` are skipped, and a number replaces a NaN in out. add of floats:
///           in an order that varies from run to run; |error| <= 1.1 k eps times the sum of the
///           magnitudes of the k elements added and of the element of out. No index makes the
///           kernel access memory outside its views, except with OutOfRange::unchecked. In modes
///           other than assign, elements with the same index are combined one after another, so the
///           slowest case is that all have the same index
/// Source    relaxed atomics. Sums of floats: an invocation exchanges the element for -0 as an
///           empty mark, and later the mark for the sum, so that sums merge where many invocations
///           meet
Status record_scatter(VkCommandBuffer cmd, const Device& device, const ScatterDesc& desc,
                      const ScatterBuffers& buffers);

/// Scratch that record_scatter() needs for `desc`.
ScratchNeed scatter_scratch(const Device& device, const ScatterDesc& desc);

/// Compiles the pipelines that record_scatter() uses for `desc` at any alignment.
Status warm_up(const Device& device, const ScatterDesc& desc);

/// Scatters as a step of `recorder`, to all of out, with or without a report; a count that is not
/// given is indices.size().
template <std::same_as<Recorder> R, class In, class Index, class Out>
void scatter(R& recorder, ScatterDesc desc, const In& in, const Index& indices, const Out& out,
             const OptionalReport& report = {}) {
  static_assert(overloads::kHasSize<Out, 1, 2, 4, 8, 16>,
                "vkprims: scatter: out must hold elements of 1, 2, 4, 8 or 16 bytes");
  static_assert(overloads::kIsIndex<Index>,
                "vkprims: scatter: indices must hold std::uint32_t or std::uint64_t");
  static_assert(overloads::kIsSame<Out, In>, "vkprims: scatter: in must have out's element type");
  if (desc.mode != ScatterMode::assign && !overloads::kIsElement<Out>) {
    overloads::refuse(recorder,
                      "scatter: mode is not assign, which needs u32, i32, f32, u64, i64 or f64");
  }
  desc.element_bytes = overloads::element_bytes<Out>();
  desc.type = overloads::element_type<Out>();
  desc.index_width = overloads::index_width<Index>();
  desc.out_count = out.size();
  desc.count = desc.count.or_all(indices.size());
  overloads::add_step<record_scatter, scatter_scratch>(
      recorder, desc, ScatterBuffers{in.view(), indices.view(), out.view(), report.view()});
}

}  // namespace vkprims

// Arg reduce: where the smallest or largest element of a sequence is.
/// @ingroup reduce
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// The index that stands for no element.
inline constexpr std::uint64_t kNoIndex = ~std::uint64_t{0};

/// Describes a search for the best element to record_arg_reduce(), arg_reduce_scratch() and
/// warm_up().
struct ArgReduceDesc {
  Type type = Type::u32;  ///< every device supports all types here: the kernels only compare
  Op op = Op::min;        ///< min or max
  Count count = {};       ///< elements, 0 … kMaxCount
};

/// Memory for record_arg_reduce(), whose comment tells sizes, alignments and what may overlap.
struct ArgReduceBuffers {
  BufferView in;          ///< the elements
  BufferView index;       ///< one u64
  BufferView value = {};  ///< one element; address 0: not wanted
  Scratch scratch = {};   ///< arg_reduce_scratch() bytes
};

/// value[0] = the smallest (Op::min) or largest (Op::max) of in[0] … in[count - 1], and index[0] =
/// the lowest i at which it occurs. Floats are ordered as for Op: -0 is below +0, and NaN are
/// skipped. If count is 0 or there are only NaN, index[0] = kNoIndex and value[0] = the operator's
/// identity.
///
/// in        count * size_of(type) bytes; address multiple of size_of(type). Fastest at multiples
///           of 16
/// index     8 bytes; address multiple of 8; must not overlap in or value. If count allows it, the
///           first 4 bytes are the index as u32 (kNoIndex: 0xffffffff)
/// value     size_of(type) bytes; address multiple of size_of(type); must not overlap in or index
/// scratch   arg_reduce_scratch() bytes: at most 128 KiB + 16, whatever the count
/// Before    in: last writer -> COMPUTE_SHADER / SHADER_READ. index, value: all earlier users ->
///           COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> TRANSFER | COMPUTE_SHADER
///           / TRANSFER_WRITE | SHADER_READ | SHADER_WRITE. count: last writer -> COMPUTE_SHADER /
///           SHADER_READ
/// After     index, value: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, scratch: free after
///           COMPUTE_SHADER
/// Errors    type, operator other than min and max, count above the limit, views too small,
///           unaligned or overlapping, invalid scratch
/// Results   exact; value has the bits of in[index]
/// Source    the same as reduce.hpp, over pairs of element and index. Their minimum is unique, so
///           the order in which workgroups finish does not matter. Lanes keep the row of their best
///           element and look up its place in the row once, at the end
Status record_arg_reduce(VkCommandBuffer cmd, const Device& device, const ArgReduceDesc& desc,
                         const ArgReduceBuffers& buffers);

/// Scratch that record_arg_reduce() needs for `desc`.
ScratchNeed arg_reduce_scratch(const Device& device, const ArgReduceDesc& desc);

/// Compiles the pipelines that record_arg_reduce() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const ArgReduceDesc& desc);

/// Writes the index, and the value unless it is left out, of the best element of in as a step of
/// `recorder`; a count that is not given is in.size().
template <std::same_as<Recorder> R, class In, class Index, class Out = NotWanted>
void arg_reduce(R& recorder, ArgReduceDesc desc, const In& in, const Index& index,
                const Out& value = {}) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: arg_reduce: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsU64<Index>, "vkprims: arg_reduce: index must hold one std::uint64_t");
  static_assert(overloads::kIsWanted<Index>, "vkprims: arg_reduce: index cannot be left out");
  static_assert(overloads::kIsSame<In, Out>,
                "vkprims: arg_reduce: value must have in's element type");
  desc.type = overloads::element_type<In>();
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_arg_reduce, arg_reduce_scratch>(
      recorder, desc,
      ArgReduceBuffers{.in = in.view(), .index = index.view(), .value = value.view()});
}

}  // namespace vkprims

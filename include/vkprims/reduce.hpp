// Reduce: folds a sequence to one element.
/// @ingroup reduce
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/monoid.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a reduction to record_reduce(), reduce_scratch() and warm_up().
struct ReduceDesc {
  Type type = Type::u32;        ///< type of the elements
  Op op = Op::add;              ///< the operator of the fold
  const Monoid* own = nullptr;  ///< a monoid of your own, instead of type and op
  Count count = {};             ///< elements, 0 … kMaxCount
  Value initial = {};    ///< one element, combined on the left; not given: the operator's identity
  Value arguments = {};  ///< Monoid::argument_bytes that `own` gets for all elements
};

/// Memory for record_reduce(), whose comment tells sizes, alignments and what may overlap.
struct ReduceBuffers {
  BufferView in;         ///< the elements
  BufferView out;        ///< one element
  Scratch scratch = {};  ///< reduce_scratch() bytes
};

/// out[0] = initial (+) in[0] (+) in[1] (+) … (+) in[count - 1]. For count 0 it is initial, or the
/// identity if initial is not given.
///
/// in        count * size_of(type) bytes; address multiple of size_of(type). Fastest at multiples
///           of 16
/// out       size_of(type) bytes; address multiple of size_of(type); must not overlap in
/// initial   host value of size_of(type) bytes, or a device address (multiple of the size); may lie
///           in out
/// arguments host value of own->argument_bytes bytes, or a device address (multiple of 4)
/// scratch   reduce_scratch() bytes: at most 64 KiB + 16, whatever the count
/// Before    in: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users ->
///           COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> TRANSFER | COMPUTE_SHADER
///           / TRANSFER_WRITE | SHADER_READ | SHADER_WRITE. count, initial, arguments: last writer
///           -> COMPUTE_SHADER / SHADER_READ
/// After     out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, scratch: free after
///           COMPUTE_SHADER
/// Errors    type that the device lacks, bit operator on floats, size of initial or arguments,
///           count above the limit, views too small, unaligned or overlapping, invalid scratch
/// Results   integers, min and max: exact. Float add and mul: run_to_run, bit-identical for the
///           same device, driver, tuning, count and alignment of in; |error| <= 1.1 d eps
///           sum|in[i]| (add), where d = count / (groups * workgroup size) + 20 is the longest
///           chain of additions
/// Source    contiguous chunks per workgroup, combined in order; the last workgroup to finish folds
///           the partial results (the "threadfence reduction" of the CUDA samples, here under the
///           Vulkan memory model). Small inputs are folded by one workgroup
Status record_reduce(VkCommandBuffer cmd, const Device& device, const ReduceDesc& desc,
                     const ReduceBuffers& buffers);

/// Scratch that record_reduce() needs for `desc`.
ScratchNeed reduce_scratch(const Device& device, const ReduceDesc& desc);

/// Compiles the pipelines that record_reduce() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const ReduceDesc& desc);

/// Folds in to out[0] as a step of `recorder`; a count that is not given is in.size().
template <std::same_as<Recorder> R, class In, class Out>
void reduce(R& recorder, ReduceDesc desc, const In& in, const Out& out) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: reduce: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<In, Out>, "vkprims: reduce: out must have in's element type");
  desc.type = overloads::element_type<In>();
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_reduce, reduce_scratch>(
      recorder, desc, ReduceBuffers{.in = in.view(), .out = out.view()});
}

/// Folds in to out[0] by a monoid of your own as a step of `recorder`; a count that is not given is
/// in.size().
template <std::same_as<Recorder> R, class T, class I, class O, class In, class Out>
void reduce(R& recorder, const MonoidOf<T, I, O>& monoid, ReduceDesc desc, const In& in,
            const Out& out) {
  static_assert(overloads::kMayHold<In, I>, "vkprims: reduce: in must hold what the monoid loads");
  static_assert(overloads::kMayHold<Out, T>,
                "vkprims: reduce: out must hold elements of the monoid");
  desc.own = &monoid;
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_reduce, reduce_scratch>(
      recorder, desc, ReduceBuffers{.in = in.view(), .out = out.view()});
}

}  // namespace vkprims

// Merge: merges two sorted sequences into one.
/// @ingroup sort
#pragma once

#include <concepts>

#include "vkprims/compare.hpp"
#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a merge to record_merge(), merge_scratch() and warm_up().
struct MergeDesc {
  Type type = Type::u32;         ///< type of the keys; every device supports all types here
  const Compare* own = nullptr;  ///< a comparison of your own, instead of type and float_order
  /// bytes of the value that belongs to a key: 4 or 8; 0: no values
  std::uint32_t value_bytes = 0;
  Count a_count = {};  ///< elements of a; a and b together 0 … kMaxCount
  Count b_count = {};  ///< elements of b
  FloatOrder float_order = FloatOrder::by_value;  ///< for f32 and f64
};

/// Memory for record_merge(), whose comment tells sizes, alignments and what may overlap.
struct MergeBuffers {
  BufferView a;                ///< the first sequence of keys
  BufferView b;                ///< the second sequence of keys
  BufferView out;              ///< all keys
  BufferView a_values = {};    ///< values of the keys of a
  BufferView b_values = {};    ///< values of the keys of b
  BufferView out_values = {};  ///< values of the keys of out
  BufferView count_out = {};   ///< one u64; address 0: not wanted
  Scratch scratch = {};        ///< merge_scratch() bytes
};

/// out = the elements of a and b in ascending order. The merge is stable: equal keys of a come
/// before those of b, and each keep their order.
///
/// a, b       a_count and b_count keys of size_of(type) bytes, ascending, floats as float_order
///            says; address multiple of size_of(type). With own, keys of own->bytes bytes that
///            ascend by it; address multiple of 4, as those of the other keys
/// out        a_count + b_count keys; address multiple of size_of(type); must not overlap any other
///            view. Fastest where out and out_values are multiples of 16
/// a_values, b_values, out_values  as many values of value_bytes bytes; address multiple of
///            value_bytes; address 0 if value_bytes is 0
/// count_out  8 bytes: a_count + b_count as read on the GPU; address multiple of 8; must not
///            overlap any other view
/// scratch    merge_scratch() bytes: 40 + 8 for each tile of one to two thousand elements; 0 for a
///            single tile. With own 32 + 32 for each tile of some hundred elements or more
/// Before     a, b, a_values, b_values: last writer -> COMPUTE_SHADER / SHADER_READ. out,
///            out_values, count_out: all earlier users -> COMPUTE_SHADER / SHADER_WRITE. scratch:
///            all earlier users -> COMPUTE_SHADER | DRAW_INDIRECT / SHADER_READ | SHADER_WRITE |
///            INDIRECT_COMMAND_READ. a_count, b_count: last writer -> COMPUTE_SHADER / SHADER_READ
/// After      out, out_values, count_out: COMPUTE_SHADER / SHADER_WRITE -> your reader. a, b,
///            a_values, b_values, scratch: free after COMPUTE_SHADER
/// Errors     type, float_order, own unfit, value_bytes, counts above the limit, views too small,
///            unaligned or overlapping, invalid scratch
/// Results    exact; floats keep their bits and order as FloatOrder says. If a or b is not sorted,
///            out holds some of their elements, possibly some twice and others not at all
/// Source     O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012): one dispatch finds where the
///            tiles of the output begin in a and b, another merges the tiles
Status record_merge(VkCommandBuffer cmd, const Device& device, const MergeDesc& desc,
                    const MergeBuffers& buffers);

/// Scratch that record_merge() needs for `desc`.
ScratchNeed merge_scratch(const Device& device, const MergeDesc& desc);

/// Compiles the pipelines that record_merge() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const MergeDesc& desc);

/// Optional outputs of the overloads of merge().
struct MergeOptionalBuffers {
  OptionalNumber count_out = {};  ///< the number of merged keys
};

/// Merges keys as a step of `recorder`; an a_count that is not given is a.size(), and a b_count
/// that is not given is b.size().
template <std::same_as<Recorder> R, class A, class B, class Out>
void merge(R& recorder, MergeDesc desc, const A& a, const B& b, const Out& out,
           const MergeOptionalBuffers& more = {}) {
  desc.value_bytes = 0;
  merge(recorder, desc, a, b, out, not_wanted, not_wanted, not_wanted, more);
}

/// Merges keys with values.
template <std::same_as<Recorder> R, class A, class B, class Out, class AV, class BV, class OutV>
void merge(R& recorder, MergeDesc desc, const A& a, const B& b, const Out& out, const AV& a_values,
           const BV& b_values, const OutV& out_values, const MergeOptionalBuffers& more = {}) {
  static_assert(overloads::kIsElement<A>,
                "vkprims: merge: a must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<A, B> && overloads::kIsSame<A, Out>,
                "vkprims: merge: b and out must have a's element type");
  static_assert(overloads::kIsSame<AV, BV> && overloads::kIsSame<AV, OutV>,
                "vkprims: merge: b_values and out_values must have a_values' element type");
  static_assert(overloads::kHasSize<AV, 4, 8>, "vkprims: merge: values must have 4 or 8 bytes");
  desc.type = overloads::element_type<A>();
  desc.value_bytes = overloads::kIsWanted<AV> ? overloads::element_bytes<AV>() : 0;
  desc.a_count = desc.a_count.or_all(a.size());
  desc.b_count = desc.b_count.or_all(b.size());
  overloads::add_step<record_merge, merge_scratch>(
      recorder, desc,
      MergeBuffers{a.view(), b.view(), out.view(), a_values.view(), b_values.view(),
                   out_values.view(), more.count_out.view()});
}

/// Merges keys by a comparison of your own; counts are as above.
template <std::same_as<Recorder> R, class T, class A, class B, class Out>
void merge(R& recorder, const CompareOf<T>& compare, MergeDesc desc, const A& a, const B& b,
           const Out& out, const MergeOptionalBuffers& more = {}) {
  desc.value_bytes = 0;
  merge(recorder, compare, desc, a, b, out, not_wanted, not_wanted, not_wanted, more);
}

/// Merges keys with values by a comparison of your own.
template <std::same_as<Recorder> R, class T, class A, class B, class Out, class AV, class BV,
          class OutV>
void merge(R& recorder, const CompareOf<T>& compare, MergeDesc desc, const A& a, const B& b,
           const Out& out, const AV& a_values, const BV& b_values, const OutV& out_values,
           const MergeOptionalBuffers& more = {}) {
  static_assert(
      overloads::kMayHold<A, T> && overloads::kMayHold<B, T> && overloads::kMayHold<Out, T>,
      "vkprims: merge: a, b and out must hold what is compared");
  static_assert(overloads::kIsSame<AV, BV> && overloads::kIsSame<AV, OutV>,
                "vkprims: merge: b_values and out_values must have a_values' element type");
  static_assert(overloads::kHasSize<AV, 4, 8>, "vkprims: merge: values must have 4 or 8 bytes");
  desc.own = &compare;
  desc.value_bytes = overloads::kIsWanted<AV> ? overloads::element_bytes<AV>() : 0;
  desc.a_count = desc.a_count.or_all(a.size());
  desc.b_count = desc.b_count.or_all(b.size());
  overloads::add_step<record_merge, merge_scratch>(
      recorder, desc,
      MergeBuffers{a.view(), b.view(), out.view(), a_values.view(), b_values.view(),
                   out_values.view(), more.count_out.view()});
}

}  // namespace vkprims

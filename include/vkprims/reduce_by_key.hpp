// Reduce by key: one result for every run of equal keys.
/// @ingroup compact
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/monoid.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a reduction by key to record_reduce_by_key(), reduce_by_key_scratch() and warm_up().
struct ReduceByKeyDesc {
  Type key = Type::u32;                            ///< every device supports all types here
  Type type = Type::u32;                           ///< type of the values
  Op op = Op::add;                                 ///< the operator of the folds
  const Monoid* own = nullptr;                     ///< a monoid of your own, instead of type and op
  Count count = {};                                ///< elements, 0 … kMaxCount
  Schedule schedule = Schedule::automatic;         ///< which algorithm, where there are two
  Determinism determinism = Determinism::fastest;  ///< of add and mul of floats
  FloatOrder float_order = FloatOrder::by_value;   ///< for keys that are f32 or f64
};

/// Memory for record_reduce_by_key(), whose comment tells sizes, alignments and what may overlap.
struct ReduceByKeyBuffers {
  BufferView keys;           ///< the keys
  BufferView in;             ///< a value for each key
  BufferView out_keys = {};  ///< address 0: not wanted
  BufferView out;            ///< a result for each run
  BufferView run_count;      ///< one u64
  Scratch scratch = {};      ///< reduce_by_key_scratch() bytes
};

/// out[r] = the fold of the values of run r; out_keys[r] = the key of the run, with the bits of its
/// first element. A run is a longest sequence of neighbours with equal keys; FloatOrder says which
/// floats are equal.
///
/// keys       count keys; address multiple of size_of(key)
/// in         count values; address multiple of size_of(type)
/// out_keys   room for count keys; address multiple of size_of(key); must not overlap keys or in
/// out        room for count results; address multiple of size_of(type); must not overlap keys or
///            in
/// run_count  8 bytes, address multiple of 8: the number of runs, as u64
/// scratch    reduce_by_key_scratch() bytes. look_back: 80 + 64 for each tile of a few thousand
///            elements; multi_pass: 32 + size_of(type) + 8 for each tile; small inputs: 0
/// Before     keys, in, count: last writer -> COMPUTE_SHADER / SHADER_READ. out_keys, out,
///            run_count: all earlier users -> COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier
///            users -> TRANSFER | COMPUTE_SHADER | DRAW_INDIRECT / TRANSFER_WRITE | SHADER_READ |
///            SHADER_WRITE | INDIRECT_COMMAND_READ
/// After      out_keys, out, run_count: COMPUTE_SHADER / SHADER_WRITE -> your reader. keys, in,
///            scratch: free after COMPUTE_SHADER
/// Errors     type of the values that the device lacks, key, float_order, bit operator on floats,
///            count above the limit, Schedule::look_back with run_to_run float add or mul, views
///            too small, unaligned or overlapping, invalid scratch
/// Results    integers, min and max: exact. Float add and mul: the bound of scan.hpp, with the
///            elements of the run instead of all elements. Determinism::run_to_run: bit-identical
///            for the same device, driver, tuning, count, keys and alignment of in; it implies
///            multi_pass for float add and mul. Memory behind the results is left unchanged
/// Source     the same as scan_by_key.hpp: look-back scans pairs of a number of runs and a value
Status record_reduce_by_key(VkCommandBuffer cmd, const Device& device, const ReduceByKeyDesc& desc,
                            const ReduceByKeyBuffers& buffers);

/// Scratch that record_reduce_by_key() needs for `desc`.
ScratchNeed reduce_by_key_scratch(const Device& device, const ReduceByKeyDesc& desc);

/// Compiles the pipelines that record_reduce_by_key() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const ReduceByKeyDesc& desc);

/// Folds the runs of in to out as a step of `recorder`; a count that is not given is in.size().
/// out_keys may be not_wanted.
template <std::same_as<Recorder> R, class Keys, class In, class OutKeys, class Out, class Number>
void reduce_by_key(R& recorder, ReduceByKeyDesc desc, const Keys& keys, const In& in,
                   const OutKeys& out_keys, const Out& out, const Number& run_count) {
  static_assert(overloads::kIsElement<Keys>,
                "vkprims: reduce_by_key: keys must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsElement<In>,
                "vkprims: reduce_by_key: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<Keys, OutKeys>,
                "vkprims: reduce_by_key: out_keys must have keys' element type");
  static_assert(overloads::kIsSame<In, Out>,
                "vkprims: reduce_by_key: out must have in's element type");
  static_assert(overloads::kIsU64<Number>,
                "vkprims: reduce_by_key: run_count must hold one std::uint64_t");
  desc.key = overloads::element_type<Keys>();
  desc.type = overloads::element_type<In>();
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_reduce_by_key, reduce_by_key_scratch>(
      recorder, desc,
      ReduceByKeyBuffers{keys.view(), in.view(), out_keys.view(), out.view(), run_count.view()});
}

/// Folds every run by a monoid of your own as a step of `recorder`; a count that is not given is
/// in.size().
template <std::same_as<Recorder> R, class T, class Keys, class In, class OutKeys, class Out,
          class Number>
void reduce_by_key(R& recorder, const MonoidOf<T>& monoid, ReduceByKeyDesc desc, const Keys& keys,
                   const In& in, const OutKeys& out_keys, const Out& out, const Number& run_count) {
  static_assert(overloads::kIsElement<Keys> && overloads::kIsSame<Keys, OutKeys>,
                "vkprims: reduce_by_key: keys and out_keys must hold u32, i32, f32, u64, i64 or "
                "f64, both the same");
  static_assert(overloads::kMayHold<In, T> && overloads::kMayHold<Out, T>,
                "vkprims: reduce_by_key: in and out must hold elements of the monoid");
  static_assert(overloads::kIsU64<Number>,
                "vkprims: reduce_by_key: run_count must hold one std::uint64_t");
  desc.own = &monoid;
  desc.key = overloads::element_type<Keys>();
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_reduce_by_key, reduce_by_key_scratch>(
      recorder, desc,
      ReduceByKeyBuffers{keys.view(), in.view(), out_keys.view(), out.view(), run_count.view()});
}

}  // namespace vkprims

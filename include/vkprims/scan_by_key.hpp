// Scan by key: a scan that starts anew at every run of equal keys.
/// @ingroup scan
#pragma once

#include <concepts>

#include "vkprims/monoid.hpp"
#include "vkprims/recorder_overloads.hpp"
#include "vkprims/scan.hpp"

namespace vkprims {

/// Describes a scan by key to record_scan_by_key(), scan_by_key_scratch() and warm_up().
struct ScanByKeyDesc {
  Type key = Type::u32;                     ///< every device supports all types here
  Type type = Type::u32;                    ///< type of the values
  Op op = Op::add;                          ///< the operator of the folds
  const Monoid* own = nullptr;              ///< a monoid of your own, instead of type and op
  ScanKind kind = ScanKind::exclusive;      ///< whether out[i] includes in[i]
  Count count = {};                         ///< elements, 0 … kMaxCount
  Value initial = {};                       ///< one value; not given: the operator's identity
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
  Determinism determinism = Determinism::fastest;  ///< of add and mul of floats
  FloatOrder float_order = FloatOrder::by_value;   ///< for keys that are f32 or f64
};

/// Memory for record_scan_by_key(), whose comment tells sizes, alignments and what may overlap.
struct ScanByKeyBuffers {
  BufferView keys;            ///< the keys
  BufferView in;              ///< a value for each key
  BufferView out;             ///< as many results
  Scratch scratch = {};       ///< scan_by_key_scratch() bytes
  BufferView run_count = {};  ///< one u64; address 0: not wanted
};

/// out[i] = the fold of initial and the elements of the same run before element i, without or with
/// element i, as ScanKind says. A run is a longest sequence of neighbours with equal keys;
/// FloatOrder says which floats are equal.
///
/// keys       count * size_of(key) bytes; address multiple of size_of(key); no overlap with out
/// in         count * size_of(type) bytes; address multiple of size_of(type)
/// out        count * size_of(type) bytes; address multiple of size_of(type); the same view as in
///            (in place), or no overlap with it. Fastest where in and out are the same number of
///            elements away from a multiple of 16 bytes
/// initial    comes first in every run; host value of size_of(type) bytes, or a device address
///            (multiple of the size); must not lie in out or run_count
/// run_count  8 bytes, address multiple of 8: the number of runs, as u64; 0 for count 0
/// scratch    scan_by_key_scratch() bytes. look_back: 80 + 64 for each tile of a few thousand
///            elements; multi_pass: 16 + (size_of(type) + 4) * groups * (1 + workgroup size / 4),
///            with Tuning's groups, or more for very large inputs; small inputs: 0
/// Before     keys, in: last writer -> COMPUTE_SHADER / SHADER_READ. out, run_count: all earlier
///            users -> COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> TRANSFER |
///            COMPUTE_SHADER | DRAW_INDIRECT / TRANSFER_WRITE | SHADER_READ | SHADER_WRITE |
///            INDIRECT_COMMAND_READ. count, initial: last writer -> COMPUTE_SHADER / SHADER_READ
/// After      out, run_count: COMPUTE_SHADER / SHADER_WRITE -> your reader. keys, in, scratch: free
///            after COMPUTE_SHADER
/// Errors     type of the values that the device lacks, key, float_order, bit operator on floats,
///            size of initial, count above the limit, Schedule::look_back with run_to_run float add
///            or mul, views too small, unaligned or overlapping, invalid scratch
/// Results    integers, min, max and the number of runs: exact. Float add and mul: the bound of
///            scan.hpp, with the elements of the run instead of all elements.
///            Determinism::run_to_run: bit-identical for the same device, driver, tuning, count,
///            keys and alignment of in; it implies multi_pass for float add and mul
/// Source     the same as scan.hpp, over pairs of a flag, "a run begins here", and a value: S.
///            Sengupta, M. Harris, Y. Zhang, J. Owens, "Scan Primitives for GPU Computing" (2007).
///            A tile in which a run begins can publish its inclusive prefix without the tiles
///            before it, so a look-back covers at most as many tiles as the longest run
Status record_scan_by_key(VkCommandBuffer cmd, const Device& device, const ScanByKeyDesc& desc,
                          const ScanByKeyBuffers& buffers);

/// Scratch that record_scan_by_key() needs for `desc`.
ScratchNeed scan_by_key_scratch(const Device& device, const ScanByKeyDesc& desc);

/// Compiles the pipelines that record_scan_by_key() uses for `desc` at any alignment and count, in
/// place or not, with a number of runs or without one.
Status warm_up(const Device& device, const ScanByKeyDesc& desc);

/// Scans the runs of in to out as a step of `recorder`; a count that is not given is in.size().
/// `run_count`, one std::uint64_t, receives the number of runs.
template <std::same_as<Recorder> R, class Keys, class In, class Out>
void scan_by_key(R& recorder, ScanByKeyDesc desc, const Keys& keys, const In& in, const Out& out,
                 const OptionalNumber& run_count = {}) {
  static_assert(overloads::kIsElement<Keys>,
                "vkprims: scan_by_key: keys must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsElement<In>,
                "vkprims: scan_by_key: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<In, Out>,
                "vkprims: scan_by_key: out must have in's element type");
  desc.key = overloads::element_type<Keys>();
  desc.type = overloads::element_type<In>();
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_scan_by_key, scan_by_key_scratch>(
      recorder, desc, ScanByKeyBuffers{keys.view(), in.view(), out.view(), {}, run_count.view()});
}

/// Scans by a monoid of your own as a step of `recorder`; a count that is not given is in.size().
/// `run_count`, one std::uint64_t, receives the number of runs.
template <std::same_as<Recorder> R, class T, class Keys, class In, class Out>
void scan_by_key(R& recorder, const MonoidOf<T>& monoid, ScanByKeyDesc desc, const Keys& keys,
                 const In& in, const Out& out, const OptionalNumber& run_count = {}) {
  static_assert(overloads::kIsElement<Keys>,
                "vkprims: scan_by_key: keys must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kMayHold<In, T> && overloads::kMayHold<Out, T>,
                "vkprims: scan_by_key: in and out must hold elements of the monoid");
  desc.own = &monoid;
  desc.key = overloads::element_type<Keys>();
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_scan_by_key, scan_by_key_scratch>(
      recorder, desc, ScanByKeyBuffers{keys.view(), in.view(), out.view(), {}, run_count.view()});
}

}  // namespace vkprims

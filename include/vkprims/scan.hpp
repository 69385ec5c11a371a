// Scan: the folds of all prefixes of a sequence.
/// @ingroup scan
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/monoid.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Whether out[i] includes in[i].
enum class ScanKind : std::uint32_t {
  exclusive,  ///< out[i] = initial (+) in[0] (+) … (+) in[i - 1]
  inclusive,  ///< out[i] = initial (+) in[0] (+) … (+) in[i]
};

/// The type of the input elements.
enum class ScanInput : std::uint32_t {
  as_type,  ///< ScanDesc::type
  u8,       ///< unsigned bytes, widened; for u32, i32, u64 and i64
  u16,      ///< unsigned 16-bit integers, widened; for u32, i32, u64 and i64
};

/// Describes a scan to record_scan(), scan_scratch() and warm_up().
struct ScanDesc {
  Type type = Type::u32;                    ///< type of the elements of out
  Op op = Op::add;                          ///< the operator of the folds
  const Monoid* own = nullptr;              ///< a monoid of your own, instead of type and op
  ScanKind kind = ScanKind::exclusive;      ///< whether out[i] includes in[i]
  Count count = {};                         ///< elements, 0 … kMaxCount
  Value initial = {};                       ///< one element; not given: the operator's identity
  ScanInput input = ScanInput::as_type;     ///< type of the elements of in
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
  Determinism determinism = Determinism::fastest;  ///< of add and mul of floats
};

/// Memory for record_scan(), whose comment tells sizes, alignments and what may overlap.
struct ScanBuffers {
  BufferView in;          ///< the elements
  BufferView out;         ///< as many results
  Scratch scratch = {};   ///< scan_scratch() bytes
  BufferView total = {};  ///< one element; address 0: not wanted
};

/// out[i] = the fold of initial and the elements before element i, without or with element i, as
/// ScanKind says.
///
/// in        count elements of type, or of ScanDesc::input; address multiple of the element size
/// out       count * size_of(type) bytes; address multiple of size_of(type); the same view as in
///           (in place, not with ScanInput::u8 or u16), or no overlap with it. Fastest where in and
///           out are the same number of elements away from a multiple of 16 bytes
/// initial   host value of size_of(type) bytes, or a device address (multiple of the size); must
///           not lie in out or total
/// total     the fold of initial and all elements, without vkp_store() of a monoid: one element of
///           type or of the monoid; address multiple of its size, for monoids of
///           Monoid::alignment(). For count 0 it is initial, or the identity
/// scratch   scan_scratch() bytes. look_back: 80 + 64 for each tile of a few thousand elements;
///           multi_pass: 16 + size_of(type) * groups * (1 + workgroup size / 4), with Tuning's
///           groups, or more for very large inputs; small inputs: 0
/// Before    in: last writer -> COMPUTE_SHADER / SHADER_READ. out, total: all earlier users ->
///           COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> TRANSFER | COMPUTE_SHADER
///           | DRAW_INDIRECT / TRANSFER_WRITE | SHADER_READ | SHADER_WRITE | INDIRECT_COMMAND_READ.
///           count, initial: last writer -> COMPUTE_SHADER / SHADER_READ
/// After     out, total: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, scratch: free after
///           COMPUTE_SHADER
/// Errors    type that the device lacks, bit operator on floats, small input for floats, size of
///           initial, count above the limit, Schedule::look_back with run_to_run float add or mul,
///           views too small, unaligned or overlapping, invalid scratch
/// Results   integers, min and max: exact. Float add and mul: |error| <= 1.1 d eps sum|in[0..i]|
///           (add), where d, the longest chain of additions, is at most i / (2 * subgroup size) +
///           1024. Determinism::run_to_run: bit-identical for the same device, driver, tuning,
///           count and alignment of in; it implies multi_pass for float add and mul. The total
///           need not have the bits of the last inclusive result
/// Source    look_back: D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled
///           Look-back" (2016), with the fallback of T. Smith, R. Levien, J. Owens, "Decoupled
///           Fallback" (2025), so that no forward progress between workgroups is assumed.
///           multi_pass: reduce-then-scan in two dispatches. Small inputs: one dispatch of a few
///           workgroups, each of which folds what comes before its tile
Status record_scan(VkCommandBuffer cmd, const Device& device, const ScanDesc& desc,
                   const ScanBuffers& buffers);

/// Scratch that record_scan() needs for `desc`.
ScratchNeed scan_scratch(const Device& device, const ScanDesc& desc);

/// Compiles the pipelines that record_scan() uses for `desc` at any alignment and count, in place
/// or not, with a total or without one.
Status warm_up(const Device& device, const ScanDesc& desc);

/// Scans in to out as a step of `recorder`; a count that is not given is in.size(). Unsigned
/// integers of 8 and 16 bits are widened to the integers of out. `total`, one element, receives the
/// fold of everything.
template <std::same_as<Recorder> R, class In, class Out>
void scan(R& recorder, ScanDesc desc, const In& in, const Out& out,
          const OptionalElements<overloads::ElementOf<Out>>& total = {}) {
  using T = overloads::ElementOf<In>;
  constexpr bool small = std::is_unsigned_v<T> && sizeof(T) <= 2 && !std::is_same_v<T, bool>;
  static_assert(overloads::kIsElement<Out>,
                "vkprims: scan: out must hold u32, i32, f32, u64, i64 or f64");
  static_assert(
      (small && std::is_integral_v<overloads::ElementOf<Out>>) || overloads::kIsSame<Out, In>,
      "vkprims: scan: in must have out's element type, or hold std::uint8_t or "
      "std::uint16_t and out integers");
  desc.type = overloads::element_type<Out>();
  desc.input = !small ? ScanInput::as_type : sizeof(T) == 1 ? ScanInput::u8 : ScanInput::u16;
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_scan, scan_scratch>(
      recorder, desc, ScanBuffers{.in = in.view(), .out = out.view(), .total = total.view()});
}

/// Scans in to out by a monoid of your own as a step of `recorder`; a count that is not given is
/// in.size(). `total`, one element of the monoid, receives the fold of everything.
template <std::same_as<Recorder> R, class T, class I, class O, class In, class Out>
void scan(R& recorder, const MonoidOf<T, I, O>& monoid, ScanDesc desc, const In& in, const Out& out,
          const OptionalElements<T>& total = {}) {
  static_assert(overloads::kMayHold<In, I>, "vkprims: scan: in must hold what the monoid loads");
  static_assert(overloads::kMayHold<Out, O>, "vkprims: scan: out must hold what the monoid stores");
  desc.own = &monoid;
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_scan, scan_scratch>(
      recorder, desc, ScanBuffers{.in = in.view(), .out = out.view(), .total = total.view()});
}

}  // namespace vkprims

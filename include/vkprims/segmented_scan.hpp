// Segmented scan: a scan that starts anew at every segment of a sequence.
/// @ingroup scan
#pragma once

#include <concepts>

#include "vkprims/monoid.hpp"
#include "vkprims/recorder_overloads.hpp"
#include "vkprims/scan.hpp"

namespace vkprims {

/// How segments are given.
enum class SegmentForm : std::uint32_t {
  offsets,  ///< numbers: where each segment begins, and where the last one ends
  flags,    ///< a byte for each element: not 0 where a segment begins
  bits,     ///< a bit for each element, in 32-bit words, lowest first: 1 where a segment begins
};

/// Describes a segmented scan to record_segmented_scan(), segmented_scan_scratch() and warm_up().
struct SegmentedScanDesc {
  Type type = Type::u32;                    ///< type of the elements
  Op op = Op::add;                          ///< the operator of the folds
  const Monoid* own = nullptr;              ///< a monoid of your own, instead of type and op
  ScanKind kind = ScanKind::exclusive;      ///< whether out[i] includes in[i]
  Count count = {};                         ///< elements, 0 … kMaxCount
  Value initial = {};                       ///< one element; not given: the operator's identity
  SegmentForm form = SegmentForm::offsets;  ///< how segments are given
  Count segments = {};  ///< for offsets: one less than their number; 0 … kMaxCount
  IndexWidth offset_width = IndexWidth::u32;       ///< width of the offsets
  Schedule schedule = Schedule::automatic;         ///< which algorithm, where there are two
  Determinism determinism = Determinism::fastest;  ///< of add and mul of floats
};

/// Memory for record_segmented_scan(), whose comment tells sizes, alignments and what may overlap.
struct SegmentedScanBuffers {
  BufferView in;         ///< the elements
  BufferView segments;   ///< offsets, flags or bits
  BufferView out;        ///< as many results
  Scratch scratch = {};  ///< segmented_scan_scratch() bytes
};

/// out[i] = the fold of initial and the elements of the same segment before element i, without or
/// with element i, as ScanKind says. A segment extends up to the beginning of the next one; element
/// 0 always begins one.
///
/// in        count * size_of(type) bytes; address multiple of size_of(type)
/// segments  offsets: (segments + 1) * size_of(offset_width) bytes, nothing for 0 segments; address
///           multiple of size_of(offset_width). A segment begins at each offset, also at the last
///           one if there are elements behind it. Offsets of count and more are ignored, equal
///           offsets (empty segments) count once, and their order does not matter. flags: count
///           bytes. bits: 4 * ceil(count / 32) bytes; address multiple of 4. No overlap with out
/// out       count * size_of(type) bytes; address multiple of size_of(type); the same view as in
///           (in place), or no overlap with it. Fastest where in and out are the same number of
///           elements away from a multiple of 16 bytes
/// initial   comes first in every segment; host value of size_of(type) bytes, or a device address
///           (multiple of the size); must not lie in out
/// scratch   segmented_scan_scratch() bytes. look_back: 80 + 64 for each tile of a few thousand
///           elements; multi_pass: 16 + (size_of(type) + 4) * groups * (1 + workgroup size / 4),
///           with Tuning's groups, or more for very large inputs; small inputs: 0. Offsets need one
///           more bit for each element; these bits are cleared up to count.max
/// Before    in, segments: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users ->
///           COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> TRANSFER | COMPUTE_SHADER
///           | DRAW_INDIRECT / TRANSFER_WRITE | SHADER_READ | SHADER_WRITE | INDIRECT_COMMAND_READ.
///           count, initial: last writer -> COMPUTE_SHADER / SHADER_READ
/// After     out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, segments, scratch: free after
///           COMPUTE_SHADER
/// Errors    type that the device lacks, bit operator on floats, form, size of initial, counts
///           above the limit, Schedule::look_back with run_to_run float add or mul, views too
///           small, unaligned or overlapping, invalid scratch
/// Results   the same as in scan_by_key.hpp, with segments instead of runs
/// Source    the same as scan_by_key.hpp. One more dispatch first turns offsets into bits, with
///           atomics
Status record_segmented_scan(VkCommandBuffer cmd, const Device& device,
                             const SegmentedScanDesc& desc, const SegmentedScanBuffers& buffers);

/// Scratch that record_segmented_scan() needs for `desc`.
ScratchNeed segmented_scan_scratch(const Device& device, const SegmentedScanDesc& desc);

/// Compiles the pipelines that record_segmented_scan() uses for `desc` at any alignment and counts,
/// in place or not.
Status warm_up(const Device& device, const SegmentedScanDesc& desc);

namespace overloads {

/// Describes segments of which the elements of `segments` say whether they are offsets, flags or
/// bits.
template <class R, class Segments>
void describe_segments(R& recorder, SegmentedScanDesc& desc, const Segments& segments) {
  static_assert(kIsByte<Segments> || kIsIndex<Segments>,
                "vkprims: segmented_scan: segments must be bytes, std::uint32_t or std::uint64_t");
  if (kIsByte<Segments>) desc.form = SegmentForm::flags;
  const bool bits = desc.form == SegmentForm::bits;
  if (bits ? !kIsU32<Segments> : !kIsByte<Segments> && desc.form == SegmentForm::flags) {
    refuse(recorder, "segmented_scan: flags are bytes, and bits lie in words of u32");
  }
  desc.offset_width = index_width<Segments>();
  desc.segments = desc.segments.or_all(segments_of(segments));
}

}  // namespace overloads

/// Scans the segments of in to out as a step of `recorder`; a count that is not given is in.size().
/// Bytes are flags. Elements of u32 or u64 are offsets, where a number of segments that is not
/// given is one less than their number; elements of u32 are words of bits if desc.form says so.
template <std::same_as<Recorder> R, class In, class Segments, class Out>
void segmented_scan(R& recorder, SegmentedScanDesc desc, const In& in, const Segments& segments,
                    const Out& out) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: segmented_scan: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<In, Out>,
                "vkprims: segmented_scan: out must have in's element type");
  desc.type = overloads::element_type<In>();
  overloads::describe_segments(recorder, desc, segments);
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_segmented_scan, segmented_scan_scratch>(
      recorder, desc, SegmentedScanBuffers{in.view(), segments.view(), out.view()});
}

/// Scans by a monoid of your own as a step of `recorder`; a count that is not given is in.size().
template <std::same_as<Recorder> R, class T, class In, class Segments, class Out>
void segmented_scan(R& recorder, const MonoidOf<T>& monoid, SegmentedScanDesc desc, const In& in,
                    const Segments& segments, const Out& out) {
  static_assert(overloads::kMayHold<In, T> && overloads::kMayHold<Out, T>,
                "vkprims: segmented_scan: in and out must hold elements of the monoid");
  desc.own = &monoid;
  overloads::describe_segments(recorder, desc, segments);
  desc.count = desc.count.or_all(in.size());
  overloads::add_step<record_segmented_scan, segmented_scan_scratch>(
      recorder, desc, SegmentedScanBuffers{in.view(), segments.view(), out.view()});
}

}  // namespace vkprims

// Search: finds where every needle belongs in a sorted sequence.
/// @ingroup elementwise
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// The place that is searched, of those at which the needle could be put into the haystack.
enum class SearchKind : std::uint32_t {
  lower_bound,  ///< number of elements of the haystack that are below the needle
  upper_bound,  ///< number of elements that are not above it
};

/// Describes a binary search to record_search(), search_scratch() and warm_up().
struct SearchDesc {
  SearchKind kind = SearchKind::lower_bound;  ///< which bound is searched
  Type type = Type::u32;  ///< every device supports all types here: the kernels only compare
  IndexWidth index_width = IndexWidth::u32;  ///< width of the elements of out
  bool needles_sorted = false;               ///< needles ascend, which makes the search faster
  Count count = {};                          ///< needles, 0 … kMaxCount
  /// Elements of the haystack, 0 … kMaxCount; with IndexWidth::u32 below 2^32.
  Count haystack_count = {};
  FloatOrder float_order = FloatOrder::by_value;  ///< for f32 and f64
};

/// Memory for record_search(), whose comment tells sizes, alignments and what may overlap.
struct SearchBuffers {
  BufferView haystack;   ///< the sorted elements
  BufferView needles;    ///< what is searched
  BufferView out;        ///< an index for each needle
  Scratch scratch = {};  ///< search_scratch() bytes
};

/// out[i] = the lowest index at which needles[i] could be put into the haystack without making it
/// unsorted (lower_bound), or the highest (upper_bound), like std::lower_bound and
/// std::upper_bound.
///
/// haystack  haystack_count * size_of(type) bytes, ascending, floats as float_order says; address
///           multiple of size_of(type)
/// needles   count * size_of(type) bytes, in any order, or ascending with needles_sorted; address
///           multiple of size_of(type). Fastest where both needles and out are multiples of 16
/// out       count * size_of(index_width) bytes; address multiple of size_of(index_width); must not
///           overlap haystack or needles
/// scratch   search_scratch() bytes: 0, except for a large count that is read on the GPU
/// Before    haystack, needles: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users
///           -> COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER |
///           DRAW_INDIRECT / SHADER_WRITE | INDIRECT_COMMAND_READ. count, haystack_count: last
///           writer -> COMPUTE_SHADER / SHADER_READ
/// After     out: COMPUTE_SHADER / SHADER_WRITE -> your reader. haystack, needles, scratch: free
///           after COMPUTE_SHADER
/// Errors    kind, type, float_order, index_width that is invalid or too narrow for haystack_count,
///           counts above the limit, views too small, unaligned or overlapping, invalid scratch
/// Results   exact; floats order as FloatOrder says. If the haystack is not sorted, or the needles
///           are not although needles_sorted says so, results are any numbers up to haystack_count
/// Source    binary search in a fixed number of steps without branches. Sorted needles: a workgroup
///           searches its needles between the places of its first and last one, which it finds with
///           as many samples at a time as a subgroup has lanes. Many needles in any order: a
///           workgroup begins with samples of the haystack in shared memory
Status record_search(VkCommandBuffer cmd, const Device& device, const SearchDesc& desc,
                     const SearchBuffers& buffers);

/// Scratch that record_search() needs for `desc`.
ScratchNeed search_scratch(const Device& device, const SearchDesc& desc);

/// Compiles the pipelines that record_search() uses for `desc` at any alignment.
Status warm_up(const Device& device, const SearchDesc& desc);

/// Searches as a step of `recorder`; a count that is not given is needles.size(), and a
/// haystack_count that is not given is haystack.size().
template <std::same_as<Recorder> R, class Haystack, class Needles, class Out>
void search(R& recorder, SearchDesc desc, const Haystack& haystack, const Needles& needles,
            const Out& out) {
  static_assert(overloads::kIsElement<Haystack>,
                "vkprims: search: haystack must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<Haystack, Needles>,
                "vkprims: search: needles must have haystack's element type");
  static_assert(overloads::kIsIndex<Out>,
                "vkprims: search: out must hold std::uint32_t or std::uint64_t");
  desc.type = overloads::element_type<Haystack>();
  desc.index_width = overloads::index_width<Out>();
  desc.count = desc.count.or_all(needles.size());
  desc.haystack_count = desc.haystack_count.or_all(haystack.size());
  overloads::add_step<record_search, search_scratch>(
      recorder, desc, SearchBuffers{haystack.view(), needles.view(), out.view()});
}

}  // namespace vkprims

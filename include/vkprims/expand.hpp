// Expand: every item as often as its count says.
/// @ingroup compact
#pragma once

#include <concepts>
#include <type_traits>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// What the input of an expansion says of its items.
enum class ExpandInput : std::uint32_t {
  counts,   ///< how many places each item has
  offsets,  ///< where the places of each item begin, and where those of the last one end
};

/// Describes an expansion to record_expand(), expand_scratch() and warm_up().
struct ExpandDesc {
  ExpandInput input = ExpandInput::counts;   ///< what `in` holds
  IndexWidth in_width = IndexWidth::u32;     ///< width of the elements of in
  IndexWidth index_width = IndexWidth::u32;  ///< width of the elements of indices and ranks
  Count count = {};                          ///< items, 0 … kMaxCount
  std::uint64_t capacity = 0;                ///< places that there is room for, 0 … kMaxCount
};

/// Memory for record_expand(), whose comment tells sizes, alignments and what may overlap.
struct ExpandBuffers {
  BufferView in;            ///< the counts or the offsets
  BufferView indices = {};  ///< address 0: not wanted
  BufferView ranks = {};    ///< address 0: not wanted
  BufferView total = {};    ///< one u64; address 0: not wanted
  BufferView report = {};   ///< a DeviceReport; address 0: not wanted
  Scratch scratch = {};     ///< expand_scratch() bytes
};

/// indices[p] = the item that place p belongs to; ranks[p] = how many places of that item come
/// before p. With ExpandInput::counts the places of all items follow one another: item 0 has the
/// first in[0] places, item 1 the next in[1], and so on. With offsets those of item i are in[i] …
/// in[i + 1] - 1.
///
/// So indices of the counts 2, 0, 3 are 0 0 2 2 2, and ranks 0 1 0 1 2: a call of gather() or a
/// kernel of your own takes item and rank of each. The time depends on the number of items plus
/// that of places, however these are distributed: all items may have none, or one of them all.
///
/// in        count elements of in_width, with ExpandInput::offsets count + 1; address multiple of
///           their size. The sum of u32 counts must be below 2^32. Offsets ascend, and the first
///           need not be 0: places before it are not touched. With other numbers nothing outside
///           the views is accessed; results are numbers up to count and any ranks
/// indices   room for capacity elements of index_width; address multiple of their size; must not
///           overlap in
/// ranks     the same; indices and ranks are not both left out. Fastest where both are the same
///           number of elements away from a multiple of 16 bytes
/// total     8 bytes, address multiple of 8: the number of places that have been filled, as u64,
///           with offsets those before the first one included. It is at most capacity, and so can
///           be the count of what comes next
/// report    DeviceReport: code capacity_exceeded, count = the places without room, first_index =
///           capacity, needed = the capacity that would have been enough
/// scratch   expand_scratch() bytes: 64 + 16 for each tile of a few thousand items and places; with
///           ExpandInput::counts besides the offsets, and the scratch of scan.hpp for them; small
///           inputs: 0 with offsets
/// Before    in, count: last writer -> COMPUTE_SHADER / SHADER_READ. report: last writer ->
///           COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. indices, ranks, total: all earlier users
///           -> COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> TRANSFER |
///           COMPUTE_SHADER | DRAW_INDIRECT / TRANSFER_WRITE | SHADER_READ | SHADER_WRITE |
///           INDIRECT_COMMAND_READ
/// After     indices, ranks, total, report: COMPUTE_SHADER / SHADER_WRITE -> your reader. in,
///           scratch: free after COMPUTE_SHADER
/// Errors    input, in_width, index_width, in_width u64 with counts on a device without int64,
///           count or capacity above the limit, or above 2^32 with index_width u32, neither indices
///           nor ranks, views too small, unaligned or overlapping, invalid scratch
/// Results   exact. Places that there is no room for are left out; memory behind the places is left
///           unchanged
/// Source    S. Baxter's moderngpu, load-balancing search (2013); D. Merrill, M. Garland,
///           "Merge-based Parallel Sparse Matrix-Vector Multiplication" (2016), for tiles of equal
///           numbers of items plus places
Status record_expand(VkCommandBuffer cmd, const Device& device, const ExpandDesc& desc,
                     const ExpandBuffers& buffers);

/// Scratch that record_expand() needs for `desc`.
ScratchNeed expand_scratch(const Device& device, const ExpandDesc& desc);

/// Compiles the pipelines that record_expand() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const ExpandDesc& desc);

/// What expand() can write besides indices and ranks.
struct ExpandOptionalBuffers {
  OptionalNumber total;   ///< ExpandBuffers::total
  OptionalReport report;  ///< ExpandBuffers::report
};

/// Expands in as a step of `recorder`; `desc` says whether it holds counts or offsets. A count that
/// is not given is in.size(), for offsets one less. The capacity is the size of indices or ranks,
/// the smaller one if there are both; one of them may be not_wanted.
template <std::same_as<Recorder> R, class In, class Indices, class Ranks>
void expand(R& recorder, ExpandDesc desc, const In& in, const Indices& indices, const Ranks& ranks,
            const ExpandOptionalBuffers& more = {}) {
  using Results = std::conditional_t<overloads::kIsWanted<Indices>, Indices, Ranks>;
  static_assert(overloads::kIsIndex<In>,
                "vkprims: expand: in must hold std::uint32_t or std::uint64_t");
  static_assert(overloads::kIsIndex<Results>,
                "vkprims: expand: indices and ranks must hold std::uint32_t or std::uint64_t");
  static_assert(overloads::kIsSame<Results, Ranks>,
                "vkprims: expand: ranks must have indices' element type");
  desc.in_width = overloads::index_width<In>();
  desc.index_width = overloads::index_width<Results>();
  desc.count = desc.count.or_all(desc.input == ExpandInput::offsets ? overloads::segments_of(in)
                                                                    : in.size());
  desc.capacity = indices.size();
  if (!overloads::kIsWanted<Indices> ||
      (overloads::kIsWanted<Ranks> && ranks.size() < desc.capacity)) {
    desc.capacity = ranks.size();
  }
  overloads::add_step<record_expand, expand_scratch>(
      recorder, desc,
      ExpandBuffers{in.view(), indices.view(), ranks.view(), more.total.view(),
                    more.report.view()});
}

}  // namespace vkprims

// Top k: the largest or smallest k keys of a sequence.
/// @ingroup sort
#pragma once

#include <concepts>
#include <optional>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Which keys top_k takes.
enum class TopKSide : std::uint32_t {
  largest,  ///< the k largest ones
  smallest  ///< the k smallest ones
};

/// Describes a selection of keys to record_top_k(), top_k_scratch() and warm_up().
struct TopKDesc {
  Type type = Type::u32;              ///< type of the keys; every device supports all types here
  TopKSide side = TopKSide::largest;  ///< which keys are taken
  /// For f32 and f64. by_value: numbers are taken before NaN, with either TopKSide.
  FloatOrder float_order = FloatOrder::by_value;
  /// How many keys to take; if there are fewer, all are taken. Must be given to record_top_k().
  std::optional<std::uint64_t> k = {};
  /// true: results are in the order of a stable sort, the best first; false: in the order of the
  /// input.
  bool sorted = false;
  IndexWidth index_width = IndexWidth::u32;  ///< width of the elements of indices_out
  Count count = {};  ///< keys, 0 … kMaxCount; at most 2^32 if indices of 32 bits are wanted
};

/// Memory for record_top_k(), whose comment tells sizes, alignments and what may overlap.
struct TopKBuffers {
  BufferView in;                ///< the keys
  BufferView out;               ///< the keys taken
  BufferView indices_out = {};  ///< address 0: not wanted
  BufferView count_out = {};    ///< one u64; address 0: not wanted
  Scratch scratch = {};         ///< top_k_scratch() bytes
};

/// out = the k largest or smallest keys of in; indices_out = their indices in the input. Of equal
/// keys, with either TopKSide, those with the lowest indices are taken and, if sorted, come first.
///
/// in           count keys of size_of(type) bytes; address multiple of size_of(type); unchanged
/// out          min(k, count.max) keys; address multiple of size_of(type); must not overlap any
///              other view
/// indices_out  as many indices of size_of(index_width) bytes; address multiple of that; must not
///              overlap any other view
/// count_out    8 bytes: min(k, count) as read on the GPU; address multiple of 8; must not overlap
///              any other view
/// scratch      top_k_scratch() bytes: some KiB and 2 % of the bytes of in; for long sequences,
///              room for 1/16 of the keys and their indices; with sorted, room for the results and
///              their indices, and what radix_sort needs for them. 0 for few keys that are not
///              sorted
/// Before       in, count: last writer -> COMPUTE_SHADER / SHADER_READ. out, indices_out,
///              count_out: all earlier users -> COMPUTE_SHADER / SHADER_READ | SHADER_WRITE.
///              scratch: all earlier users -> TRANSFER | COMPUTE_SHADER | DRAW_INDIRECT /
///              TRANSFER_WRITE | SHADER_READ | SHADER_WRITE | INDIRECT_COMMAND_READ
/// After        out, indices_out, count_out: COMPUTE_SHADER / SHADER_WRITE -> your reader. in,
///              scratch: free after COMPUTE_SHADER
/// Errors       type, side, float_order, index_width, count above the limit, views too small,
///              unaligned or overlapping, invalid scratch
/// Results      exact, the same on every device; floats keep their bits and order as FloatOrder
///              says. Memory of out and indices_out behind min(k, count) elements is left unchanged
/// Source       radix select: T. Alabi, J. Blanchard, B. Gordon, R. Steinbach, "Fast k-selection
///              algorithms for graphics processing units" (2012); a sample finds a narrow range
///              that holds the k-th key first, as in R. Floyd, R. Rivest, "Expected time bounds for
///              selection" (1975). Long sequences are read about once for small k and twice for
///              large ones; if the sample misleads, once more for each digit of 11 bits
Status record_top_k(VkCommandBuffer cmd, const Device& device, const TopKDesc& desc,
                    const TopKBuffers& buffers);

/// Scratch that record_top_k() needs for `desc`.
ScratchNeed top_k_scratch(const Device& device, const TopKDesc& desc);

/// Compiles the pipelines that record_top_k() uses for `desc` at any alignment, count and k, with
/// any outputs.
Status warm_up(const Device& device, const TopKDesc& desc);

/// Optional outputs of the overloads of top_k().
struct TopKOptionalBuffers {
  OptionalNumber count_out = {};  ///< the number of keys taken
};

/// Takes keys as a step of `recorder`; a count that is not given is in.size(), and a k that is not
/// given is out.size().
template <std::same_as<Recorder> R, class In, class Out>
void top_k(R& recorder, const TopKDesc& desc, const In& in, const Out& out,
           const TopKOptionalBuffers& more = {}) {
  top_k(recorder, desc, in, out, not_wanted, more);
}

/// Takes keys and their indices.
template <std::same_as<Recorder> R, class In, class Out, class Indices>
void top_k(R& recorder, TopKDesc desc, const In& in, const Out& out, const Indices& indices_out,
           const TopKOptionalBuffers& more = {}) {
  static_assert(overloads::kIsElement<In>,
                "vkprims: top_k: in must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsSame<In, Out>, "vkprims: top_k: out must have in's element type");
  static_assert(overloads::kIsIndex<Indices>,
                "vkprims: top_k: indices_out must hold std::uint32_t or std::uint64_t");
  desc.type = overloads::element_type<In>();
  if (overloads::kIsWanted<Indices>) desc.index_width = overloads::index_width<Indices>();
  desc.count = desc.count.or_all(in.size());
  desc.k = desc.k.value_or(out.size());
  overloads::add_step<record_top_k, top_k_scratch>(
      recorder, desc,
      TopKBuffers{in.view(), out.view(), indices_out.view(), more.count_out.view()});
}

}  // namespace vkprims

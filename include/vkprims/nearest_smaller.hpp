// Nearest smaller: for every key, the index of the nearest smaller key before or after it.
/// @ingroup stack
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// The side of each key on which the nearest smaller key is searched.
enum class NearestDirection : std::uint32_t {
  previous,  ///< before it
  next       ///< after it
};

/// How keys[out[i]] compares to keys[i]: it is the nearest key that is less, less or equal, and so
/// on.
enum class NearestCompare : std::uint32_t {
  less,          ///< keys[out[i]] < keys[i]
  less_equal,    ///< keys[out[i]] <= keys[i]
  greater,       ///< keys[out[i]] > keys[i]
  greater_equal  ///< keys[out[i]] >= keys[i]
};

/// Describes a search for neighbours to record_nearest_smaller(), nearest_smaller_scratch() and
/// warm_up().
struct NearestSmallerDesc {
  Type type = Type::u32;  ///< every device supports all types here
  NearestDirection direction = NearestDirection::previous;  ///< where the nearest key is searched
  NearestCompare compare = NearestCompare::less;            ///< how it compares to the key
  Count count = {};  ///< keys, 0 … kMaxCount; with IndexWidth::u32 at most 2^32 - 1
  IndexWidth index_width = IndexWidth::u32;  ///< width of the elements of out
};

/// Memory for record_nearest_smaller(), whose comment tells sizes, alignments and what may overlap.
struct NearestSmallerBuffers {
  BufferView keys;       ///< the keys
  BufferView out;        ///< an index for each key
  Scratch scratch = {};  ///< nearest_smaller_scratch() bytes
};

/// out[i] = the largest j < i (previous) or the smallest j > i (next) with keys[j] < keys[i], or
/// with keys[j] <= keys[i], keys[j] > keys[i] or keys[j] >= keys[i], as NearestCompare says. Where
/// there is no such j, out[i] is 0xFFFFFFFF (with IndexWidth::u64 0xFFFFFFFFFFFFFFFF).
///
/// keys      count * size_of(type) bytes, in any order; address multiple of size_of(type)
/// out       count * size_of(index_width) bytes; address multiple of size_of(index_width); must not
///           overlap keys. All elements are written
/// scratch   nearest_smaller_scratch() bytes: 0 for few keys
/// Before    keys, count: last writer -> COMPUTE_SHADER / SHADER_READ. out: all earlier users ->
///           COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER |
///           DRAW_INDIRECT / SHADER_READ | SHADER_WRITE | INDIRECT_COMMAND_READ
/// After     out: COMPUTE_SHADER / SHADER_WRITE -> your reader. keys, scratch: free after
///           COMPUTE_SHADER
/// Errors    type, direction, compare, index_width, count above the limit, views too small,
///           unaligned or overlapping, invalid scratch
/// Results   exact, the same on every device. Floats compare as in C++: -0 equals +0, and every
///           comparison with NaN is false, so NaN is never found and nothing is found for NaN. The
///           work per key has a bound that does not depend on the keys: O(1) in its tile, and for
///           keys whose answer lies outside the tile a walk of O(log count) up and down a tree
/// Source    O. Berkman, B. Schieber, U. Vishkin, "Optimal Doubly Logarithmic Parallel Algorithms
///           Based on Finding All Nearest Smaller Values" (1993), for the problem and the blocks;
///           stacks are masks of 32 keys, and a tree holds the smallest keys
Status record_nearest_smaller(VkCommandBuffer cmd, const Device& device,
                              const NearestSmallerDesc& desc, const NearestSmallerBuffers& buffers);

/// Scratch that record_nearest_smaller() needs for `desc`.
ScratchNeed nearest_smaller_scratch(const Device& device, const NearestSmallerDesc& desc);

/// Compiles the pipelines that record_nearest_smaller() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const NearestSmallerDesc& desc);

/// Finds nearest smaller keys as a step of `recorder`; a count that is not given is keys.size().
template <std::same_as<Recorder> R, class Keys, class Out>
void nearest_smaller(R& recorder, NearestSmallerDesc desc, const Keys& keys, const Out& out) {
  static_assert(overloads::kIsElement<Keys>,
                "vkprims: nearest_smaller: keys must hold u32, i32, f32, u64, i64 or f64");
  static_assert(overloads::kIsIndex<Out>,
                "vkprims: nearest_smaller: out must hold std::uint32_t or std::uint64_t");
  desc.type = overloads::element_type<Keys>();
  desc.index_width = overloads::index_width<Out>();
  desc.count = desc.count.or_all(keys.size());
  overloads::add_step<record_nearest_smaller, nearest_smaller_scratch>(
      recorder, desc, NearestSmallerBuffers{.keys = keys.view(), .out = out.view()});
}

}  // namespace vkprims

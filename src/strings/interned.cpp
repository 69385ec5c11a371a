#include "strings/interned.hpp"

#include <algorithm>
#include <vector>

#include "runtime/push.hpp"
#include "spirv/strings_interned_intern.hpp"
#include "strings/call.hpp"

namespace vkprims::strings {
namespace {

std::uint64_t places_of(std::uint64_t chars_bytes, std::uint32_t level) {
  return (chars_bytes >> (VKP_INTERNED_LEAF_SHIFT + VKP_INTERNED_FAN_SHIFT * level)) + 1;
}

// The places of all levels, as places_below() of interned.glsl counts them.
std::uint64_t all_places(std::uint64_t chars_bytes) {
  const std::uint64_t leaves = places_of(chars_bytes, 0);
  return leaves + (VKP_INTERNED_LEVELS - 1) * ((leaves >> VKP_INTERNED_FAN_SHIFT) + 1);
}

VkDeviceSize table_bytes(std::uint64_t chars_bytes) { return 8 * all_places(chars_bytes); }

}  // namespace

VkDeviceSize interned_bytes(std::uint64_t chars_bytes, std::uint64_t longest_row_bytes) {
  const std::uint64_t longest =
      longest_row_bytes ? std::min(chars_bytes, longest_row_bytes) : chars_bytes;
  if (longest < VKP_INTERNED_LONG_BYTES) return 0;
  const VkDeviceSize numbers = 4 * (all_places(chars_bytes) + 3);
  return VKP_INTERNED_HEADER_BYTES + table_bytes(chars_bytes) + numbers;
}

Access InternedBlocks::notes() const {
  return writes(address() - mark_bytes, mark_bytes + VKP_INTERNED_HEADER_BYTES);
}

Access InternedBlocks::all() const {
  return writes(address() - mark_bytes, mark_bytes + interned_bytes(in.chars.bytes, 0));
}

Status get_intern_pipeline(DeviceState& state, bool may_compile, VkPipeline& pipeline) {
  return state.pipelines.get(state.vk, spirv::strings_interned_intern,
                             {.workgroup_size = state.tuning.workgroup_size}, may_compile,
                             pipeline);
}

void clear_interned(CommandStream& stream, const InternedBlocks& blocks) {
  stream.fill(blocks.scratch, blocks.offset - blocks.mark_bytes,
              blocks.mark_bytes + VKP_INTERNED_HEADER_BYTES + table_bytes(blocks.in.chars.bytes),
              ~0u);
}

void intern_blocks(CommandStream& stream, const DeviceState& state, VkPipeline pipeline,
                   const InternedBlocks& blocks) {
  const StringColumnView& in = blocks.in;
  const std::uint64_t longest = std::min(in.chars.bytes, kMaxStringBytes);
  std::vector<Access> accesses{blocks.all()};
  for (const BufferView& view : {in.offsets, in.chars}) {
    accesses.push_back(reads(view.address, view.bytes));
  }
  abi::InternPush push{
      .column = push_strings(in),
      .interned = push_u64(blocks.address()),
      .marks = push_u64(blocks.mark_bytes ? blocks.address() - blocks.mark_bytes : 0),
      .rows = static_cast<abi::uint>(in.rows),
      .level = 0,
      .seed = blocks.seed};
  // Levels whose blocks are larger than any row are left out.
  for (; push.level < VKP_INTERNED_LEVELS && places_of(longest, push.level) > 1; ++push.level) {
    const std::uint64_t places = places_of(in.chars.bytes, push.level);
    OldGrid grid;
    grid.groups = (places + state.tuning.workgroup_size - 1) / state.tuning.workgroup_size;
    stream.dispatch(pipeline, push, grid, std::span<const Access>(accesses));
  }
}

}  // namespace vkprims::strings

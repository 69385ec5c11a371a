#include "strings/interned.hpp"

#include <algorithm>

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

Status clear_interned(Commands& commands, const InternedBlocks& blocks,
                      const Independent* independent) {
  return commands.fill(
      blocks.scratch, blocks.offset - blocks.mark_bytes,
      blocks.mark_bytes + VKP_INTERNED_HEADER_BYTES + table_bytes(blocks.in.chars.bytes), ~0u,
      independent);
}

Status add_interning(Commands& commands, const InternedBlocks& blocks) {
  const StringColumnView& in = blocks.in;
  const std::uint64_t longest = std::min(in.chars.bytes, kMaxStringBytes);
  const std::uint32_t workgroup = commands.tuning().workgroup_size;
  abi::InternPush push{
      .column = push_strings(in),
      .interned = push_u64(blocks.address()),
      .marks = push_u64(blocks.mark_bytes ? blocks.address() - blocks.mark_bytes : 0),
      .rows = static_cast<abi::uint>(in.rows),
      .level = 0,
      .seed = blocks.seed};
  // Levels whose blocks are larger than any row are left out.
  for (; push.level < VKP_INTERNED_LEVELS && places_of(longest, push.level) > 1; ++push.level) {
    const Grid grid(ceil_div(places_of(in.chars.bytes, push.level), workgroup));
    VKPRIMS_TRY(commands.dispatch(spirv::strings_interned_intern, {.workgroup_size = workgroup},
                                  push, grid, {blocks.all(), reads(in.offsets), reads(in.chars)}));
  }
  return {};
}

}  // namespace vkprims::strings

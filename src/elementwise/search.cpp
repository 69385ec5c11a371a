// The host side of the primitive search.
#include "vkprims/search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cinttypes>

#include "blocks/key_type.hpp"
#include "blocks/tile.hpp"
#include "elementwise/search/search.abi.h"
#include "runtime/push.hpp"
#include "spirv/search.hpp"

namespace vkprims {
namespace {

Status check_desc(const SearchDesc& desc) {
  VKPRIMS_TRY(check_enum("search", "kind", desc.kind, SearchKind::upper_bound));
  VKPRIMS_TRY(check_type("search", desc.type));
  VKPRIMS_TRY(check_enum("search", "float_order", desc.float_order, FloatOrder::by_bits));
  VKPRIMS_TRY(check_enum("search", "index_width", desc.index_width, IndexWidth::u64));
  VKPRIMS_TRY(check_count("search", desc.count));
  VKPRIMS_TRY(check_count("search", desc.haystack_count, "haystack_count"));
  if (desc.index_width == IndexWidth::u64 || desc.haystack_count.max <= UINT32_MAX) return {};
  return Status::error(
      Status::invalid_argument,
      "search: index_width is u32, which cannot hold places in a haystack_count of "
      "%" PRIu64 "; at most %" PRIu32,
      desc.haystack_count.max, UINT32_MAX);
}

// The most samples of the haystack that a workgroup takes, and the rows of needles for which it
// does so.
constexpr std::uint32_t kMostSamples = 4096, kSampledRows = 8;

// How many samples of the haystack a workgroup takes, or 1 for none: they are worth it where many
// needles, in any order, are looked for in many elements.
std::uint32_t samples_of(const DeviceState& state, const SearchDesc& desc) {
  const std::uint32_t bytes = std::min<std::uint32_t>(state.shared_bytes, 4 * kMostSamples);
  const std::uint32_t samples = std::bit_floor(bytes / size_of(desc.type));
  const bool many = desc.count.max >= state.tuning.small_count &&
                    desc.haystack_count.max >= std::uint64_t{4} * samples;
  return many && !desc.needles_sorted ? samples : 1;
}

// The shape of a workgroup's work.
Specialization shape_of(const DeviceState& state, const SearchDesc& desc, std::uint32_t row_words) {
  const std::uint32_t samples = samples_of(state, desc);
  Specialization constants = tile_specialization(state.tuning, row_words);
  if (samples > 1) constants.rows = std::max(constants.rows, kSampledRows);
  return constants.set(VKP_SEARCH_SPEC_SAMPLES, samples);
}

// The grid of workgroups with so many rows of needles for each invocation.
Grid grid_of(const DeviceState& state, const SearchDesc& desc, std::uint32_t rows,
             const Scratch& scratch = {}) {
  const std::uint64_t batches = std::uint64_t{state.tuning.workgroup_size} * rows;
  return {desc.count, batches * VKP_SEARCH_ITEMS, scratch};
}

// This suffices whatever the number of rows, and so does not shrink where there are more.
ScratchNeed need_of(const DeviceState& state, const SearchDesc& desc) {
  return grid_need(grid_of(state, desc, state.tuning.stream_rows));
}

// Whether units of 16 bytes of needles can be loaded, and their places stored, at once.
bool is_aligned(const SearchDesc& desc, VkDeviceAddress needles, VkDeviceAddress out) {
  const std::uint32_t out_unit = 16 / size_of(desc.type) * size_of(desc.index_width);
  return needles % 16 == 0 && out % std::min(out_unit, 16u) == 0;
}

std::array<Operand, 6> operands_of(const DeviceState& state, const SearchDesc& desc,
                                   const SearchBuffers& buffers) {
  const std::uint32_t size = size_of(desc.type), index_size = size_of(desc.index_width);
  const std::uint64_t n = desc.count.max, haystack_bytes = desc.haystack_count.max * size;
  return {{{"haystack", buffers.haystack, haystack_bytes, size, false, "", "haystack_count"},
           {"needles", buffers.needles, n * size, size, false},
           {"out", buffers.out, n * index_size, index_size, true},
           operand_of(desc.count),
           operand_of(desc.haystack_count, "haystack_count"),
           operand_of(buffers.scratch, need_of(state, desc))}};
}

Status add_search(Commands& commands, const SearchDesc& desc, const SearchBuffers& buffers) {
  if (desc.count.max == 0) return {};
  const auto [haystack, needles, out, count, haystack_count, scratch] =
      operands_of(commands.state(), desc, buffers);
  const bool aligned = is_aligned(desc, needles.address(), out.address());
  Specialization constants = shape_of(commands.state(), desc, aligned ? 4 : 1);
  constants.set(VKP_SEARCH_SPEC_TYPE, key_type(desc.type, desc.float_order))
      .set(VKP_SEARCH_SPEC_UPPER, desc.kind == SearchKind::upper_bound)
      .set(VKP_SEARCH_SPEC_INDEX_WORDS, size_of(desc.index_width) / 4)
      .set(VKP_SEARCH_SPEC_SORTED, desc.needles_sorted);
  const abi::SearchPush push{.haystack_base = push_u64(haystack),
                             .needle_base = push_u64(needles),
                             .out_base = push_u64(out),
                             .count = push_count(desc.count),
                             .haystack_count = push_count(desc.haystack_count)};
  return commands.dispatch(spirv::search(size_of(desc.type) == 8), constants, push,
                           grid_of(commands.state(), desc, constants.rows, buffers.scratch),
                           {count, haystack_count, haystack, needles, out});
}

}  // namespace

ScratchNeed search_scratch(const Device& device, const SearchDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return need_of(*device.state(), desc);
}

Status record_search(VkCommandBuffer cmd, const Device& device, const SearchDesc& desc,
                     const SearchBuffers& buffers) {
  return record_call("search", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    VKPRIMS_TRY(check_operands("search", operands_of(commands.state(), desc, buffers)));
    return add_search(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const SearchDesc& desc) {
  return warm_up_call("search", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    SearchDesc any = desc;
    any.count.max = kMaxCount;
    const VkDeviceAddress aligned = 1 << 20, unaligned = aligned + size_of(desc.type);
    // These are haystacks of which there are no samples, and some.
    for (const std::uint64_t haystack_count : {std::uint64_t{1}, kMaxCount}) {
      any.haystack_count.max = haystack_count;
      for (const VkDeviceAddress needles : {aligned, unaligned}) {
        VKPRIMS_TRY(add_search(commands, any, {.needles = {needles}}));
      }
    }
    return Status();
  });
}

}  // namespace vkprims

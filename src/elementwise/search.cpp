// The host side of the primitive search.
#include "vkprims/search.hpp"

#include <algorithm>
#include <cinttypes>

#include "blocks/key_type.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "elementwise/search/search.abi.h"
#include "spirv/search.hpp"
#include "blocks/tile.hpp"
#include "runtime/validate.hpp"

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

std::uint64_t items_per_tile(const Tuning& tuning) {
  return std::uint64_t{tuning.workgroup_size} * tuning.stream_rows * VKP_SEARCH_ITEMS;
}

// Whether units of 16 bytes of needles can be loaded, and their places stored, at once.
bool is_aligned(const SearchDesc& desc, const SearchBuffers& buffers) {
  const std::uint32_t out_unit = 16 / size_of(desc.type) * size_of(desc.index_width);
  return buffers.needles.address % 16 == 0 && buffers.out.address % std::min(out_unit, 16u) == 0;
}

Status get_pipeline(DeviceState& state, const SearchDesc& desc, bool aligned, bool may_compile,
                    VkPipeline& pipeline) {
  Specialization constants = tile_specialization(state.tuning, aligned ? 4 : 1);
  constants.own[VKP_SEARCH_SPEC_TYPE - VKP_SPEC_FIRST_OWN] = key_type(desc.type, desc.float_order);
  constants.own[VKP_SEARCH_SPEC_UPPER - VKP_SPEC_FIRST_OWN] = desc.kind == SearchKind::upper_bound;
  constants.own[VKP_SEARCH_SPEC_INDEX_WORDS - VKP_SPEC_FIRST_OWN] = size_of(desc.index_width) / 4;
  constants.own[VKP_SEARCH_SPEC_SORTED - VKP_SPEC_FIRST_OWN] = desc.needles_sorted;
  const Spirv& spirv = size_of(desc.type) == 4 ? spirv::search_word : spirv::search_pair;
  return state.pipelines.get(state.vk, spirv, constants, may_compile, pipeline);
}

}  // namespace

ScratchNeed search_scratch(const Device& device, const SearchDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  const std::uint64_t items = items_per_tile(device.state()->tuning);
  return {grid_is_indirect(desc.count, items) ? kGridScratchBytes : 0};
}

Status record_search(VkCommandBuffer cmd, const Device& device, const SearchDesc& desc,
                     const SearchBuffers& buffers) {
  VKPRIMS_RECORD_CALL("search", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(desc));
  const ScratchNeed need = search_scratch(device, desc);
  const std::uint32_t size = size_of(desc.type);
  const std::uint32_t index_size = size_of(desc.index_width);
  const VkDeviceSize haystack_bytes = desc.haystack_count.max * size;
  const VkDeviceSize needle_bytes = desc.count.max * size;
  const VkDeviceSize out_bytes = desc.count.max * index_size;
  VKPRIMS_TRY(check_arguments(
      "search", {{"haystack", buffers.haystack, haystack_bytes, size, false, "", "haystack_count"},
                 {"needles", buffers.needles, needle_bytes, size, false},
                 {"out", buffers.out, out_bytes, index_size, true},
                 argument_of(desc.count),
                 argument_of(desc.haystack_count, "haystack_count"),
                 argument_of(buffers.scratch, need)}));
  if (desc.count.max == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc, is_aligned(desc, buffers), may_compile, pipeline));
  OldGrid grid;
  VKPRIMS_TRY(make_grid(state, desc.count, items_per_tile(state.tuning), buffers.scratch,
                        may_compile, grid));

  const abi::SearchPush push{.haystack_base = push_u64(buffers.haystack.address),
                             .needle_base = push_u64(buffers.needles.address),
                             .out_base = push_u64(buffers.out.address),
                             .count = push_count(desc.count),
                             .haystack_count = push_count(desc.haystack_count)};
  CommandStream stream(state, cmd);
  stream.dispatch(
      pipeline, push, grid,
      {reads(desc.count), reads(desc.haystack_count),
       reads(buffers.haystack.address, haystack_bytes),
       reads(buffers.needles.address, needle_bytes), writes(buffers.out.address, out_bytes)});
  return {};
}

Status warm_up(const Device& device, const SearchDesc& desc) {
  VKPRIMS_WARM_UP_CALL("search", device);
  VKPRIMS_TRY(check_desc(desc));
  DeviceState& state = *device.state();
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc, true, true, pipeline));
  VKPRIMS_TRY(get_pipeline(state, desc, false, true, pipeline));
  OldGrid grid;
  return make_grid(state, desc.count, items_per_tile(state.tuning), {}, true, grid);
}

}  // namespace vkprims

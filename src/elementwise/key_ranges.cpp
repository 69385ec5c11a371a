// The host side of the primitive key_ranges.
#include "vkprims/key_ranges.hpp"

#include <array>
#include <cinttypes>

#include "blocks/tile.hpp"
#include "elementwise/key_ranges/key_ranges.abi.h"
#include "runtime/arithmetic.hpp"
#include "runtime/push.hpp"
#include "spirv/key_ranges.hpp"

namespace vkprims {
namespace {

constexpr const char* kName = "key_ranges";

Status check_desc(const KeyRangesDesc& desc) {
  VKPRIMS_TRY(check_type(kName, desc.type));
  if (desc.type != Type::u32 && desc.type != Type::u64) {
    return Status::error(Status::invalid_argument, "%s: type is %s, must be u32 or u64", kName,
                         name_of(desc.type));
  }
  const std::uint32_t bits = 8 * size_of(desc.type);
  if (desc.first_bit >= bits) {
    return Status::error(Status::invalid_argument,
                         "%s: first_bit is %" PRIu32 ", must be 0 … %" PRIu32, kName,
                         desc.first_bit, bits - 1);
  }
  VKPRIMS_TRY(check_count(kName, desc.ranges, "ranges"));
  VKPRIMS_TRY(check_enum(kName, "index_width", desc.index_width, IndexWidth::u64));
  VKPRIMS_TRY(check_count(kName, desc.count));
  if (desc.index_width == IndexWidth::u64 || desc.count.max <= UINT32_MAX) return {};
  return Status::error(Status::invalid_argument,
                       "%s: index_width is u32, which cannot hold places in a count of %" PRIu64
                       "; at most %" PRIu32,
                       kName, desc.count.max, UINT32_MAX);
}

std::array<Operand, 3> operands_of(const KeyRangesDesc& desc, const KeyRangesBuffers& buffers) {
  const std::uint32_t size = size_of(desc.type), index_size = size_of(desc.index_width);
  return {{{"in", buffers.in, desc.count.max * size, size, false},
           {"out", buffers.out, (desc.ranges + 1) * index_size, index_size, true, "", "ranges + 1"},
           operand_of(desc.count)}};
}

Status add_key_ranges(Commands& commands, const KeyRangesDesc& desc,
                      const KeyRangesBuffers& buffers) {
  const auto [in, out, count] = operands_of(desc, buffers);
  const Tuning& tuning = commands.tuning();
  Specialization constants = tile_specialization(tuning, out.address() % 16 == 0 ? 4 : 1);
  constants.set(VKP_KEY_RANGES_SPEC_INDEX_WORDS, size_of(desc.index_width) / 4);
  const abi::KeyRangesPush push{.haystack_base = push_u64(in),
                                .out_base = push_u64(out),
                                .ranges = push_u64(desc.ranges),
                                .count = push_count(desc.count),
                                .shift = desc.first_bit};
  const std::uint64_t tile =
      std::uint64_t{tuning.workgroup_size} * tuning.stream_rows * VKP_KEY_RANGES_ITEMS;
  return commands.dispatch(spirv::key_ranges(desc.type == Type::u64), constants, push,
                           Grid(ceil_div(desc.ranges + 1, tile)), {count, in, out});
}

}  // namespace

ScratchNeed key_ranges_scratch(const Device&, const KeyRangesDesc&) { return {}; }

Status record_key_ranges(VkCommandBuffer cmd, const Device& device, const KeyRangesDesc& desc,
                         const KeyRangesBuffers& buffers) {
  return record_call(kName, cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    VKPRIMS_TRY(check_operands(kName, operands_of(desc, buffers)));
    return add_key_ranges(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const KeyRangesDesc& desc) {
  return warm_up_call(kName, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    for (const VkDeviceAddress out : {VkDeviceAddress{16}, VkDeviceAddress{8}}) {
      VKPRIMS_TRY(add_key_ranges(commands, desc, {.out = {out}}));
    }
    return Status();
  });
}

}  // namespace vkprims

#include "scan/segment_bits.hpp"

#include "blocks/tile.hpp"
#include "runtime/push.hpp"
#include "scan/segmented_scan/segmented_scan.abi.h"
#include "spirv/segmented_scan_offsets.hpp"

namespace vkprims {

Grid segment_bits_grid(const Tuning& tuning, const Count& segments, const Scratch& room) {
  // Less one, because there is one more offset than segments.
  return Grid(segments, tile_bytes(tuning) / 4 - 1, room);
}

Status add_segment_bits(Commands& commands, const SegmentBits& segments, const Grid& grid) {
  Specialization constants = tile_specialization(commands.tuning(), 1);
  constants.set(VKP_SEGMENTED_SCAN_SPEC_OFFSET_WORDS, size_of(segments.offset_width) / 4);
  const abi::SegmentedScanOffsetsPush push{.offsets = push_u64(segments.offsets.address),
                                           .bits = push_u64(segments.bits.address),
                                           .segments = push_count(segments.segments),
                                           .count = push_count(segments.count)};
  return commands.dispatch(spirv::segmented_scan_offsets, constants, push, grid,
                           {operand_of(segments.segments), operand_of(segments.count),
                            reads(segments.offsets), writes(segments.bits)});
}

}  // namespace vkprims

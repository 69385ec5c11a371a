// The host side of shaders/vkprims/device/segmented_scan_look_back.glsl and
// segmented_scan_multi_pass.glsl, which the scans in segments have in common.
#pragma once

#include "blocks/key_type.hpp"
#include "blocks/scan_tile.hpp"
#include "runtime/commands.hpp"
#include "scan/scan_desc.hpp"
#include "scan/segmented_scan/segmented_scan.abi.h"

namespace vkprims {

/// Where segments begin.
enum class Heads : std::uint32_t {
  keys_4 = VKP_HEADS_KEYS_4,
  keys_8 = VKP_HEADS_KEYS_8,
  floats_4 = VKP_HEADS_FLOATS_4,
  floats_8 = VKP_HEADS_FLOATS_8,
  bytes = VKP_HEADS_BYTES,
  bits = VKP_HEADS_BITS,
};

constexpr Heads heads_of(Type key, FloatOrder order) {
  if (size_of(key) == 8) return by_value(key, order) ? Heads::floats_8 : Heads::keys_8;
  return by_value(key, order) ? Heads::floats_4 : Heads::keys_4;
}

/// Rows of 16 bytes of elements that a lane has in flight. Keys that are wider than elements take
/// twice the registers.
std::uint32_t segment_rows(const Tuning& tuning, std::uint32_t words, Heads heads);
/// For a look-back, `tuning` must be tuning_for() the number of elements.
ScanTile segment_tile(const Tuning& tuning, std::uint32_t words, Heads heads);

/// What the descriptors of scan_by_key and segmented_scan have in common.
template <class Desc>
ScanDesc scan_desc(const Desc& desc) {
  return {.type = desc.type,
          .op = desc.op,
          .own = desc.own,
          .kind = desc.kind,
          .count = desc.count,
          .initial = desc.initial,
          .schedule = desc.schedule,
          .determinism = desc.determinism};
}

/// How a descriptor is carried out on a device.
struct SegmentScan {
  ScanDesc desc;  // ScanDesc::input is as_type
  Heads heads;
  ScanPath path;
  ScanTile tile;
  std::uint32_t rows;
  std::uint64_t max_parts;    // tiles (look_back) or workgroups (multi_pass)
  VkDeviceSize state_offset;  // in scratch, behind what an indirect grid needs
  ScratchNeed need;
};

SegmentScan segment_scan(const DeviceState& state, const ScanDesc& desc, Heads heads);

struct SegmentScanViews {
  BufferView in, out;
  BufferView heads;       // exactly the bytes that are read
  Scratch scratch;        // SegmentScan::need
  BufferView head_count;  // one u64, or no address
};

/// The size of the grid of a look-back; the kernels of the other paths have one grid.
Grid segment_scan_grid(const SegmentScan& scan, const Scratch& scratch);

/// Adds the command that clears the states. If `independent` is given, no barrier separates it from
/// the command before.
Status clear_segment_scan(Commands& commands, const SegmentScan& scan, const Scratch& scratch,
                          const Independent* independent = nullptr);

/// Adds all other commands of a scan in segments, once everything has been checked.
/// `look_back_grid` is that of segment_scan_grid(), prepared or not.
Status add_segment_scan(Commands& commands, const SegmentScan& plan, const SegmentScanViews& views,
                        const Grid& look_back_grid);

/// Adds what a descriptor may need at any alignment and count, if heads are counted or if not.
Status warm_up_segment_scan(Commands& commands, const ScanDesc& desc, Heads heads,
                            bool counts_heads);

}  // namespace vkprims

// The host side of shaders/compact/reduce_by_key/, which reduce_by_key and run_length_encode have
// in common.
#pragma once

#include "blocks/stage.hpp"
#include "scan/segments.hpp"

namespace vkprims {

struct RunSums {
  const char* primitive;
  Type key;
  FloatOrder float_order;
  ScanDesc values;    // type, op, count, schedule, determinism
  bool ones;          // elements are only counted
  bool wide = false;  // numbers of runs have 64 bits even where count.max is below 2^32, for tests
};

struct RunSumsBuffers {
  BufferView keys, in, out_keys, out, run_count;
  const char *keys_name, *out_keys_name, *out_name;  // names of the members that hold these views
  Scratch scratch;
};

/// The tile of a look-back over `count` elements in runs of keys, whose values have `bytes` bytes.
StageTile run_tile(const DeviceState& state, Type key, std::uint32_t bytes, bool ones,
                   std::uint64_t count);

Status check_run_sums(const DeviceState& state, const RunSums& sums);
ScratchNeed run_sums_scratch(const DeviceState& state, const RunSums& sums);
/// Checks the buffers of sums that are right.
Status check_buffers(const DeviceState& state, const RunSums& sums, const RunSumsBuffers& b);
/// Adds the commands of sums that have been checked, and their buffers, too.
Status add_run_sums(Commands& commands, const RunSums& sums, const RunSumsBuffers& b);
/// Adds what sums may need at any count.
Status warm_up_run_sums(Commands& commands, const RunSums& sums);

}  // namespace vkprims

// The host side of shaders/compact/reduce_by_key/, which reduce_by_key and run_length_encode have
// in common.
#pragma once

#include "scan/segments.hpp"
#include "blocks/stage.hpp"

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

/// The tile of a look-back over `count` elements in runs of keys, each with a value of `type`.
StageTile run_tile(const DeviceState& state, Type key, Type type, bool ones, std::uint64_t count);

Status check_run_sums(const DeviceState& state, const RunSums& sums);
ScratchNeed run_sums_scratch(const DeviceState& state, const RunSums& sums);
/// Requires that check_run_sums() has succeeded.
Status record_run_sums(VkCommandBuffer cmd, DeviceState& state, const RunSums& sums,
                       const RunSumsBuffers& buffers);
Status warm_up_run_sums(DeviceState& state, const RunSums& sums);

}  // namespace vkprims

// The host side of the primitive map.
#include "vkprims/map.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "blocks/tile.hpp"
#include "elementwise/map/map.abi.h"
#include "runtime/push.hpp"

namespace vkprims {
namespace {

constexpr std::uint32_t kMost = 4;  // inputs, and outputs

Status check_bytes(const Map& map, const char* name, std::uint32_t bytes) {
  if (bytes >= 4 && bytes <= 32 && bytes % 4 == 0) return {};
  return Status::error(Status::invalid_argument,
                       "%s: elements of %s have %u bytes, must be a multiple of 4, 4 … 32",
                       map.name, name, bytes);
}

Status check_map(const DeviceState& state, const Map* own) {
  if (!own) {
    return Status::error(Status::invalid_argument,
                         "map: own is null; vkprims_add_map() makes a Map");
  }
  if (own->inputs > kMost || own->outputs == 0 || own->outputs > kMost) {
    return Status::error(Status::invalid_argument,
                         "%s: a Map has %u inputs and %u outputs, must be 0 … 4 and 1 … 4",
                         own->name, own->inputs, own->outputs);
  }
  for (std::uint32_t k = 0; k < own->inputs; ++k) {
    VKPRIMS_TRY(check_bytes(*own, own->in_names[k], own->in_bytes[k]));
  }
  for (std::uint32_t k = 0; k < own->outputs; ++k) {
    VKPRIMS_TRY(check_bytes(*own, own->out_names[k], own->out_bytes[k]));
  }
  if (own->argument_bytes) VKPRIMS_TRY(check_bytes(*own, "arguments", own->argument_bytes));
  if (!own->spirv) {
    return Status::error(Status::invalid_argument, "%s: a Map has no spirv", own->name);
  }
  const Features& has = state.info.enabled;
  const char* lacks = own->has_int64 && !has.int64       ? "int64"
                      : own->has_float64 && !has.float64 ? "float64"
                                                         : nullptr;
  if (!lacks) return {};
  return Status::error(Status::unsupported,
                       "%s: needs Features::%s, without which this device was created", own->name,
                       lacks);
}

Status check_desc(const DeviceState& state, const MapDesc& desc) {
  VKPRIMS_TRY(check_map(state, desc.own));
  VKPRIMS_TRY(check_count(desc.own->name, desc.count));
  const std::uint32_t bytes = desc.own->argument_bytes;
  const Value& given = desc.arguments;
  if (given.address && bytes && given.address % Map::alignment(bytes) == 0) return {};
  if (given.address && bytes) {
    return Status::error(
        Status::invalid_argument, "%s: arguments.address is 0x%llx, must be a multiple of %u",
        desc.own->name, static_cast<unsigned long long>(given.address), Map::alignment(bytes));
  }
  if (!given.address && given.bytes == bytes) return {};
  return Status::error(Status::invalid_argument, "%s: arguments have %u bytes, must have %u",
                       desc.own->name, given.bytes, bytes);
}

// The elements that an invocation treats at once: VKP_MAP_ITEMS.
std::uint32_t items_of(const Map& map) {
  std::uint32_t bytes = 4;
  for (std::uint32_t k = 0; k < map.inputs; ++k) bytes = std::max(bytes, map.in_bytes[k]);
  for (std::uint32_t k = 0; k < map.outputs; ++k) bytes = std::max(bytes, map.out_bytes[k]);
  return bytes <= 8 ? 16 / bytes : 1;
}

// The rows of an invocation: fewer than usual if those of all inputs would take too many registers.
std::uint32_t rows_of(const Tuning& tuning, const Map& map) {
  constexpr std::uint32_t kMostWords = 64;
  const std::uint32_t bytes = std::accumulate(map.in_bytes, map.in_bytes + map.inputs, 0u);
  const std::uint32_t words = std::max(bytes / 4 * items_of(map), 1u);
  return std::clamp(kMostWords / words, 1u, tuning.stream_rows);
}

// A workgroup for each tile, whose first cell may be used in part.
Grid grid_of(const Tuning& tuning, const MapDesc& desc, const Scratch& scratch = {}) {
  const std::uint32_t items = items_of(*desc.own);
  const std::uint64_t cells = std::uint64_t{tuning.workgroup_size} * rows_of(tuning, *desc.own);
  return {desc.count, cells * items - (items - 1), scratch};
}

struct Operands {
  std::array<Operand, kMost> in, out;
  Operand arguments, count, scratch;
};

Operands operands_of(const DeviceState& state, const MapDesc& desc, const MapBuffers& buffers) {
  const Map& map = *desc.own;
  const std::uint64_t n = desc.count.max;
  Operands x{.arguments = operand_of("arguments", desc.arguments, map.argument_bytes),
             .count = operand_of(desc.count),
             .scratch = operand_of(buffers.scratch, grid_need(grid_of(state.tuning, desc)))};
  x.scratch.needed_by = "map_scratch()";
  for (std::uint32_t k = 0; k < map.outputs; ++k) {
    const std::uint32_t bytes = map.out_bytes[k];
    x.out[k] = {map.out_names[k], buffers.out[k], n * bytes, Map::alignment(bytes), true};
  }
  for (std::uint32_t k = 0; k < map.inputs; ++k) {
    const std::uint32_t bytes = map.in_bytes[k];
    x.in[k] = {map.in_names[k], buffers.in[k], n * bytes, Map::alignment(bytes), false};
    for (std::uint32_t i = 0; i < map.outputs; ++i) {
      const bool same = map.out_bytes[i] == bytes && is_in_place(x.in[k], x.out[i]);
      if (same) x.in[k].in_place_of = map.out_names[i];
    }
  }
  return x;
}

// Whether the cells of all sequences are aligned where those of the first output are. Those of 16
// and 8 bytes are moved by vectors.
bool is_aligned(const Map& map, const Operands& x) {
  const std::uint64_t items = items_of(map);
  const std::uint64_t head = x.out[0].address() / map.out_bytes[0] % items;
  const auto aligned = [&](const Operand& sequence, std::uint64_t bytes) {
    const std::uint64_t cell = items * bytes, vector = cell % 16 == 0 ? 16 : cell == 8 ? 8 : 4;
    return (sequence.address() - head * bytes) % vector == 0;
  };
  bool all = true;
  for (std::uint32_t k = 0; k < map.inputs; ++k) all &= aligned(x.in[k], map.in_bytes[k]);
  for (std::uint32_t k = 0; k < map.outputs; ++k) all &= aligned(x.out[k], map.out_bytes[k]);
  return all;
}

abi::MapPush push_of(const MapDesc& desc, const Operands& x) {
  abi::MapPush push{.count = push_count(desc.count),
                    .arguments = {.address = push_u64(desc.arguments.address)}};
  for (std::uint32_t k = 0; k < kMost; ++k) {
    push.in_base[k] = push_u64(x.in[k]);
    push.out_base[k] = push_u64(x.out[k]);
  }
  std::copy(std::begin(desc.arguments.words), std::end(desc.arguments.words), push.arguments.words);
  return push;
}

Status add_map(Commands& commands, const MapDesc& desc, const Operands& x, const Scratch& scratch,
               bool aligned) {
  if (desc.count.max == 0) return {};
  const Tuning& tuning = commands.tuning();
  Specialization constants = tile_specialization(tuning, aligned ? 4 : 1);
  constants.rows = rows_of(tuning, *desc.own);
  return commands.dispatch(*desc.own->spirv, constants, push_of(desc, x),
                           grid_of(tuning, desc, scratch),
                           {x.count, x.arguments, x.in[0], x.in[1], x.in[2], x.in[3], x.out[0],
                            x.out[1], x.out[2], x.out[3]});
}

// What messages and labels call it.
const char* name_of(const MapDesc& desc) { return desc.own ? desc.own->name : "map"; }

}  // namespace

ScratchNeed map_scratch(const Device& device, const MapDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return grid_need(grid_of(device.state()->tuning, desc));
}

Status record_map(VkCommandBuffer cmd, const Device& device, const MapDesc& desc,
                  const MapBuffers& buffers) {
  return record_call(name_of(desc), cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    const auto x = operands_of(commands.state(), desc, buffers);
    VKPRIMS_TRY(
        check_operands(desc.own->name, {x.in[0], x.in[1], x.in[2], x.in[3], x.out[0], x.out[1],
                                        x.out[2], x.out[3], x.count, x.arguments, x.scratch}));
    return add_map(commands, desc, x, buffers.scratch, is_aligned(*desc.own, x));
  });
}

Status warm_up(const Device& device, const MapDesc& desc) {
  return warm_up_call(name_of(desc), device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    MapDesc any = desc;
    any.count.max = kMaxCount;
    for (const bool aligned : {true, false}) {
      VKPRIMS_TRY(add_map(commands, any, {}, {}, aligned));
    }
    return Status();
  });
}

}  // namespace vkprims

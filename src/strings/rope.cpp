#include "strings/rope.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstring>

#include "lookback.hpp"
#include "push.hpp"

namespace vkprims::strings {
namespace {

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0); }
VkDeviceSize aligned(VkDeviceSize bytes) { return ceil_div(bytes, 16) * 16; }

std::uint32_t workgroup_size(const DeviceState& state) {
  return std::min<std::uint32_t>(state.tuning.workgroup_size, VKP_STRINGS_WORKGROUP);
}

std::uint64_t tiles_of(const DeviceState& state, std::uint64_t rows) {
  return ceil_div(rows, std::uint64_t{workgroup_size(state)} * VKP_STRINGS_ROWS);
}

struct Pipelines {
  VkPipeline first = VK_NULL_HANDLE, second = VK_NULL_HANDLE;  // second: of multi_pass
};

Status get_pipelines(DeviceState& state, const RopeKernel& kernel, Schedule schedule,
                     bool may_compile, Pipelines& pipelines) {
  Specialization constants{.workgroup_size = workgroup_size(state)};
  const auto get = [&](const Spirv* spirv, VkPipeline& pipeline) {
    return state.pipelines.get(state.vk, *spirv, constants, may_compile, pipeline);
  };
  if (schedule == Schedule::multi_pass) {
    VKPRIMS_TRY(get(kernel.sizes, pipelines.first));
    return get(kernel.write, pipelines.second);
  }
  constants.lookback = lookback_constants(state, false);
  return get(lookback_is_wide(state) ? kernel.single64 : kernel.single32, pipelines.first);
}

// Arguments, texts and table, as they lie at the beginning of scratch.
std::vector<std::uint8_t> argument_bytes(const Rope& rope, const BufferView& report,
                                         VkDeviceAddress scratch, VkDeviceAddress tiles) {
  const std::size_t more = aligned(0) + VKP_STRINGS_TEXT_OFFSET + (rope.text.size() + 3) / 4 * 4;
  const std::size_t table = more + (rope.more.size() + 3) / 4 * 4;
  std::vector<std::uint8_t> bytes(table + rope.columns.size() * sizeof(abi::VkpStrings));
  const abi::StringsArguments arguments{.report = push_u64(report.address),
                                        .mask_bits = push_u64(rope.mask.bits.address),
                                        .mask_validity = push_u64(rope.mask.validity.address),
                                        .mask_first_bit = rope.mask.first_bit,
                                        .text_bytes = static_cast<abi::uint>(rope.text.size()),
                                        .more_bytes = static_cast<abi::uint>(rope.more.size()),
                                        .columns = static_cast<abi::uint>(rope.columns.size()),
                                        .table = push_u64(scratch + table),
                                        .start = rope.start,
                                        .stop = rope.stop,
                                        .step = rope.step,
                                        .flags = rope.flags,
                                        .indices = push_u64(rope.indices.address),
                                        .tiles = push_u64(tiles)};
  const auto put = [&](std::size_t at, const void* from, std::size_t n) {
    if (n) std::memcpy(bytes.data() + at, from, n);
  };
  put(0, &arguments, sizeof arguments);
  put(VKP_STRINGS_TEXT_OFFSET, rope.text.data(), rope.text.size());
  put(more, rope.more.data(), rope.more.size());
  for (std::size_t i = 0; i < rope.columns.size(); ++i) {
    const abi::VkpStrings column = push_strings(rope.columns[i]);
    put(table + i * sizeof column, &column, sizeof column);
  }
  return bytes;
}

std::uint64_t text_bytes_of(const Rope& rope) {
  return (rope.text.size() + 3) / 4 * 4 + (rope.more.size() + 3) / 4 * 4;
}

Status check_rope(const Rope& rope, const StringColumnOut& out, const BufferView& report,
                  const Scratch& scratch, const ScratchNeed& need) {
  const char* name = rope.primitive;
  VKPRIMS_TRY(check_enum(name, "schedule", rope.schedule, Schedule::multi_pass));
  VKPRIMS_TRY(check_enum(name, "out.offset_width", out.offset_width, IndexWidth::u64));
  const std::uint64_t most = VKP_STRINGS_MOST_ARGUMENT_BYTES - VKP_STRINGS_TEXT_OFFSET;
  const std::uint64_t bytes =
      text_bytes_of(rope) + rope.columns.size() * sizeof(abi::VkpStrings);
  if (bytes > most) {
    return Status::error(Status::invalid_argument,
                         "%s: scalars and columns take %" PRIu64 " bytes, at most %" PRIu64
                         " are allowed",
                         name, bytes, most);
  }
  std::vector<Argument> arguments;
  for (const NamedColumn* column : {&rope.a, &rope.b}) {
    if (column->name) VKPRIMS_TRY(check_column(name, *column, arguments));
  }
  for (const StringColumnView& view : rope.columns) {
    VKPRIMS_TRY(check_column(name, {"columns", view}, arguments));
  }
  if (rope.mask.rows) VKPRIMS_TRY(check_bits(name, "mask", rope.mask, rope.rows, arguments));
  arguments.push_back({"indices", rope.indices, rope.indices.bytes, 4, false});
  const std::uint32_t width = size_of(out.offset_width);
  arguments.push_back({"out.offsets", out.offsets, (rope.rows + 1) * width, width, true});
  arguments.push_back({"out.chars", out.chars, out.chars.bytes, 1, true});
  arguments.push_back({"out.validity", out.validity,
                       out.validity.address ? bit_bytes(rope.rows) : 0, 4, true});
  arguments.push_back({"report", report, report.address ? sizeof(DeviceReport) : 0, 8, true});
  arguments.push_back({"scratch", {scratch.address, scratch.bytes}, need.bytes, need.alignment, true});
  return check_arguments(name, std::span<const Argument>(arguments));
}

}  // namespace

abi::VkpStrings push_strings(const StringColumnView& view) {
  return {.offsets = push_u64(view.offsets.address),
          .chars = push_u64(view.chars.address),
          .validity = push_u64(view.validity.address),
          .bytes = push_u64(view.chars.bytes),
          .first_bit = view.first_bit,
          .wide = view.offset_width == IndexWidth::u64};
}

Status check_column(const char* primitive, const NamedColumn& column,
                    std::vector<Argument>& arguments) {
  const StringColumnView& view = column.view;
  VKPRIMS_TRY(check_enum(primitive, "offset_width", view.offset_width, IndexWidth::u64));
  if (view.rows > kMaxStringRows) {
    return Status::error(Status::invalid_argument,
                         "%s: %s.rows is %" PRIu64 ", at most %" PRIu64 " (2^31 - 1) are allowed",
                         primitive, column.name, view.rows, kMaxStringRows);
  }
  if (view.first_bit > 31) {
    return Status::error(Status::invalid_argument, "%s: %s.first_bit is %u, must be 0 … 31",
                         primitive, column.name, view.first_bit);
  }
  if (view.rows == 0) return {};
  const std::uint32_t width = size_of(view.offset_width);
  arguments.push_back({column.name, view.offsets, (view.rows + 1) * width, width, false});
  arguments.push_back({column.name, view.chars, view.chars.bytes, 1, false});
  const VkDeviceSize bits = view.validity.address ? bit_bytes(view.rows, view.first_bit) : 0;
  arguments.push_back({column.name, view.validity, bits, 4, false});
  return {};
}

Status check_bits(const char* primitive, const char* name, const BitsView& bits, std::uint64_t rows,
                  std::vector<Argument>& arguments) {
  if (bits.rows != rows) {
    return Status::error(Status::invalid_argument, "%s: %s.rows is %" PRIu64 ", must be %" PRIu64,
                         primitive, name, bits.rows, rows);
  }
  if (bits.first_bit > 31) {
    return Status::error(Status::invalid_argument, "%s: %s.first_bit is %u, must be 0 … 31",
                         primitive, name, bits.first_bit);
  }
  const VkDeviceSize bytes = rows ? bit_bytes(rows, bits.first_bit) : 0;
  arguments.push_back({name, bits.bits, bytes, 4, false});
  arguments.push_back({name, bits.validity, bits.validity.address ? bytes : 0, 4, false});
  return {};
}

ScratchNeed rope_scratch(const DeviceState& state, std::uint64_t rows, std::uint64_t text_bytes,
                         std::uint64_t columns) {
  const std::uint64_t arguments =
      VKP_STRINGS_TEXT_OFFSET + text_bytes + columns * sizeof(abi::VkpStrings);
  return {aligned(arguments) + lookback_bytes(tiles_of(state, rows), 2)};
}

Status record_rope(VkCommandBuffer cmd, DeviceState& state, const RopeKernel& kernel,
                   const Rope& rope, const StringColumnOut& out, const BufferView& report,
                   const Scratch& scratch) {
  const ScratchNeed need =
      rope_scratch(state, rope.rows, text_bytes_of(rope), rope.columns.size());
  VKPRIMS_TRY(check_scratch(rope.primitive, need, scratch));
  VKPRIMS_TRY(check_rope(rope, out, report, scratch, need));
  Pipelines pipelines;
  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  VKPRIMS_TRY(get_pipelines(state, kernel, rope.schedule, may_compile, pipelines));

  const std::uint64_t tiles = tiles_of(state, rope.rows);
  const VkDeviceSize state_offset =
      aligned(VKP_STRINGS_TEXT_OFFSET + text_bytes_of(rope) +
              rope.columns.size() * sizeof(abi::VkpStrings));
  const std::vector<std::uint8_t> arguments =
      argument_bytes(rope, report, scratch.address, scratch.address + state_offset);
  const VkDeviceSize capacity = out.offset_width == IndexWidth::u64
                                    ? out.chars.bytes
                                    : std::min<VkDeviceSize>(out.chars.bytes, kMaxStringBytes);
  const abi::StringsPush push{.a = push_strings(rope.a.view),
                              .b = push_strings(rope.b.view),
                              .out_offsets = push_u64(out.offsets.address),
                              .out_chars = push_u64(out.chars.address),
                              .out_validity = push_u64(out.validity.address),
                              .capacity = push_u64(capacity),
                              .scratch = push_u64(scratch.address),
                              .rows = static_cast<abi::uint>(rope.rows),
                              .out_wide = out.offset_width == IndexWidth::u64};
  const auto column = [](const StringColumnView& v) { return reads(v.chars.address, v.chars.bytes); };
  const Access a = column(rope.a.view), b = column(rope.b.view);
  const Access a_offsets = reads(rope.a.view.offsets.address, rope.a.view.offsets.bytes);
  const Access b_offsets = reads(rope.b.view.offsets.address, rope.b.view.offsets.bytes);
  const Access mask = reads(rope.mask.bits.address, rope.mask.bits.bytes);
  const Access offsets = writes(out.offsets.address, (rope.rows + 1) * size_of(out.offset_width));
  const Access chars = writes(out.chars.address, out.chars.bytes);
  const Access validity = writes(out.validity.address, out.validity.address ? bit_bytes(rope.rows) : 0);
  const Access own = writes(scratch.address, need.bytes);
  Grid grid;
  grid.groups = std::max<std::uint64_t>(tiles, 1);
  const CommandStream label(state, cmd, rope.primitive);
  CommandStream stream(state, cmd, "rope");
  constexpr Independent kOtherMemory{"the state of the tiles lies behind the arguments"};
  stream.write(scratch, 0, arguments.data(), arguments.size());
  stream.fill(scratch, state_offset, need.bytes - state_offset, 0, &kOtherMemory);
  stream.dispatch(pipelines.first, push, grid,
                  {a, b, a_offsets, b_offsets, mask, offsets, chars, validity, own});
  if (pipelines.second) {
    stream.dispatch(pipelines.second, push, grid,
                    {a, b, a_offsets, b_offsets, mask, offsets, chars, validity, own});
  }
  return {};
}

Status warm_up_rope(DeviceState& state, const RopeKernel& kernel, Schedule schedule) {
  Pipelines pipelines;
  return get_pipelines(state, kernel, schedule, true, pipelines);
}

}  // namespace vkprims::strings

// The host side of the primitive draw_args.
#include "vkprims/draw_args.hpp"

#include <cinttypes>

#include "elementwise/draw_args/draw_args.abi.h"
#include "runtime/arithmetic.hpp"
#include "runtime/commands.hpp"
#include "runtime/push.hpp"
#include "spirv/draw_args.hpp"

namespace vkprims {
namespace {

constexpr const char* kName = "draw_args";

static_assert(sizeof(VkDrawIndirectCommand) == 16 && sizeof(VkDrawIndexedIndirectCommand) == 20);

std::uint32_t words_of(DrawCommand command) {
  constexpr std::uint32_t words[] = {4, 5, 1};
  return words[static_cast<std::uint32_t>(command)];
}

Status check_desc(const DrawArgsDesc& desc) {
  VKPRIMS_TRY(check_enum(kName, "command", desc.command, DrawCommand::draw_count));
  VKPRIMS_TRY(check_enum(kName, "number", desc.number, DrawNumber::vertices));
  VKPRIMS_TRY(check_count(kName, desc.count));
  if (desc.per_item == 0 || desc.count.max <= UINT32_MAX / desc.per_item) return {};
  return Status::error(Status::invalid_argument,
                       "%s: count %" PRIu64 " times per_item %" PRIu32 " is more than %" PRIu32
                       ", which a draw has at most",
                       kName, desc.count.max, desc.per_item, UINT32_MAX);
}

Status add_draw_args(Commands& commands, const DrawArgsDesc& desc, const Operand& args) {
  const bool instances = desc.number == DrawNumber::instances;
  abi::DrawArgsPush push{.args = push_u64(args),
                         .count = push_count(desc.count),
                         .commands = desc.commands,
                         .per_item = desc.per_item,
                         .place = instances && desc.command != DrawCommand::draw_count,
                         .words = words_of(desc.command),
                         .values = {desc.other_number, desc.other_number, desc.first_vertex,
                                    desc.first_instance, desc.first_instance}};
  if (desc.command == DrawCommand::draw_indexed) {
    push.values[3] = static_cast<std::uint32_t>(desc.vertex_offset);
  }
  return commands.dispatch(spirv::draw_args, kFirstInvocation, push,
                           Grid(ceil_div(desc.commands, kFirstInvocation.workgroup_size)),
                           {operand_of(desc.count, desc.commands), args});
}

}  // namespace

Status record_draw_args(VkCommandBuffer cmd, const Device& device, const DrawArgsDesc& desc,
                        const DrawArgsBuffers& buffers) {
  return record_call(kName, cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    const VkDeviceSize bytes = VkDeviceSize{desc.commands} * 4 * words_of(desc.command);
    const Operand args{"args", buffers.args, bytes, 4, true, "", "the commands"};
    VKPRIMS_TRY(check_operands(kName, {args, operand_of(desc.count, desc.commands)}));
    return add_draw_args(commands, desc, args);
  });
}

Status warm_up(const Device& device, const DrawArgsDesc& desc) {
  return warm_up_call(kName, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    return add_draw_args(commands, desc, {});
  });
}

}  // namespace vkprims

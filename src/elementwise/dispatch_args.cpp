// The host side of the primitive dispatch_args.
#include "vkprims/dispatch_args.hpp"

#include <cinttypes>

#include "runtime/arithmetic.hpp"
#include "runtime/commands.hpp"
#include "runtime/push.hpp"
#include "spirv/dispatch_args.hpp"

namespace vkprims {
namespace {

constexpr std::uint64_t kMaxGroups = std::uint64_t{65535} * 65535;

Status check_desc(const DispatchArgsDesc& desc) {
  VKPRIMS_TRY(check_count("dispatch_args", desc.count));
  if (desc.items_per_group == 0 || desc.items_per_group > kMaxCount) {
    return Status::error(Status::invalid_argument,
                         "dispatch_args: items_per_group is %" PRIu64 ", must be 1 … %" PRIu64,
                         desc.items_per_group, kMaxCount);
  }
  if (desc.count.max / desc.items_per_group >= kMaxGroups) {
    return Status::error(Status::invalid_argument,
                         "dispatch_args: count %" PRIu64 " in groups of %" PRIu64
                         " makes more than %" PRIu64 " workgroups",
                         desc.count.max, desc.items_per_group, kMaxGroups);
  }
  return {};
}

Status add_dispatch_args(Commands& commands, const DispatchArgsDesc& desc, const Operand& args) {
  const abi::DispatchArgsPush push{.args = push_u64(args),
                                   .count = push_count(desc.count),
                                   .items = push_u64(desc.items_per_group),
                                   .inverse = push_u64(~std::uint64_t{0} / desc.items_per_group),
                                   .commands = desc.commands};
  return commands.dispatch(spirv::dispatch_args, kFirstInvocation, push,
                           Grid(ceil_div(desc.commands, kFirstInvocation.workgroup_size)),
                           {operand_of(desc.count, desc.commands), args});
}

}  // namespace

Status record_dispatch_args(VkCommandBuffer cmd, const Device& device, const DispatchArgsDesc& desc,
                            const DispatchArgsBuffers& buffers) {
  return record_call("dispatch_args", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    const Operand args{"args",
                       buffers.args,
                       VkDeviceSize{desc.commands} * sizeof(VkDispatchIndirectCommand),
                       4,
                       true,
                       "",
                       "VkDispatchIndirectCommand * commands"};
    VKPRIMS_TRY(check_operands("dispatch_args", {args, operand_of(desc.count, desc.commands)}));
    return add_dispatch_args(commands, desc, args);
  });
}

Status warm_up(const Device& device, const DispatchArgsDesc& desc) {
  return warm_up_call("dispatch_args", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    return add_dispatch_args(commands, desc, {});
  });
}

}  // namespace vkprims

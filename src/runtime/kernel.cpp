// The host side of kernels of the application's own.
#include "vkprims/kernel.hpp"

#include <cstring>

#include "runtime/commands.hpp"

namespace vkprims {
namespace {

constexpr std::uint64_t kMostGroups = 65535;  // along an axis

Status check_kernel(const DeviceState& state, const Kernel* own) {
  if (!own) {
    return Status::error(Status::invalid_argument,
                         "kernel: own is null; vkprims_add_kernel() makes a Kernel");
  }
  if (!own->spirv || own->spirv->bytes == 0) {
    return Status::error(Status::invalid_argument, "%s: a Kernel has no spirv", own->name);
  }
  if (own->push_bytes > 128 || own->push_bytes % 4 != 0) {
    return Status::error(Status::invalid_argument,
                         "%s: a Kernel has %u bytes of push constants, must be a multiple of 4, "
                         "at most 128",
                         own->name, own->push_bytes);
  }
  const std::uint32_t* const size = own->workgroup_size;
  const std::uint32_t* const most = state.limits.maxComputeWorkGroupSize;
  const std::uint64_t invocations = std::uint64_t{size[0]} * size[1] * size[2];
  const std::uint32_t allowed = size[1] == 1 && size[2] == 1
                                    ? state.largest_workgroup
                                    : state.limits.maxComputeWorkGroupInvocations;
  if (invocations == 0 || invocations > allowed || size[0] > most[0] || size[1] > most[1] ||
      size[2] > most[2]) {
    return Status::error(Status::unsupported,
                         "%s: a workgroup has %u x %u x %u invocations, the device allows %u x %u "
                         "x %u and %u in all",
                         own->name, size[0], size[1], size[2], most[0], most[1], most[2], allowed);
  }
  const Features& has = state.info.enabled;
  const char* lacks = nullptr;
  if (own->has_int64 && !has.int64) lacks = "int64";
  if (own->has_float64 && !has.float64) lacks = "float64";
  if (!lacks) return {};
  return Status::error(Status::unsupported,
                       "%s: needs Features::%s, without which this device was created", own->name,
                       lacks);
}

Status check_call(const KernelDesc& desc, const PushConstants& push) {
  const char* const name = desc.own->name;
  if (push.bytes != desc.own->push_bytes) {
    return Status::error(Status::invalid_argument,
                         "%s: push has %u bytes, the kernel's push constants have %u", name,
                         push.bytes, desc.own->push_bytes);
  }
  const Workgroups& groups = desc.groups;
  if (groups.y ? groups.x > kMostGroups || groups.y > kMostGroups || groups.z > kMostGroups
               : groups.x > kMostGroups * kMostGroups) {
    return Status::error(Status::invalid_argument,
                         "%s: groups is %llu, %u, %u, must be at most 65535 each, or one number "
                         "up to 65535 * 65535",
                         name, static_cast<unsigned long long>(groups.x), groups.y, groups.z);
  }
  const Scratch& at = desc.groups_at;
  const Operand groups_at{"groups_at", {at.address, at.bytes},       12, 4, false,
                          "",          "a VkDispatchIndirectCommand"};
  // Without operands, too, since the observer has to know that the call before has ended.
  return check_operands(name, std::span(&groups_at, at.buffer ? 1 : 0));
}

Grid grid_of(const KernelDesc& desc) {
  Grid grid(desc.groups.x);
  grid.y = desc.groups.y;
  grid.z = desc.groups.z;
  if (!desc.groups_at.buffer) return grid;
  grid.groups = 1;
  grid.is_indirect = grid.is_computed = true;
  grid.scratch = desc.groups_at;
  return grid;
}

Specialization specialization_of(const Kernel& own) {
  Specialization constants;
  std::memcpy(static_cast<void*>(&constants), own.values, sizeof own.values);
  constants.workgroup_size = own.workgroup_size[0];
  constants.given = own.constants | 1u;
  return constants;
}

Status add_kernel(Commands& commands, const KernelDesc& desc, const PushConstants& push) {
  std::vector<Access> accesses;
  for (const BufferView& view : desc.reads) {
    if (view.address) accesses.push_back(reads(view));
  }
  for (const BufferView& view : desc.writes) {
    if (view.address) accesses.push_back(writes(view));
  }
  return commands.dispatch_bytes(*desc.own->spirv, specialization_of(*desc.own), push.words,
                                 push.bytes, grid_of(desc), accesses);
}

const char* name_of(const KernelDesc& desc) { return desc.own ? desc.own->name : "kernel"; }

}  // namespace

Status record_kernel(VkCommandBuffer cmd, const Device& device, const KernelDesc& desc,
                     const PushConstants& push) {
  return record_call(name_of(desc), cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_kernel(commands.state(), desc.own));
    VKPRIMS_TRY(check_call(desc, push));
    return add_kernel(commands, desc, push);
  });
}

Status warm_up(const Device& device, const KernelDesc& desc) {
  return warm_up_call(name_of(desc), device, [&](Commands& commands) {
    VKPRIMS_TRY(check_kernel(commands.state(), desc.own));
    return add_kernel(commands, {.own = desc.own}, {});
  });
}

}  // namespace vkprims

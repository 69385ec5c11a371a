// Free kernels from text.
#include <algorithm>
#include <cinttypes>
#include <cstring>

#include "jit/compiler_state.hpp"
#include "jit/glsl_type.hpp"
#include "jit/own_source.hpp"
#include "jit/spirv_reader.hpp"
#include "runtime/arithmetic.hpp"
#include "runtime/element_value.hpp"
#include "runtime/validate.hpp"

namespace vkprims::jit {

struct KernelState {
  std::shared_ptr<CompilerState> compiler;
  std::string name;
  Status status;
  ModuleFacts facts;
  vkprims::Kernel own;
};

namespace {

constexpr std::uint32_t kMostPushBytes = 128;
constexpr std::uint64_t kMostGroupsInRow = 65535;

Status check_desc(const DeviceLimits& device, const KernelDesc& desc) {
  VKPRIMS_TRY(check_source_name("kernel", desc.name));
  if (desc.local_size < 1 || desc.local_size > device.largest_workgroup) {
    return Status::error(Status::invalid_argument,
                         "jit: %s: local_size is %u, must be 1 … %u on this device",
                         desc.name.c_str(), desc.local_size, device.largest_workgroup);
  }
  if (desc.shared_bytes <= device.shared_bytes) return {};
  return Status::error(Status::invalid_argument,
                       "jit: %s: shared_bytes is %u, this device has %u for a workgroup",
                       desc.name.c_str(), desc.shared_bytes, device.shared_bytes);
}

Status check_facts(const DeviceLimits& device, const KernelState& kernel) {
  const ModuleFacts& facts = kernel.facts;
  const Features& has = device.features;
  const struct {
    const char* name;
    bool needed, present;
  } features[] = {{"int64", facts.int64, has.int64},
                  {"float64", facts.float64, has.float64},
                  {"int64_atomics", facts.int64_atomics, has.int64_atomics},
                  {"storage8", facts.storage8, has.storage8},
                  {"storage16", facts.storage16, has.storage16}};
  for (const auto& feature : features) {
    if (!feature.needed || feature.present) continue;
    return Status::error(Status::unsupported,
                         "jit: kernel %s needs Features::%s, without which this device was created",
                         kernel.name.c_str(), feature.name);
  }
  if (facts.push_bytes <= kMostPushBytes) return {};
  return Status::error(Status::invalid_argument,
                       "jit: kernel %s has %u bytes of push constants, at most %u are allowed",
                       kernel.name.c_str(), facts.push_bytes, kMostPushBytes);
}

// The number of workgroups, or along the first axis.
std::uint64_t groups_of(const vkprims::Kernel& own, const KernelGrid& grid) {
  const std::uint32_t* const size = own.workgroup_size;
  return grid.items ? ceil_div(grid.items, std::uint64_t{size[0]} * size[1] * size[2])
                    : grid.groups;
}

Status check_grid(const KernelState& kernel, const KernelGrid& grid) {
  if (grid.items && (grid.groups || grid.y)) {
    return Status::error(Status::invalid_argument, "%s: both groups and items are given",
                         kernel.own.name);
  }
  if (grid.y ? grid.groups > kMostGroupsInRow : grid.z != 0) {
    return Status::error(Status::invalid_argument,
                         "%s: groups is %" PRIu64
                         ", %u, %u, must be at most 65535 each, or one "
                         "number",
                         kernel.own.name, grid.groups, grid.y, grid.z);
  }
  const std::uint64_t groups = groups_of(kernel.own, grid);
  if (grid.y || groups <= kMostGroupsInRow || !kernel.facts.numbers_by_x) return {};
  return Status::error(Status::invalid_argument,
                       "%s: there are %" PRIu64
                       " workgroups, and those past 65,535 are folded "
                       "into y: number invocations by vkp_item() or vkp_group_index() instead of "
                       "gl_GlobalInvocationID and gl_WorkGroupID",
                       kernel.own.name, groups);
}

std::byte* place_of(PushConstants& push, const PushMember& member) {
  return reinterpret_cast<std::byte*>(push.words) + member.offset;
}

Status put_buffer(const char* name, std::size_t number, const Argument& argument,
                  const PushMember& member, bool is_empty, PushConstants& push) {
  if (member.kind == PushMember::number || member.size != 8) {
    return Status::error(Status::invalid_argument,
                         "%s: argument %zu is a buffer, but member %zu of the push constants is %s",
                         name, number, number,
                         member.kind == PushMember::number ? name_of(member.type)
                                                           : "neither an address nor a uvec2");
  }
  const BufferView& view = argument.view();
  if (!view.address && !argument.may_be_missing() && !is_empty) {
    return Status::error(Status::invalid_argument,
                         "%s: argument %zu is a buffer with address 0; not_wanted stands for none",
                         name, number);
  }
  std::memcpy(place_of(push, member), &view.address, 8);
  return {};
}

Status put_value(const char* name, std::size_t number, const Argument& argument,
                 const PushMember& member, PushConstants& push) {
  if (member.kind == PushMember::address) {
    return Status::error(
        Status::invalid_argument,
        "%s: argument %zu is no buffer, but member %zu of the push constants is an "
        "address",
        name, number, number);
  }
  std::byte* const to = place_of(push, member);
  if (member.kind == PushMember::number && argument.kind() == Argument::number) {
    Value given, element;
    given.bytes = static_cast<std::uint32_t>(argument.size());
    given.kind = argument.value_kind();
    std::memcpy(given.words, argument.data(), argument.size());
    const std::uint32_t bytes = vkprims::size_of(member.type);
    if (convert(given, value_kind_of(member.type), bytes, element)) {
      std::memcpy(to, element.words, bytes);
      return {};
    }
    char text[64];
    print_value(given, text, sizeof text);
    return Status::error(Status::invalid_argument,
                         "%s: argument %zu is %s, which member %zu of the push constants, %s, "
                         "cannot hold",
                         name, number, text, number, name_of(member.type));
  }
  if (argument.size() != member.size) {
    return Status::error(Status::invalid_argument,
                         "%s: argument %zu has %zu bytes, but member %zu of the push constants has "
                         "%u",
                         name, number, argument.size(), number, member.size);
  }
  std::memcpy(to, argument.data(), argument.size());
  return {};
}

Status put_arguments(const char* name, const KernelState& kernel,
                     std::span<const Argument> arguments, bool is_empty, PushConstants& push) {
  const std::vector<PushMember>& members = kernel.facts.push;
  // Push constants that main() never reads are not in the module.
  if (!kernel.facts.has_push) return {};
  if (arguments.size() != members.size()) {
    return Status::error(Status::invalid_argument,
                         "%s: there are %zu arguments, but the push constants have %zu members",
                         name, arguments.size(), members.size());
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    const bool is_buffer = arguments[i].kind() == Argument::buffer;
    VKPRIMS_TRY(is_buffer ? put_buffer(name, i + 1, arguments[i], members[i], is_empty, push)
                          : put_value(name, i + 1, arguments[i], members[i], push));
  }
  return {};
}

Status no_kernel() {
  return Status::error(Status::invalid_argument,
                       "jit: a Kernel without code is recorded; "
                       "Compiler::kernel() makes one");
}

}  // namespace

Kernel Compiler::kernel(std::string_view source, const KernelDesc& desc) const {
  const auto state = std::make_shared<KernelState>();
  state->compiler = state_;
  state->name = desc.name;
  state->status = [&] {
    VKPRIMS_TRY(state_->status);
    VKPRIMS_TRY(check_desc(state_->device, desc));
    Request request{.name = desc.name,
                    .what = "kernel " + desc.name,
                    .file = desc.name,
                    .definitions = desc.definitions,
                    .files = {{desc.name, std::string(source)}}};
    request.definitions.push_back("VKP_SHARED_BYTES=" + std::to_string(desc.shared_bytes));
    if (without_comments(source).find("#version") == std::string::npos) {
      request.file = "vkprims_kernel.comp";
      request.files.push_back({request.file,
                               "#version 460\n#extension GL_GOOGLE_include_directive : require\n"
                               "#include \"vkprims/kernel.glsl\"\n#include \"" +
                                   desc.name + "\"\n"});
    }
    vkprims::Kernel& own = state->own;
    VKPRIMS_TRY(state_->get(request, own.spirv));
    state->facts = read_spirv(*own.spirv);
    own.name = own.spirv->name;  // which lives as long as the Device
    own.push_bytes = (state->facts.push_bytes + 3) / 4 * 4;
    std::copy(std::begin(state->facts.size), std::end(state->facts.size), own.workgroup_size);
    if (state->facts.has_size_constant) own.workgroup_size[0] = desc.local_size;
    own.has_int64 = state->facts.int64;
    own.has_float64 = state->facts.float64;
    return check_facts(state_->device, *state);
  }();
  Kernel kernel;
  kernel.state_ = state;
  return kernel;
}

Status Kernel::status() const { return state_ ? state_->status : no_kernel(); }

Status Kernel::record(VkCommandBuffer cmd, const Device& device, const KernelGrid& grid,
                      std::span<const Argument> arguments) const {
  VKPRIMS_TRY(status());
  const vkprims::Kernel& own = state_->own;
  VKPRIMS_TRY(check_grid(*state_, grid));
  vkprims::KernelDesc desc{.own = &own, .groups_at = grid.groups_at};
  const std::uint64_t groups = groups_of(own, grid);
  desc.groups = {groups};
  if (grid.y) desc.groups = {static_cast<std::uint32_t>(groups), grid.y, std::max(grid.z, 1u)};
  PushConstants push;
  push.bytes = own.push_bytes;
  const bool is_empty = groups == 0 && !grid.groups_at.buffer;
  VKPRIMS_TRY(put_arguments(own.name, *state_, arguments, is_empty, push));
  std::size_t buffers = 0;
  for (const Argument& argument : arguments) {
    if (argument.kind() != Argument::buffer || buffers == std::size(desc.writes)) continue;
    desc.writes[buffers++] = argument.view();
  }
  return record_kernel(cmd, device, desc, push);
}

Status Kernel::warm_up(const Device& device) const {
  VKPRIMS_TRY(status());
  return vkprims::warm_up(device, vkprims::KernelDesc{.own = &state_->own});
}

}  // namespace vkprims::jit

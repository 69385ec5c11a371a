// Free kernels from text.
#include <array>
#include <cinttypes>
#include <cstring>

#include "jit/compiler_state.hpp"
#include "jit/glsl_type.hpp"
#include "jit/monoid_source.hpp"
#include "jit/spirv_reader.hpp"
#include "runtime/commands.hpp"
#include "runtime/element_value.hpp"

namespace vkprims::jit {

struct KernelState {
  std::shared_ptr<CompilerState> compiler;
  std::string name;
  Status status;
  const Spirv* spirv = nullptr;
  ModuleFacts facts;
  Specialization constants;
};

namespace {

constexpr std::uint32_t kMostPushBytes = 128;
constexpr std::uint64_t kMostGroupsInRow = 65535;

using Push = std::array<std::byte, kMostPushBytes>;

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
  if (facts.fixed_size > device.largest_workgroup) {
    return Status::error(Status::unsupported,
                         "jit: kernel %s has workgroups of %u, this device allows %u",
                         kernel.name.c_str(), facts.fixed_size, device.largest_workgroup);
  }
  if (facts.push_bytes <= kMostPushBytes) return {};
  return Status::error(Status::invalid_argument,
                       "jit: kernel %s has %u bytes of push constants, at most %u are allowed",
                       kernel.name.c_str(), facts.push_bytes, kMostPushBytes);
}

std::uint32_t local_size_of(const KernelState& kernel) {
  return kernel.facts.fixed_size ? kernel.facts.fixed_size : kernel.constants.workgroup_size;
}

vkprims::Grid grid_of(const KernelState& kernel, const KernelGrid& grid, const Scratch& scratch) {
  if (!grid.count.given()) return vkprims::Grid(grid.groups);
  return vkprims::Grid(grid.count, local_size_of(kernel), scratch);
}

ScratchNeed need_of(const vkprims::Grid& grid) {
  return {grid.is_indirect ? kGridScratchBytes : 0};
}

Status check_grid(const char* name, const KernelState& kernel, const KernelGrid& grid,
                  const Scratch& scratch) {
  if (grid.count.given() && grid.groups) {
    return Status::error(Status::invalid_argument, "%s: both groups and count are given", name);
  }
  VKPRIMS_TRY(check_count(name, grid.count));
  const vkprims::Grid made = grid_of(kernel, grid, scratch);
  if (made.groups > kMostGroupsInRow * kMostGroupsInRow) {
    return Status::error(Status::invalid_argument,
                         "%s: the grid has %" PRIu64
                         " workgroups, at most 65,535 * 65,535 are "
                         "allowed",
                         name, made.groups);
  }
  if (made.groups > kMostGroupsInRow && kernel.facts.numbers_by_x) {
    return Status::error(Status::invalid_argument,
                         "%s: the grid has %" PRIu64
                         " workgroups, and above 65,535 it is folded: "
                         "number invocations by vkp_item() or vkp_group_index() instead of "
                         "gl_GlobalInvocationID and gl_WorkGroupID",
                         name, made.groups);
  }
  Operand count = operand_of(grid.count);
  count.not_given = false;
  return check_operands(name, {count, operand_of(scratch, need_of(made))});
}

Status put_buffer(const char* name, std::size_t number, const Argument& argument,
                  const PushMember& member, bool is_empty, Push& push) {
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
  std::memcpy(push.data() + member.offset, &view.address, 8);
  return {};
}

Status put_value(const char* name, std::size_t number, const Argument& argument,
                 const PushMember& member, Push& push) {
  if (member.kind == PushMember::address) {
    return Status::error(
        Status::invalid_argument,
        "%s: argument %zu is no buffer, but member %zu of the push constants is an "
        "address",
        name, number, number);
  }
  std::byte* to = push.data() + member.offset;
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
                     std::span<const Argument> arguments, bool is_empty, Push& push) {
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
  state->constants.workgroup_size = desc.local_size;
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
    VKPRIMS_TRY(state_->get(request, state->spirv));
    state->facts = read_spirv(*state->spirv);
    return check_facts(state_->device, *state);
  }();
  Kernel kernel;
  kernel.state_ = state;
  return kernel;
}

Status Kernel::status() const { return state_ ? state_->status : no_kernel(); }

Status Kernel::record(VkCommandBuffer cmd, const Device& device, const KernelGrid& grid,
                      std::span<const Argument> arguments, const Scratch& scratch) const {
  VKPRIMS_TRY(status());
  const char* name = state_->spirv->name;  // lives as long as the Device
  return record_call(name, cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_grid(name, *state_, grid, scratch));
    const vkprims::Grid made = grid_of(*state_, grid, scratch);
    Push push{};
    VKPRIMS_TRY(put_arguments(name, *state_, arguments, made.groups == 0, push));
    std::vector<Access> accesses;
    for (const Argument& argument : arguments) {
      if (argument.kind() == Argument::buffer) accesses.push_back(writes(argument.view()));
    }
    if (grid.count.address) accesses.push_back(operand_of(grid.count));
    return commands.dispatch(*state_->spirv, state_->constants, push, made, accesses);
  });
}

ScratchNeed Kernel::scratch(const Device& device, const KernelGrid& grid) const {
  if (!device || !status() || !check_count("jit", grid.count)) return {};
  return need_of(grid_of(*state_, grid, {}));
}

Status Kernel::warm_up(const Device& device) const {
  VKPRIMS_TRY(status());
  return warm_up_call(state_->spirv->name, device, [&](Commands& commands) {
    return commands.dispatch(*state_->spirv, state_->constants, Push{}, vkprims::Grid(1), {});
  });
}

}  // namespace vkprims::jit

#include "strings/map.hpp"

#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"

namespace vkprims::strings {
namespace {

// Scratch holds the arguments, then tables of long rows that must be zero before, then the others.
struct Layout {
  LongRowTables tables;
  VkDeviceSize zeros, others;
  ScratchNeed need;
};

Layout layout_of(const MapKernels& kernel, const Call& call) {
  Layout layout{.tables{kernel.long_kernels, call.a.view.chars.bytes, call.longest_row_bytes}};
  ScratchLayout parts;
  parts.take(argument_bytes(call));
  layout.zeros = parts.take(layout.tables.zero_bytes());
  layout.others = parts.take(layout.tables.other_bytes());
  layout.need = parts.need();
  return layout;
}

// Adds the kernels of a call of `rows` rows.
Status add_kernels(Commands& commands, const MapKernels& kernel, const KernelInputs& inputs,
                   const LongRowTables& tables, std::uint64_t rows, std::uint32_t plain) {
  const DeviceState& state = commands.state();
  const LongKernels& of_long = kernel.long_kernels;
  const std::uint32_t workgroup = strings_workgroup_size(state);
  const bool has_long_rows = !tables.empty();
  if (has_long_rows) {
    VKPRIMS_TRY(add_unit_sums(commands, inputs, of_long, tables, rows, kernel.of_long));
  }
  VKPRIMS_TRY(inputs.dispatch(commands, kernel.spirv,
                              strings_specialization(workgroup, kernel.operation, plain),
                              Grid(ceil_div(rows, workgroup * VKP_STRINGS_ROWS))));
  if (!has_long_rows) return {};
  return inputs.dispatch(commands, of_long.rows, long_specialization(state, kernel.of_long),
                         tables.units_grid());
}

}  // namespace

ScratchNeed map_scratch(const Device& device, const MapKernels& kernel, const Call& call) {
  if (!device || argument_bytes(call) > VKP_STRINGS_MOST_ARGUMENT_BYTES) return {};
  return layout_of(kernel, call).need;
}

Status check_and_add_map(Commands& commands, const MapKernels& kernel, const Call& call,
                         const MapOut& out, const Scratch& scratch) {
  const Layout layout = layout_of(kernel, call);
  VKPRIMS_TRY(check_call(commands.primitive(), call));
  std::vector<Operand> operands = operands_of(call);
  const VkDeviceSize bits = out.validity.address ? bit_bytes(call.rows) : 0;
  operands.push_back({"out", out.results, out.bytes, 4, true, "", "the number of rows"});
  operands.push_back({"validity", out.validity, bits, 4, true, "", "the number of rows"});
  operands.push_back(operand_of(scratch, layout.need));
  VKPRIMS_TRY(check_operands(commands.primitive(), operands));
  if (call.rows == 0) return {};

  const LongRowTables& tables = layout.tables;
  const std::vector<std::uint8_t> arguments =
      make_arguments(call, {}, scratch.address, 0,
                     tables.at(scratch.address + layout.zeros, scratch.address + layout.others));
  static constexpr Independent kOtherMemory{"the tables lie behind the arguments"};
  commands.write(scratch, 0, arguments.data(), arguments.size());
  VKPRIMS_TRY(commands.fill(scratch, layout.zeros, tables.zero_bytes(), 0, &kOtherMemory));
  const KernelInputs inputs{.push = {.a = push_strings(call.a.view),
                                     .b = push_strings(call.b.view),
                                     .out_offsets = push_u64(out.results.address),
                                     .out_validity = push_u64(out.validity.address),
                                     .scratch = push_u64(scratch.address),
                                     .rows = static_cast<abi::uint>(call.rows)},
                            .accesses{operands.begin(), operands.end()}};
  return add_kernels(commands, kernel, inputs, tables, call.rows,
                     plain_columns(call, {.validity = out.validity}, !tables.empty()));
}

Status warm_up_map(Commands& commands, const MapKernels& kernel) {
  for (const std::uint32_t plain : kPlainColumns) {
    const bool may_be_long = may_have_long(plain);
    const LongRowTables tables(kernel.long_kernels, may_be_long ? kMaxStringBytes : 0, 0);
    // Without kernels for long rows, whatever is known of columns includes that they have none.
    if (may_be_long && plain != 0 && tables.empty()) continue;
    VKPRIMS_TRY(add_kernels(commands, kernel, {}, tables, 1, plain));
  }
  return {};
}

}  // namespace vkprims::strings

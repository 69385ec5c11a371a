// What operations whose results are strings record: the kernels of shaders/strings that include rope.glsl.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "record.hpp"
#include "strings.abi.h"
#include "validate.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// A column as an argument: its name in messages.
struct NamedColumn {
  const char* name = nullptr;  // null: there is none
  StringColumnView view;
};

/// The variants of a kernel.
struct RopeKernel {
  const Spirv* sizes;
  const Spirv* write;
  const Spirv* single64;
  const Spirv* single32;
};

/// One call of an operation.
struct Rope {
  const char* primitive;
  NamedColumn a, b;                          // rows are those of a
  std::span<const StringColumnView> columns;  // of a table, in messages "columns"
  std::string_view text, more;               // scalars
  BitsView mask;                             // rows 0: none
  BufferView indices;                        // u32; bytes 0: none
  std::int32_t start = 0, stop = 0, step = 1;
  std::uint32_t flags = 0;
  std::uint64_t rows = 0;  // of the result
  Schedule schedule = Schedule::automatic;
};

/// Scratch for `rows` rows; arguments of `text_bytes` and a table of so many columns.
ScratchNeed rope_scratch(const DeviceState& state, std::uint64_t rows, std::uint64_t text_bytes,
                         std::uint64_t columns);

Status record_rope(VkCommandBuffer cmd, DeviceState& state, const RopeKernel& kernel,
                   const Rope& rope, const StringColumnOut& out, const BufferView& report,
                   const Scratch& scratch);

Status warm_up_rope(DeviceState& state, const RopeKernel& kernel, Schedule schedule);

/// A column is well formed: rows, offsets, chars, validity. Adds what it is to `arguments`.
Status check_column(const char* primitive, const NamedColumn& column,
                    std::vector<Argument>& arguments);
/// Bits likewise, of `rows` rows at least.
Status check_bits(const char* primitive, const char* name, const BitsView& bits, std::uint64_t rows,
                  std::vector<Argument>& arguments);

abi::VkpStrings push_strings(const StringColumnView& view);

}  // namespace vkprims::strings

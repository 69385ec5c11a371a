// The host side of shaders/strings/long_rows.glsl: tables of the long rows of a column, and
// the kernels that make them.
#pragma once

#include "spirv/strings_long_rows.hpp"
#include "strings/call.hpp"

namespace vkprims::strings {

/// Invocations per workgroup of the kernels that make strings, whose pieces and stage take some 13
/// KiB of shared memory, and of the kernels of long rows.
std::uint32_t rope_workgroup_size(const DeviceState& state);

/// The grid of a dispatch whose workgroups take up to `most` things, one after another.
Grid grid_of_some(std::uint64_t most);

/// The kernels that a primitive has for long rows, in the order in which they run:
/// shaders/strings/long_rows.glsl.
struct LongKernels {
  const Spirv* list = &spirv::strings_long_rows_rows;  // lists the rows
  const Spirv *sums = nullptr,
              *second_sums = nullptr;      // sum up their units; sums null: none of all
  const Spirv* rows = nullptr;             // cuts them, or counts something in them
  const Spirv* behind = nullptr;           // makes them, after all other rows
  std::uint32_t sum_bytes = 8;             // bytes of a sum
  std::uint64_t least = VKP_STRINGS_LONG;  // only columns with rows of so many bytes need them
};

/// Tables for the long rows of a column of `chars_bytes` bytes. No row is longer than
/// `longest_row_bytes`; 0: not known.
class LongRowTables {
 public:
  LongRowTables() = default;
  LongRowTables(const LongKernels& kernels, std::uint64_t chars_bytes,
                std::uint64_t longest_row_bytes)
      : capacity_(kernels.sums && may_have_any(kernels.least, chars_bytes, longest_row_bytes)
                      ? 2 * (chars_bytes / VKP_STRINGS_LONG) + 2
                      : 0),
        chars_bytes_(chars_bytes),
        sum_bytes_(kernels.sum_bytes) {}

  /// Whether no row can be long; then there are no tables.
  bool empty() const { return capacity_ == 0; }
  /// Bytes of the tables that have to be zero before the kernels run, a multiple of 16.
  VkDeviceSize zero_bytes() const;
  /// Bytes of the other tables, also a multiple of 16.
  VkDeviceSize other_bytes() const;
  /// The grid of the kernel that lists the units, and that of the kernels whose workgroups take one
  /// unit after another.
  static Grid list_grid(const DeviceState& state, std::uint64_t rows);
  Grid units_grid() const { return grid_of_some(capacity_ / 2); }
  LongTables at(VkDeviceAddress zero, VkDeviceAddress others) const;

 private:
  static bool may_have_any(std::uint64_t least, std::uint64_t chars_bytes,
                           std::uint64_t longest_row_bytes) {
    const bool short_by_promise = longest_row_bytes != 0 && longest_row_bytes < least;
    return chars_bytes >= least && !short_by_promise;
  }
  // A long row has a unit for each unit_bytes() that it begins; these are at least
  // VKP_STRINGS_LONG.
  std::uint64_t capacity_ = 0;
  std::uint64_t chars_bytes_ = 0;
  std::uint32_t sum_bytes_ = 8;
};

/// The specialization of these kernels.
inline Specialization long_specialization(const DeviceState& state, std::uint32_t operation) {
  // What they ask of columns costs nothing compared with their bytes.
  constexpr std::uint32_t kNothingKnown = 0;
  return strings_specialization(rope_workgroup_size(state), operation, kNothingKnown);
}

/// Adds the kernels that list the units of long rows of a column and sum these up.
Status add_unit_sums(Commands& commands, const KernelInputs& inputs, const LongKernels& kernels,
                     const LongRowTables& tables, std::uint64_t rows, std::uint32_t operation);

}  // namespace vkprims::strings

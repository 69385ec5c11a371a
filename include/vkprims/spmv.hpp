// SpMV: sparse matrix (CSR) times vector.
/// @ingroup reduce
#pragma once

#include <concepts>

#include "vkprims/device.hpp"
#include "vkprims/recorder_overloads.hpp"

namespace vkprims {

/// Describes a product of a matrix and a vector to record_spmv(), spmv_scratch() and warm_up().
struct SpmvDesc {
  Type type = Type::f32;                      ///< f32 or f64
  IndexWidth offset_width = IndexWidth::u32;  ///< width of the elements of offsets
  /// What happens at a column of x_count or more; see OutOfRange for when to change it. Not fill.
  OutOfRange out_of_range = OutOfRange::unchecked;
  Count count = {};               ///< rows, 0 … kMaxCount
  std::uint64_t value_count = 0;  ///< elements of values and columns, 0 … kMaxCount
  std::uint64_t x_count = 0;      ///< columns of the matrix, elements of x, 0 … kMaxCount
  Value alpha = {};               ///< one element; not given: 1
  Value beta = {};                ///< one element; not given: 0
};

/// Memory for record_spmv(), whose comment tells sizes, alignments and what may overlap.
struct SpmvBuffers {
  BufferView values;       ///< the nonzeros, row by row
  BufferView columns;      ///< the column of each nonzero
  BufferView offsets;      ///< where rows begin in values, and where the last one ends
  BufferView x;            ///< the vector
  BufferView y;            ///< the result, and with beta an input
  BufferView report = {};  ///< a DeviceReport; address 0: not wanted
  Scratch scratch = {};    ///< spmv_scratch() bytes
};

/// y[r] = alpha * (the sum of values[i] * x[columns[i]] over offsets[r] <= i < offsets[r + 1]) +
/// beta * y[r] for r below count. As in BLAS, a factor of 0 removes its term: with beta 0, y is not
/// read; with alpha 0 the sum counts as 0, and infinities or NaN of values and x have no effect.
/// The columns of a row may come in any order and more than once. For a column that is not below
/// x_count, OutOfRange decides: behaviour is undefined (unchecked), the product counts as 0 (skip),
/// or it uses the last element of x (clamp).
///
/// The time depends on the number of rows plus that of nonzeros, however these are distributed.
///
/// values    value_count * size_of(type) bytes; address multiple of size_of(type)
/// columns   value_count * 4 bytes, u32; address multiple of 4. Fastest where values and columns
///           are the same number of elements away from a multiple of 16 bytes
/// offsets   (count + 1) * size_of(offset_width) bytes; address multiple of size_of(offset_width).
///           The rules of segmented_reduce.hpp apply
/// x         x_count * size_of(type) bytes; address multiple of size_of(type)
/// y         count * size_of(type) bytes; address multiple of size_of(type); must not overlap the
///           others
/// alpha     host value of size_of(type) bytes, or a device address (multiple of the size); must
///           not lie in y
/// beta      as alpha
/// report    32 bytes; address multiple of 8; must not overlap the others. Not allowed with
///           OutOfRange::unchecked. Its count grows by the number of columns out of range; if its
///           count was 0, its first_index becomes the position i of one of them
/// scratch   spmv_scratch() bytes: as much as segmented_reduce_scratch()
/// Before    values, columns, offsets, x: last writer -> COMPUTE_SHADER / SHADER_READ. y, report:
///           all earlier users -> COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. scratch: all earlier
///           users -> COMPUTE_SHADER | DRAW_INDIRECT / SHADER_READ | SHADER_WRITE |
///           INDIRECT_COMMAND_READ. count, alpha, beta: last writer -> COMPUTE_SHADER / SHADER_READ
/// After     y, report: COMPUTE_SHADER / SHADER_WRITE -> your reader. The others: free after
///           COMPUTE_SHADER
/// Errors    type, offset_width, out_of_range, size of alpha or beta, count, value_count or x_count
///           above the limit, views too small, unaligned or overlapping, a report with
///           OutOfRange::unchecked, invalid scratch
/// Results   run_to_run: bit-identical for the same device, driver, tuning, offsets, value_count
///           and alignment of values; |error| <= 1.1 (d + 3) eps (|alpha| sum|values[i] *
///           x[columns[i]]| + |beta y|) with d of segmented_reduce.hpp. No offset or column makes a
///           kernel access memory outside its views, except columns with OutOfRange::unchecked
/// Source    the same as segmented_reduce.hpp; products are computed where they are added and never
///           stored
Status record_spmv(VkCommandBuffer cmd, const Device& device, const SpmvDesc& desc,
                   const SpmvBuffers& buffers);

/// Scratch that record_spmv() needs for `desc`.
ScratchNeed spmv_scratch(const Device& device, const SpmvDesc& desc);

/// Compiles the pipelines that record_spmv() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const SpmvDesc& desc);

/// Multiplies as a step of `recorder`, with or without a report; a count that is not given is
/// y.size().
template <std::same_as<Recorder> R, class Values, class Columns, class Offsets, class X, class Y>
void spmv(R& recorder, SpmvDesc desc, const Values& values, const Columns& columns,
          const Offsets& offsets, const X& x, const Y& y, const OptionalReport& report = {}) {
  static_assert(
      std::is_floating_point_v<overloads::ElementOf<Values>> && overloads::kIsElement<Values>,
      "vkprims: spmv: values must hold float or double");
  static_assert(overloads::kIsU32<Columns>, "vkprims: spmv: columns must hold std::uint32_t");
  static_assert(overloads::kIsIndex<Offsets>,
                "vkprims: spmv: offsets must hold std::uint32_t or std::uint64_t");
  static_assert(overloads::kIsSame<Values, X> && overloads::kIsSame<Values, Y>,
                "vkprims: spmv: x and y must have values' element type");
  desc.type = overloads::element_type<Values>();
  desc.offset_width = overloads::index_width<Offsets>();
  desc.value_count = values.size();
  desc.x_count = x.size();
  desc.count = desc.count.or_all(y.size());
  overloads::add_step<record_spmv, spmv_scratch>(
      recorder, desc,
      SpmvBuffers{values.view(), columns.view(), offsets.view(), x.view(), y.view(),
                  report.view()});
}

}  // namespace vkprims

// Map of strings: a value of each row, by kernels of your own.
//
// The source of such a kernel is a function of a row, whose parameters say everything:
//
//   uint vkp_value(uint row, VkpText a) …                // the value of the row
//   bool vkp_value(uint row, VkpText a) …                // a bit for each row
//   float vkp_value(uint row, VkpText a, VkpText b) …    // of the rows of two columns
//   bool vkp_value(uint row, VkpText a, out uint x) …    // false: the value is null
//
// vkprims_add_string_kernel(… MODE map) (docs/own_kernels.md) makes the kernel, and C++ that
// records it with the descriptor and buffers below. vkprims/strings/rows.glsl declares the
// functions of a VkpText; vkp_push, vkp_scalar_text() and so on are those of
// vkprims/strings/strings.glsl.
//
// An invocation makes the value of a whole row, so a row of megabytes takes as long as one
// invocation needs for it, while other rows are done meanwhile.
/// @ingroup strings
#pragma once

#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/spirv.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims {
class StringColumn;
struct BitColumn;
}  // namespace vkprims

namespace vkprims::strings {

/// A kernel that makes values. Its module must live as long as every Device that has recorded it.
struct MapKernel {
  const Spirv* spirv = nullptr;   ///< vkprims/strings/values.glsl with the function
  std::uint32_t value_bytes = 4;  ///< of a value: a multiple of 4, 4 … 32; 0: a bit
  std::uint32_t columns = 1;      ///< columns that the kernel reads: a, or a and b
  bool makes_nulls = false;       ///< whether a row may be null where those of the columns are not
  bool has_int64 = false;         ///< whether Features::int64 is needed
  bool has_float64 = false;       ///< whether Features::float64 is needed
};

/// Parameters of a map. The texts are copied during the call.
struct MapStringsDesc {
  MapKernel kernel = {};            ///< the kernel that makes the values
  std::string_view text = {};       ///< vkp_scalar_text()
  std::string_view more_text = {};  ///< vkp_second_text()
  std::uint32_t constant = 0;       ///< value of specialization constant VKP_STRINGS_SPEC_OP
};

/// Memory for record_map().
struct MapStringsBuffers {
  StringColumnView a = {}, b = {};  ///< have the same number of rows
  /// Words that only the kernel interprets, which finds their address in vkp_arguments().v.indices;
  /// address multiple of 4.
  BufferView indices = {};
  /// rows values of value_bytes each, or bit_bytes(rows) of bits, lowest first; address multiple
  /// of 4
  BufferView out = {};
  BufferView validity = {};  ///< (rows + 31) / 32 words; address 0: not wanted
  Scratch scratch = {};      ///< map_scratch() bytes
};

/// out[i] = the value that the kernel makes of row i of the columns.
///
/// A row is null if that of a column is, or if the kernel says so. Its value is what the kernel has
/// for null rows: 0 unless its source says otherwise.
///
/// vkprims/strings/column.hpp describes a, b, scratch, barriers, errors and determinism. Whatever
/// else the kernel reads must be visible to COMPUTE_SHADER / SHADER_READ. Further errors are: a
/// missing module, kernel.value_bytes or kernel.columns out of range, a feature that the kernel
/// needs and the device lacks.
Status record_map(VkCommandBuffer cmd, const Device& device, const MapStringsDesc& desc,
                  const MapStringsBuffers& buffers);

/// Scratch that record_map() needs for `desc`, however many rows there are.
ScratchNeed map_scratch(const Device& device, const MapStringsDesc& desc);

/// Compiles the pipelines that record_map() uses for `desc`.
Status warm_up(const Device& device, const MapStringsDesc& desc);

/// The inputs of a kernel of your own, as columns of a Context (vkprims/strings.hpp).
struct MapInputs {
  const StringColumn& a;            ///< the first column, as MapStringsBuffers::a
  const StringColumn* b = nullptr;  ///< the second column, as MapStringsBuffers::b
  BufferView indices = {};          ///< as MapStringsBuffers::indices
};
/// Values of rows: a Buffer of them, and one of validity bits. vkprims/strings.hpp defines it.
template <class T>
struct ValueColumn;
/// Makes values of type T, as a step of `recorder`; link vkprims::context. They have validity bits
/// if a row of the columns may be null, or kernel.makes_nulls.
template <class T>
ValueColumn<T> map_values(Recorder& recorder, const MapStringsDesc& desc, const MapInputs& in);
/// Does the same with a bit for each row.
BitColumn map_bits(Recorder& recorder, const MapStringsDesc& desc, const MapInputs& in);

}  // namespace vkprims::strings

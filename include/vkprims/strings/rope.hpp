// Rope: columns of strings from kernels of your own, whose rows consist of pieces of other texts.
//
// The library's own kernels of strings are such ropes: a few lines say which pieces a row consists
// of, and a skeleton counts the bytes, finds out where each row goes, and copies. The source of a
// kernel of your own is these lines:
//
//   // vkp_push.a, vkp_push.b, vkp_push.rows; vkp_scalar_text(), vkp_second_text(), vkp_arguments()
//   struct Row { VkpText one, other; };          // what is known of a row
//   bool vkp_evaluate(uint row, out Row x) …     // false: the row is null
//   VkpText vkp_piece(Row x, uint row, uint k) … // piece k of the row
//
// vkprims_add_string_kernel() (docs/own_kernels.md) makes the kernel, and C++ that records it with
// the descriptor and buffers below. vkprims/strings/rows.glsl declares the functions of a VkpText.
// Pieces are bytes of vkp_push.a, vkp_push.b and the two texts, which the skeleton reads in units
// of 16 bytes. If pieces lie elsewhere, `#define VKP_PIECES_ELSEWHERE` restricts reading to the
// bytes of the pieces themselves; if all are parts of vkp_push.a, `#define VKP_PIECES_OF_A` lets
// more workgroups run at a time. Rows of a few bytes may be made in registers instead: see
// vkprims/strings/short_rows.glsl.
//
// Rows whose bytes are computed, such as numbers in decimal or texts with other characters, are
// written byte by byte instead, by kernels that vkprims_add_string_kernel(… MODE generate) makes of
//
//   uint vkp_parts(Row x) …                                       // how many parts a row has
//   void vkp_write_part(Row x, uint part, inout VkpWriter w) …    // puts the bytes of one of them
//
// in place of vkp_piece(). vkprims/strings/writer.glsl declares the functions of a VkpWriter.
/// @ingroup strings
#pragma once

#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/spirv.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims {
class StringColumn;
}  // namespace vkprims

namespace vkprims::strings {

/// The shader modules of a kernel. They must live as long as every Device that has recorded them.
struct RopeKernel {
  /// For devices with atomics of 64 bits; not used by Schedule::multi_pass.
  const Spirv* word64 = nullptr;
  const Spirv* word32 = nullptr;  ///< for other devices, and for Schedule::multi_pass
  /// The kernel's VKP_MOST_PIECES, 1 … 512; one with more than 4 defines VKP_EVALUATES_BY_PIECES.
  std::uint32_t pieces = 1;
  const Spirv* before = nullptr;  ///< a kernel that runs before them, if there is one
  /// Another kernel that runs before them, in two variants for the two kinds of look-back; not used
  /// by Schedule::multi_pass. If there is one, RopeDesc::constant is for this kernel alone.
  const Spirv *attempt64 = nullptr, *attempt32 = nullptr;
  bool marks = false;  ///< rows are cut from those of a by marks (for this library's own kernels)
  /// The VKP_LANE_WORDS of a kernel whose rows are made in strips
  /// (vkprims/strings/row_strips.glsl): VKP_STRINGS_SHORT_WORDS with
  /// vkprims/strings/short_rows.glsl; 0 for others
  std::uint32_t lane_words = 0;
  bool copies = true;  ///< whether rows are pieces of texts; false with MODE generate
};

/// Parameters of a kernel that reads up to two columns. The texts are copied during the call.
struct RopeDesc {
  RopeKernel kernel = {};           ///< the kernel that makes the rows
  std::uint64_t rows = 0;           ///< rows of the result, 0 … kMaxStringRows
  std::uint32_t columns = 1;        ///< columns that the kernel reads: none, a, or a and b
  std::string_view text = {};       ///< vkp_scalar_text()
  std::string_view more_text = {};  ///< vkp_second_text()
  std::uint32_t constant = 0;       ///< value of specialization constant VKP_STRINGS_SPEC_OP
  /// Hint for kernels with lane_words: about how many bytes a row of the result has; 0: not known.
  std::uint32_t row_bytes = 0;
  std::uint64_t longest_row_bytes = 0;      ///< no row of a column has more bytes; 0: not known
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Whether the result has rows of a few bytes, by the hint: a kernel with lane_words is for these.
constexpr bool is_short(const RopeDesc& desc) {
  return desc.row_bytes != 0 && desc.row_bytes <= 16;
}

/// Memory for record_rope().
struct RopeBuffers {
  StringColumnView a = {}, b = {};  ///< have as many rows as the result
  /// Words that only the kernel interprets, which finds their address in vkp_arguments().v.indices;
  /// address multiple of 4.
  BufferView indices = {};
  StringColumnOut out;     ///< the rows that the kernel makes
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};    ///< rope_scratch() bytes
};

/// out = the rows that the kernel makes.
///
/// vkprims/strings/column.hpp describes a, b, out, report, scratch, barriers, errors and
/// determinism. Whatever else the kernel reads must be visible to COMPUTE_SHADER / SHADER_READ.
/// Further errors are: a missing module, kernel.pieces or columns out of range.
Status record_rope(VkCommandBuffer cmd, const Device& device, const RopeDesc& desc,
                   const RopeBuffers& buffers);

/// Scratch that record_rope() needs for `desc`.
ScratchNeed rope_scratch(const Device& device, const RopeDesc& desc);

/// Compiles the pipelines that record_rope() uses for `desc`.
Status warm_up(const Device& device, const RopeDesc& desc);

/// The inputs of a kernel of your own, as columns of a Context (vkprims/strings.hpp).
struct RopeInputs {
  const StringColumn* a = nullptr;  ///< the first column, as RopeBuffers::a
  const StringColumn* b = nullptr;  ///< the second column, as RopeBuffers::b
  BufferView indices = {};          ///< as RopeBuffers::indices
};
/// Makes a column as a step of `recorder`; link vkprims::context. A number of rows that is not
/// given is that of a. The result has room for `byte_bound` bytes; bytes above that are left out.
/// `nullable` says whether rows may be null.
StringColumn rope(Recorder& recorder, const RopeDesc& desc, const RopeInputs& in,
                  std::uint64_t byte_bound, bool nullable);

}  // namespace vkprims::strings

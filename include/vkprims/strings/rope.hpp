// Columns of strings by kernels of your own, whose rows are made of pieces of other texts.
//
// The library's kernels of strings are such ropes: a few lines say which bytes a row is made of, and a skeleton counts
// them, finds out where each row goes, and copies. A kernel of your own is
//
//   // %VARIANT% STATE word64|word32
//   #version 460
//   #extension GL_GOOGLE_include_directive : require
//   #include "vkprims/strings/strings.glsl"          // push.a, push.b, push.rows; scalar_text(), second_text(), arguments()
//   #define MOST_PIECES 2u
//   struct Row { VkpText one, other; };      // what is known of a row
//   bool evaluate(uint row, out Row x) …     // false: the row is null
//   VkpText piece(Row x, uint row, uint k) … // piece k of the row
//   #include "vkprims/strings/pieces.glsl"
//   void main() { rope(); }
//
// and vkprims_add_shaders() makes its modules. vkprims/strings/rows.glsl has what can be asked of a VkpText. Pieces are bytes of
// push.a, push.b and the two texts, which are read by units of 16 bytes; where they lie elsewhere,
// `#define PIECES_ELSEWHERE` before vkprims/strings/pieces.glsl has nothing read but them; where all are of push.a,
// `#define PIECES_OF_A` has more workgroups run at a time. Rows of a few bytes may be made in registers instead:
// strings/short_rows.glsl.
#pragma once

#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/spirv.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// The modules of a kernel. They must live as long as every Device that has recorded them.
struct RopeKernel {
  const Spirv* word64 =
      nullptr;  ///< where the device has atomics of 64 bits; not with Schedule::multi_pass
  const Spirv* word32 = nullptr;
  /// Its MOST_PIECES, 1 … 512; of more than 4 it has EVALUATES_BY_PIECES
  std::uint32_t pieces = 1;
  const Spirv* before = nullptr;  ///< a kernel that goes ahead of them, if there is one
  /// Likewise, of which one looks back, unless the schedule is Schedule::multi_pass. Then desc.constant is for it alone
  const Spirv *attempt64 = nullptr, *attempt32 = nullptr;
  bool marks = false;  ///< rows are parts of those of a, cut by marks (vkprims/strings/cut.glsl)
  /// LANE_WORDS of a kernel whose rows are made in strips (vkprims/strings/strips.glsl): VKP_STRINGS_SHORT_WORDS with
  /// vkprims/strings/short_rows.glsl; 0 for others
  std::uint32_t strip_words = 0;
};

/// What a kernel makes of up to two columns. The texts are copied during the call.
struct RopeDesc {
  RopeKernel kernel;
  std::uint64_t rows = 0;               ///< of the result, 0 … kMaxStringRows
  std::uint32_t columns = 1;            ///< that it reads: none, a, or a and b
  std::string_view text = {};           ///< scalar_text()
  std::string_view more_text = {};      ///< second_text()
  std::uint32_t constant = 0;           ///< of specialization constant VKP_STRINGS_SPEC_OP
  std::uint32_t row_bytes = 0;          ///< of a row of the result, about, a hint to kernels with
                                        ///< strip_words; 0: not known
  std::uint64_t longest_row_bytes = 0;  ///< what no row of a column is longer than; 0: not known
  Schedule schedule = Schedule::automatic;
};

struct RopeBuffers {
  StringColumnView a = {}, b = {};  ///< of as many rows as the result
  BufferView indices = {};          ///< words that mean something to the kernel, which finds their
                                    ///< address in arguments().v.indices; a multiple of 4
  StringColumnOut out;
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};
};

/// Rows as the kernel makes them.
///
/// a, b, out, report, scratch, barriers, errors, determinism: see vkprims/strings/column.hpp; whatever else the kernel
/// reads is ready for COMPUTE_SHADER / SHADER_READ. Errors, besides: a module that is missing, kernel.pieces, columns
VKPRIMS_EXPERIMENTAL Status record_rope(VkCommandBuffer cmd, const Device& device,
                                        const RopeDesc& desc, const RopeBuffers& buffers);

/// Scratch that record_rope() needs for `desc`.
VKPRIMS_EXPERIMENTAL ScratchNeed rope_scratch(const Device& device, const RopeDesc& desc);

/// Compiles what record_rope() uses for `desc`.
VKPRIMS_EXPERIMENTAL Status warm_up(const Device& device, const RopeDesc& desc);

}  // namespace vkprims::strings

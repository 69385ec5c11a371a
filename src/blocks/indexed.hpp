// The host side of shaders/vkprims/device/indexed.glsl, and the checks that descriptors with
// indices share.
#pragma once

#include <algorithm>
#include <cinttypes>

#include "blocks/tile.hpp"
#include "runtime/validate.hpp"
#include "vkprims/device/indexed.h"

namespace vkprims {

/// Checks a descriptor with indices. They must stay below `bound`, the value of its member
/// `bound_name`.
template <class Desc>
Status check_indexed(const char* primitive, const Desc& desc, const char* bound_name,
                     std::uint64_t bound) {
  VKPRIMS_TRY(check_enum(primitive, "index_width", desc.index_width, IndexWidth::u64));
  VKPRIMS_TRY(check_enum(primitive, "out_of_range", desc.out_of_range, OutOfRange::clamp));
  VKPRIMS_TRY(check_count(primitive, desc.count));
  return check_count(primitive, bound, bound_name);
}

inline Status check_report(const char* primitive, const BufferView& report, OutOfRange policy) {
  if (report.address == 0 || policy != OutOfRange::unchecked) return {};
  return Status::error(Status::invalid_argument,
                       "%s: report.address is 0x%" PRIx64
                       ", but out_of_range is unchecked, which finds nothing to report",
                       primitive, report.address);
}

inline Grid indexed_grid(const Tuning& tuning, std::uint32_t element_bytes, const Count& count,
                         const Scratch& scratch = {}) {
  // The first word of a tile may hold elements outside it.
  const std::uint32_t unused = element_bytes < 4 ? 4 / element_bytes - 1 : 0;
  const std::uint64_t batches = std::uint64_t{tuning.workgroup_size} * tuning.stream_rows;
  return {count, batches * VKP_INDEXED_ITEMS - unused, scratch};
}

/// `elements` and `indices` are the addresses of sequences that belong together.
inline Specialization indexed_specialization(const Tuning& tuning, std::uint32_t element_bytes,
                                             IndexWidth width, OutOfRange policy,
                                             VkDeviceAddress elements, VkDeviceAddress indices) {
  // Units, counted from the first word of the elements, and their indices may be aligned.
  const bool narrow = element_bytes < 4;
  const std::uint32_t unit_items = (narrow ? 4 : 16) / element_bytes;
  const std::uint64_t head = narrow ? elements % 4 / element_bytes : 0;
  const bool aligned =
      (narrow || elements % 16 == 0) &&
      (indices - head * size_of(width)) % std::min(16u, unit_items * size_of(width)) == 0;
  Specialization constants = tile_specialization(tuning, aligned ? 4 : 1);
  return constants.set(VKP_INDEXED_SPEC_ELEMENT_BYTES, element_bytes)
      .set(VKP_INDEXED_SPEC_INDEX_WORDS, size_of(width) / 4)
      .set(VKP_INDEXED_SPEC_OUT_OF_RANGE, static_cast<std::uint32_t>(policy));
}

}  // namespace vkprims

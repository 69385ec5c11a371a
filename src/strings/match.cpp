// The host side of the primitive strings::match.
#include "vkprims/strings/match.hpp"

#include "spirv/strings_contains.hpp"
#include "spirv/strings_matches.hpp"
#include "spirv/strings_numbers_long.hpp"
#include "spirv/strings_unit_sums.hpp"
#include "strings/map.hpp"

namespace vkprims::strings {
namespace {

std::uint32_t operation(const MatchDesc& desc) {
  return static_cast<std::uint32_t>(desc.match) | (desc.of_column ? VKP_STRINGS_OF_COLUMN : 0u);
}

constexpr LongKernels kLong = {.sums = &spirv::strings_unit_sums_numbers,
                               .rows = &spirv::strings_numbers_long_sums};

constexpr LongKernels kLongContains = {
    .sums = kLong.sums, .rows = kLong.rows, .least = VKP_STRINGS_LONG_CONTAINS + 1};

// A text that is the same for all rows is looked for by bytes. Comparisons of few bytes are no work
// for the kernels of long rows.
MapKernels kernel_of(const MatchDesc& desc) {
  const bool searches = desc.match == Match::contains && (desc.of_column || !desc.text.empty());
  const bool by_bytes = searches && !desc.of_column;
  const bool compares =
      desc.match != Match::contains && (desc.of_column || desc.text.size() >= VKP_STRINGS_LONG);
  return {.spirv = by_bytes ? &spirv::strings_contains : &spirv::strings_matches,
          .operation = operation(desc),
          .long_kernels = by_bytes               ? kLongContains
                          : searches || compares ? kLong
                                                 : LongKernels{},
          .of_long = operation(desc) | VKP_STRINGS_LONG_PREDICATE};
}

Call call_of(const MatchDesc& desc, const StringColumnView& in, const StringColumnView& targets) {
  return {.a = {"in", in},
          .b = desc.of_column ? NamedColumn{"targets", targets} : NamedColumn{},
          .text = desc.text,
          .rows = in.rows,
          .longest_row_bytes = desc.longest_row_bytes};
}

}  // namespace

ScratchNeed match_scratch(const Device& device, const MatchDesc& desc, std::uint64_t chars_bytes) {
  return map_scratch(device, kernel_of(desc), call_of(desc, {.chars = {0, chars_bytes}}, {}));
}

Status record_match(VkCommandBuffer cmd, const Device& device, const MatchDesc& desc,
                    const MatchBuffers& buffers) {
  return record_call("strings::match", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_enum("strings::match", "match", desc.match, Match::ends_with));
    return check_and_add_map(commands, kernel_of(desc), call_of(desc, buffers.in, buffers.targets),
                             {buffers.out, bit_bytes(buffers.in.rows), buffers.validity},
                             buffers.scratch);
  });
}

Status warm_up(const Device& device, const MatchDesc& desc) {
  return warm_up_call("strings::match", device,
                      [&](Commands& commands) { return warm_up_map(commands, kernel_of(desc)); });
}

}  // namespace vkprims::strings

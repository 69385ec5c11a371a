#include "vkprims/strings/match.hpp"

#include "spirv/strings_contains.hpp"
#include "spirv/strings_matches.hpp"
#include "strings/map.hpp"

namespace vkprims::strings {
namespace {

std::uint32_t operation(const MatchDesc& desc) {
  return static_cast<std::uint32_t>(desc.match) | (desc.of_column ? VKP_STRINGS_OF_COLUMN : 0u);
}

// One text for all rows is looked for by bytes.
const Spirv& kernel_of(const MatchDesc& desc) {
  const bool by_bytes = desc.match == Match::contains && !desc.of_column && !desc.text.empty();
  return by_bytes ? spirv::strings_contains : spirv::strings_matches;
}

}  // namespace

ScratchNeed match_scratch(const Device& device, const MatchDesc& desc) {
  if (!device) return {};
  return map_scratch(text_bytes(desc.text));
}

Status record_match(VkCommandBuffer cmd, const Device& device, const MatchDesc& desc,
                    const MatchBuffers& buffers) {
  VKPRIMS_RECORD_CALL("strings::match", cmd, device);
  VKPRIMS_TRY(check_enum("strings::match", "match", desc.match, Match::ends_with));
  return record_map(cmd, *device.state(), kernel_of(desc),
                    {.primitive = "strings::match",
                     .a = {"in", buffers.in},
                     .b = desc.of_column ? NamedColumn{"targets", buffers.targets} : NamedColumn{},
                     .text = desc.text,
                     .rows = buffers.in.rows},
                    {buffers.out, bit_bytes(buffers.in.rows), buffers.validity}, buffers.scratch,
                    operation(desc));
}

Status warm_up(const Device& device, const MatchDesc& desc) {
  VKPRIMS_WARM_UP_CALL("strings::match", device);
  return warm_up_map(*device.state(), kernel_of(desc), operation(desc));
}

}  // namespace vkprims::strings

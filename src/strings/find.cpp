#include "vkprims/strings/find.hpp"

#include <cstdint>

#include "spirv/strings_numbers.hpp"
#include "strings/map.hpp"

namespace vkprims::strings {

ScratchNeed find_scratch(const Device& device, const FindDesc& desc) {
  if (!device) return {};
  return map_scratch(text_bytes(desc.text));
}

Status record_find(VkCommandBuffer cmd, const Device& device, const FindDesc& desc,
                   const FindBuffers& buffers) {
  VKPRIMS_RECORD_CALL("strings::find", cmd, device);
  VKPRIMS_TRY(check_enum("strings::find", "number", desc.number, StringNumber::count_tokens));
  const std::uint32_t stop = desc.stop.value_or(INT32_MAX);
  if (desc.start > stop || stop > INT32_MAX) {
    return Status::error(Status::invalid_argument,
                         "strings::find: start is %u and stop is %u, must ascend and be below 2^31",
                         desc.start, stop);
  }
  return record_map(cmd, *device.state(), spirv::strings_numbers,
                    {.primitive = "strings::find",
                     .a = {"in", buffers.in},
                     .text = desc.text,
                     .start = static_cast<std::int32_t>(desc.start),
                     .stop = desc.stop ? static_cast<std::int32_t>(stop) : -1,
                     .rows = buffers.in.rows},
                    {buffers.out, 4 * buffers.in.rows, buffers.validity}, buffers.scratch,
                    static_cast<std::uint32_t>(desc.number));
}

Status warm_up(const Device& device, const FindDesc& desc) {
  VKPRIMS_WARM_UP_CALL("strings::find", device);
  return warm_up_map(*device.state(), spirv::strings_numbers,
                     static_cast<std::uint32_t>(desc.number));
}

}  // namespace vkprims::strings

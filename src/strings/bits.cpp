#include "strings/bits.hpp"

#include "runtime/arithmetic.hpp"
#include "runtime/push.hpp"
#include "spirv/strings_bits.hpp"
#include "strings/bits/bits.abi.h"

namespace vkprims::strings {

Status add_bits(Commands& commands, const BitsView& in, VkDeviceAddress out) {
  const abi::BitsPush push{.bits = push_u64(in.bits.address),
                           .validity = push_u64(in.validity.address),
                           .result = push_u64(out),
                           .first_bit = in.first_bit,
                           .rows = static_cast<abi::uint>(in.rows)};
  const VkDeviceSize in_bytes = in.rows ? bit_bytes(in.rows, in.first_bit) : 0;
  const VkDeviceSize out_bytes = bit_bytes(in.rows);
  const std::uint32_t workgroup = commands.tuning().workgroup_size;
  return commands.dispatch(
      spirv::strings_bits, {.workgroup_size = workgroup}, push,
      Grid(ceil_div(out_bytes / 4, workgroup)),
      {reads(in.bits.address, in.bits.address ? in_bytes : 0),
       reads(in.validity.address, in.validity.address ? in_bytes : 0), writes(out, out_bytes)});
}

}  // namespace vkprims::strings

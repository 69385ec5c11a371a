// Unique: the first element of every run of equal neighbours.
#pragma once

#include <concepts>

#include "vkprims/device.hpp"

namespace vkprims {

struct UniqueDesc {
  Type type = Type::u32;  ///< of the elements (keys) that are compared
  std::uint32_t value_bytes =
      0;             ///< of the values that go with the keys: 4, 8 or 16; 0: there are none
  Count count = {};  ///< elements, 0 … kMaxCount
  IndexWidth index_width = IndexWidth::u32;
  Schedule schedule = Schedule::automatic;
  FloatOrder float_order = FloatOrder::by_value;  ///< for f32 and f64
};

struct UniqueBuffers {
  BufferView in;
  BufferView out = {};         ///< address 0: not wanted
  BufferView values_in = {};   ///< with UniqueDesc::value_bytes
  BufferView values_out = {};  ///< with UniqueDesc::value_bytes
  BufferView indices = {};     ///< address 0: not wanted
  BufferView unique_count;
  Scratch scratch = {};
};

/// out = those elements of in that differ from the one before; values_out = the values, and indices = the
/// numbers, of these elements. Of sorted input these are the distinct elements.
///
/// in            count elements; address multiple of size_of(type)
/// out           room for count elements; address multiple of size_of(type); must not overlap in
/// values_in     count values of value_bytes; address multiple of 4
/// values_out    room for count values; address multiple of 4; must not overlap values_in
/// indices       room for count numbers of index_width; address multiple of their size. As u32 the low 32 bits
///               are kept
/// unique_count  8 bytes, address multiple of 8: the number of runs, as u64
/// scratch       unique_scratch() bytes, as record_select()
/// Before        in, values_in, count: last writer -> COMPUTE_SHADER / SHADER_READ. out, values_out, indices,
///               unique_count: all earlier users -> COMPUTE_SHADER / SHADER_WRITE. scratch: all earlier users
///               -> TRANSFER | COMPUTE_SHADER | DRAW_INDIRECT / TRANSFER_WRITE | SHADER_READ | SHADER_WRITE |
///               INDIRECT_COMMAND_READ
/// After         out, values_out, indices, unique_count: COMPUTE_SHADER / SHADER_WRITE -> your reader. in,
///               values_in, scratch: free after COMPUTE_SHADER. What lies behind the results is kept
/// Errors        float_order, value_bytes, count above the limit, views too small, unaligned or overlapping, scratch
/// Results       exact, the same on every device. Floats keep their bits and are equal as FloatOrder says. 64-bit
///               types need no feature
/// Source        as CUB's DeviceSelect::Unique and UniqueByKey; look-back as in scan.hpp
Status record_unique(VkCommandBuffer cmd, const Device& device, const UniqueDesc& desc,
                     const UniqueBuffers& buffers);

/// Scratch that record_unique() needs for `desc`.
ScratchNeed unique_scratch(const Device& device, const UniqueDesc& desc);

/// Compiles what record_unique() uses for `desc` at any alignment and count, with any outputs.
Status warm_up(const Device& device, const UniqueDesc& desc);

/// Takes the unique elements of in as a step of `recorder`; count.max 0 stands for in.size().
template <std::same_as<Recorder> R, class In, class Out, class Number>
void unique(R& recorder, UniqueDesc desc, const In& in, const Out& out,
            const Number& unique_count) {
  desc.type = type_of<typename In::value_type>();
  if (desc.count.max == 0) desc.count.max = in.size();
  recorder.step(unique_scratch(recorder.device(), desc),
                [&](VkCommandBuffer cmd, const Scratch& s) {
                  return record_unique(cmd, recorder.device(), desc,
                                       {in.view(), out.view(), {}, {}, {}, unique_count.view(), s});
                });
}

}  // namespace vkprims

// Values of rows made by kernels that are not the library's.
#include "strings/map.hpp"
#include "vkprims/strings/map.hpp"

namespace vkprims::strings {
namespace {

constexpr const char* kName = "strings::map";
constexpr std::uint32_t kMostValueBytes = 32;

Status check_features(const DeviceState& state, const MapKernel& kernel) {
  const Features& has = state.info.enabled;
  const char* lacks = kernel.has_int64 && !has.int64       ? "int64"
                      : kernel.has_float64 && !has.float64 ? "float64"
                                                           : nullptr;
  if (!lacks) return {};
  return Status::error(Status::unsupported,
                       "%s: needs Features::%s, without which this device was created", kName,
                       lacks);
}

Status check_kernel(const DeviceState& state, const MapKernel& kernel) {
  if (!kernel.spirv) {
    return Status::error(Status::invalid_argument, "%s: kernel.spirv is null", kName);
  }
  if (kernel.value_bytes % 4 != 0 || kernel.value_bytes > kMostValueBytes) {
    return Status::error(Status::invalid_argument,
                         "%s: kernel.value_bytes is %u, must be a multiple of 4, 0 … %u", kName,
                         kernel.value_bytes, kMostValueBytes);
  }
  if (kernel.columns < 1 || kernel.columns > 2) {
    return Status::error(Status::invalid_argument, "%s: kernel.columns is %u, must be 1 or 2",
                         kName, kernel.columns);
  }
  return check_features(state, kernel);
}

MapKernels kernels_of(const MapStringsDesc& desc) {
  return {.spirv = desc.kernel.spirv, .operation = desc.constant};
}

Call call_of(const MapStringsDesc& desc, const MapStringsBuffers& buffers) {
  return {.a = {"a", buffers.a},
          .b = desc.kernel.columns > 1 ? NamedColumn{"b", buffers.b} : NamedColumn{},
          .text = desc.text,
          .more = desc.more_text,
          .indices = buffers.indices,
          .rows = buffers.a.rows};
}

MapOut out_of(const MapStringsDesc& desc, const MapStringsBuffers& buffers) {
  const std::uint64_t rows = buffers.a.rows;
  const std::uint32_t bytes = desc.kernel.value_bytes;
  return {buffers.out, bytes ? bytes * rows : bit_bytes(rows), buffers.validity};
}

}  // namespace

ScratchNeed map_scratch(const Device& device, const MapStringsDesc& desc) {
  return map_scratch(device, kernels_of(desc), call_of(desc, {}));
}

Status record_map(VkCommandBuffer cmd, const Device& device, const MapStringsDesc& desc,
                  const MapStringsBuffers& buffers) {
  return record_call(kName, cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_kernel(commands.state(), desc.kernel));
    return check_and_add_map(commands, kernels_of(desc), call_of(desc, buffers),
                             out_of(desc, buffers), buffers.scratch);
  });
}

Status warm_up(const Device& device, const MapStringsDesc& desc) {
  return warm_up_call(kName, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_kernel(commands.state(), desc.kernel));
    return warm_up_map(commands, kernels_of(desc));
  });
}

}  // namespace vkprims::strings

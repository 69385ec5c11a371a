// Scans over monoids of an application's own, on the device.
#pragma once

#include "support/support.hpp"

namespace vkprims::test {

inline constexpr Schedule kSchedules[] = {Schedule::look_back, Schedule::multi_pass,
                                          Schedule::automatic};

/// Scans `values`, the elements of an input, which may have another type than results.
template <class Out, class In>
std::vector<Out> scan_on_device(const Device& d, const ScanDesc& desc,
                                const std::vector<In>& values, std::uint64_t offset,
                                bool in_place = false,
                                std::vector<std::uint32_t>* total = nullptr) {
  const Guarded in(values, offset), out(in_place ? 0 : values.size() * sizeof(Out), offset);
  const Guarded fold(std::uint64_t{desc.own->bytes}, offset);
  const DirtyScratch scratch(scan_scratch(d, desc));
  const Guarded& result = in_place ? in : out;
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_scan(cmd, d, desc,
                               {.in = in.view(),
                                .out = result.view(),
                                .scratch = scratch.get(),
                                .total = total ? fold.view() : BufferView{}}));
  });
  if (total) *total = fold.read<std::uint32_t>();
  return result.read<Out>();
}

}  // namespace vkprims::test

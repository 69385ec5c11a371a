// WarmUp: notes which pipelines calls will need, and compiles these before the calls are recorded.
/// @ingroup runtime
#pragma once

#include <cstddef>
#include <cstdint>

#include "vkprims/device.hpp"
#include "vkprims/status.hpp"
#include "vkprims/types.hpp"

namespace vkprims {

/// Compiles in advance exactly the pipelines that record functions are going to need, on as many
/// threads as the caller likes.
///
///     WarmUp warm;
///     Status s = WarmUp::create(device, warm);
///     s = record_scan(VK_NULL_HANDLE, warm.device(), scan,
///                     {.in = warm.view(4 * n), .out = warm.view(4 * n),
///                      .scratch = warm.scratch(scan_scratch(device, scan))});
///     …                    // the other calls
///     s = warm.compile();  // on each thread that helps
///
/// A call with device() checks its arguments and looks up its pipelines as it does when it records,
/// with the same errors, but records nothing: it notes the pipelines that the Device does not have
/// yet. It ignores the command buffer. compile() then compiles them for the Device, whatever its
/// PipelinePolicy. All functions of the library that take a Device accept device(): record
/// functions, also those with kernels of your own; foo_scratch(); and warm_up(), which notes what
/// any call with a descriptor needs.
///
/// Which pipelines a call needs depends on its descriptor and count, on which views are given, on
/// which of them have the same address (in place), on all addresses modulo 16, and for columns of
/// strings on the size of their chars. It does not depend on the contents of memory: view() and
/// scratch() make views without memory, and views of real memory serve as well.
///
/// For a count that is read on the GPU only its max matters, so one call covers all values. A count
/// on the host matters itself, because other kernels treat few elements than many: to cover a range
/// of counts, make the call for both ends of the range and for each power of two between, as
/// for_each_count() does. A call costs microseconds.
///
/// Any number of threads may make calls with device() and call compile() at once, but only one at a
/// time may call view() or scratch(). A WarmUp owns no pipelines: they belong to the Device, which
/// must live as long as the WarmUp is used, as must the Spirv of your own kernels.
class WarmUp {
 public:
  /// Fails if `device` is empty or the device() of another WarmUp, and leaves `warm` unchanged
  /// then.
  static Status create(const Device& device, WarmUp& warm);

  /// The Device to make the calls with. In a default-constructed WarmUp it is empty, and calls
  /// refuse it.
  const Device& device() const noexcept { return device_; }

  /// A view without memory that overlaps no other one of this WarmUp. Its address is a multiple of
  /// 256, plus `offset`.
  BufferView view(VkDeviceSize bytes, VkDeviceSize offset = 0);
  /// Scratch without memory.
  Scratch scratch(const ScratchNeed& need);

  /// Compiles one pipeline after the other until no noted one is left, or `at_most` have been
  /// compiled by this call.
  ///
  /// Threads that call it at once share the work: each pipeline is compiled by one of them, and no
  /// lock is held meanwhile. A call that finds nothing left returns while others may still be
  /// compiling, so everything is ready when all have returned, or when compiled() == noted(). If a
  /// pipeline cannot be compiled, the call fails as a record function does and names the shader;
  /// the pipeline stays noted for a later call.
  Status compile(std::size_t at_most = SIZE_MAX);

  /// The number of different pipelines noted so far, without those that the Device already had
  /// then.
  std::size_t noted() const;
  /// How many of the noted pipelines are ready.
  std::size_t compiled() const;

 private:
  Device device_;
  VkDeviceAddress next_ = 256;  // where the next view begins
};

/// Calls f(n) for n = smallest, each power of two between, and largest: the counts to note for a
/// range of counts.
template <class F>
void for_each_count(std::uint64_t smallest, std::uint64_t largest, F&& f) {
  f(smallest);
  for (int bit = 0; bit < 64; ++bit) {
    const std::uint64_t n = std::uint64_t{1} << bit;
    if (smallest < n && n < largest) f(n);
  }
  if (largest > smallest) f(largest);
}

}  // namespace vkprims

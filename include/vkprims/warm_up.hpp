// WarmUp: which pipelines calls will need, noted by making the calls; compiled before they are recorded.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vkprims/device.hpp"
#include "vkprims/status.hpp"
#include "vkprims/types.hpp"

namespace vkprims {

/// Compiles beforehand exactly what record functions are going to need, on as many threads as the caller likes.
///
///     WarmUp warm;
///     Status s = WarmUp::create(device, warm);
///     s = record_scan(VK_NULL_HANDLE, warm.device(), scan, {.in = warm.view(4 * n), .out = warm.view(4 * n),
///                     .scratch = warm.scratch(scan_scratch(device, scan))});      // … and the other calls
///     s = warm.compile();                                                         // on each thread that helps
///
/// A call with device() checks its arguments and looks for its pipelines as it does when it records, with the same errors,
/// but records nothing: it notes the pipelines that the Device does not have yet. The command buffer is not looked at.
/// compile() then compiles them for the Device, whatever its PipelinePolicy. All functions of the library that take a
/// Device take device(): record functions, with kernels of your own, too; foo_scratch(); and warm_up(), which notes what
/// any call with a descriptor needs.
///
/// Which pipelines a call needs depends on its descriptor and count, on which views are given, on which of them have the
/// same address (in place), on all addresses modulo 16, and of columns of strings on the bytes of their characters. It does
/// not depend on what lies there: view() and scratch() make views of no memory, and views of memory that is there do, too.
///
/// Only max decides of a count of the GPU, so one call covers whatever is counted. A count on the host decides by itself,
/// as few elements are treated by other kernels than many: for a range of counts make the call for its ends and each
/// power of two between. for_each_count() does it; calls cost microseconds.
///
/// Any number of threads may make calls with device() and compile() at once; view() and scratch() are for one at a time.
/// Owns no pipelines: they are the Device's, which must live as long as this is used; so must Spirv of your own.
class WarmUp {
 public:
  /// Fails if `device` is empty or that of another WarmUp; `warm` is untouched then.
  static Status create(const Device& device, WarmUp& warm);

  /// What to make the calls with. Empty, and refused by them, in a WarmUp that is default-constructed.
  const Device& device() const noexcept { return device_; }

  /// A range that is not there and overlaps no other one of this WarmUp. Its address is a multiple of 256, plus `offset`.
  BufferView view(VkDeviceSize bytes, VkDeviceSize offset = 0);
  /// Scratch that is not there.
  Scratch scratch(const ScratchNeed& need);

  /// Compiles one pipeline after the other until no noted one is left, or `at_most` have been compiled by this call.
  ///
  /// Threads that call it at once share the work, each pipeline is compiled by one of them, and no lock is held
  /// meanwhile; one that finds nothing left returns while others may still be at work, so everything is ready when all have
  /// returned, or compiled() == noted(). Fails as a record function does that cannot compile, and names the shader; the
  /// pipeline stays noted for a later call.
  Status compile(std::size_t at_most = SIZE_MAX);

  /// Different pipelines so far, without those that the Device had when they were asked for; how many of these are ready.
  std::size_t noted() const;
  std::size_t compiled() const;

 private:
  Device device_;
  VkDeviceAddress next_ = 256;  // where the next view begins
};

/// Calls f(n) for n = smallest, each power of two between, and largest: the counts to note for a range of them.
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

// What tests share: one Context, a Device under observation, guarded buffers, generators, sizes.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/device_state.hpp"
#include "support/function_ref.hpp"
#include "support/spy.hpp"
#include "vkprims/context.hpp"
#include "vkprims/vkprims.hpp"

namespace vkprims::test {

/// Returns the Context of the whole run, on the device that VKPRIMS_DEVICE names.
Context& context();

/// Returns a Device on the Context's handles whose calls go through spy(). There is one per tuning.
Device& device(const Tuning& tuning = {}, const LookbackDiagnostics& lookback = {});

/// Returns the limits that VKPRIMS_MASK sets, for Devices that tests make on that of the Context.
inline const DeviceHooks& limits() { return context().device().state()->hooks; }

/// The smallest tiles, so that there are many of them at small counts.
inline constexpr Tuning kTinyTiles{.workgroup_size = 128,
                                   .stream_rows = 1,
                                   .rows_per_tile = 1,
                                   .max_reduce_groups = 0,
                                   .single_group_bytes = 1,
                                   .scan_workgroup_size = 128,
                                   .scan_rows = 1,
                                   .scan_batches = 1,
                                   .single_scan_bytes = 1,
                                   .segment_rows = 1,
                                   .segment_batches = 1,
                                   .run_rows = 1,
                                   .run_batches = 1,
                                   .key_workgroup_size = 128,
                                   .key_rows = 1,
                                   .key_batches = 1,
                                   .csr_workgroup_size = 128,
                                   .csr_rows = 1,
                                   .compact_rows = 1,
                                   .compact_batches = 1,
                                   .group_sort_count = 1};

/// Up to 200,000 segments and values, tiles search for themselves where they begin, and up to
/// 960,000 a subgroup searches for each.
inline constexpr Tuning kSearchingTiles{
    .small_count = 40'000, .csr_workgroup_size = 128, .csr_rows = 1};

/// Behaves as on a large GPU: look-backs over few elements have smaller tiles than others.
inline constexpr Tuning kSmallTiles{.single_scan_bytes = 1, .small_count = 6000};

/// Says whether this is one of the runs that need not cover every type and operator
/// (VKPRIMS_TEST_SUBSET).
bool subset();

/// Says whether this run covers everything, however long it takes (VKPRIMS_TEST_ALL).
bool exhaustive();

/// Says whether the Context runs under the validation layer (VKPRIMS_TEST_VALIDATION).
bool validated();

/// Counts the calls of operator new by this thread so far.
std::uint64_t heap_allocations();

/// Returns how often race tests repeat (VKPRIMS_TEST_REPEATS, 300 if it is not set).
int repeats();

/// Says whether a combination belongs to the half that the default run takes. `sum` is the sum of
/// the indices of its values. With three axes or more, any two values still occur together.
bool paired(std::size_t sum);

/// Says which of two ways the current test case goes where one is enough, except in exhaustive
/// runs: half of the cases go the first one in the default run. In a subset run, which is for
/// another device, each goes the other way.
bool goes_first_way();

/// Returns the types of the device, or one per size in a subset run.
std::vector<Type> types();
/// Returns operators for a type: two, chosen so that each operator comes with some type of its
/// kind, or all of them if the run is exhaustive. A subset run has two in all, each with one type.
std::vector<Op> ops(Type type);
/// Returns `all`, or in a subset run those whose tiles a test chooses. The library's own choice has
/// larger tiles, takes longer to compile, and is run by smoke tests and steps of a Recorder.
std::vector<Tuning> tunings(std::vector<Tuning> all);
/// Returns one of two tunings (goes_first_way()), unless the run is exhaustive; a subset run gets
/// what tunings() gives. It is for kernels of users, whose built-in counterparts take both.
std::vector<Tuning> either_tuning(std::vector<Tuning> both);

/// Records with the Device under observation, runs, and fails on any hazard between the commands.
void run(FunctionRef<void(VkCommandBuffer)> record);

/// Bytes in device memory between two guards of 64 bytes, `misalign` bytes past a multiple of 256.
class Guarded {
 public:
  Guarded(std::span<const std::byte> bytes, std::uint64_t misalign);
  explicit Guarded(std::uint64_t bytes, std::uint64_t misalign = 0)
      : Guarded(std::vector<std::byte>(bytes, std::byte{0xcd}), misalign) {}
  template <class T>
  explicit Guarded(const std::vector<T>& values, std::uint64_t misalign = 0)
      : Guarded(std::as_bytes(std::span(values)), misalign) {}

  BufferView view() const { return {buffer_.address() + at_, size_}; }
  VkDeviceAddress address() const { return buffer_.address() + at_; }

  /// Returns the contents; fails if a guard has changed.
  template <class T>
  std::vector<T> read() const {
    std::vector<T> values(size_ / sizeof(T));
    read(values.data(), values.size() * sizeof(T));
    return values;
  }

 private:
  void read(void* to, std::uint64_t bytes) const;
  Guarded(const std::vector<std::byte>& bytes, std::uint64_t misalign)
      : Guarded(std::span<const std::byte>(bytes), misalign) {}
  std::uint8_t guard_;  // value of the bytes of the guards
  std::uint64_t size_;
  std::uint64_t at_;
  Buffer<std::uint8_t> buffer_;
};

/// Scratch of exactly the size asked for, filled with 0xFF, with a guard behind it.
class DirtyScratch {
 public:
  explicit DirtyScratch(const ScratchNeed& need);
  Scratch get() const { return {buffer_.handle(), 0, buffer_.address(), need_.bytes}; }
  /// Returns the first n words.
  std::vector<std::uint32_t> words(std::uint64_t n) const;
  ~DirtyScratch();

 private:
  ScratchNeed need_;
  Buffer<std::uint8_t> buffer_;
};

/// Fails if scratch(n), the bytes that n elements need, ever decreases as n grows to kMaxCount.
/// Returns the last size.
VkDeviceSize check_monotone(FunctionRef<VkDeviceSize(std::uint64_t)> scratch);

/// Checks the same for a descriptor with a count and a schedule, with the count on the host and on
/// the device, and checks which sizes are 0.
template <class Desc>
void check_scratch_query(ScratchNeed (*scratch)(const Device&, const Desc&)) {
  const auto bytes = [&](const Device& d, const Count& count, Schedule schedule) {
    Desc desc{};
    desc.count = count;
    desc.schedule = schedule;
    return scratch(d, desc).bytes;
  };
  for (const Tuning& tuning : {Tuning{}, kTinyTiles, kSmallTiles}) {
    const Device& d = device(tuning);
    for (const Schedule schedule :
         {Schedule::look_back, Schedule::multi_pass, Schedule::automatic}) {
      for (const VkDeviceAddress count_address : {0, 8}) {
        check_monotone([&](std::uint64_t n) { return bytes(d, {n, count_address}, schedule); });
      }
      CHECK(bytes(d, 0, schedule) == 0);
    }
    CHECK(bytes(d, kMaxCount + 1, Schedule::automatic) == 0);
  }
  CHECK(bytes(Device(), 1 << 20, Schedule::automatic) == 0);
}

/// Uploads a count to device memory.
template <class T>
Buffer<T> device_count(T n) {
  return context().upload(std::vector<T>{n});
}

/// Returns random elements: all bits for integers, [-1, 1) for floats.
template <class T>
std::vector<T> random_values(std::uint64_t n, std::uint32_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<T> values(n);
  for (T& v : values) {
    if constexpr (std::is_floating_point_v<T>) {
      v = static_cast<T>(static_cast<double>(engine() >> 11) * 0x1p-52 - 1.0);
    } else {
      v = static_cast<T>(engine());
    }
  }
  return values;
}

/// Returns values whose folds do not become trivial: factors near 1 for float products.
template <class T>
std::vector<T> values_for(Op op, std::uint64_t n) {
  std::vector<T> values = random_values<T>(n, static_cast<std::uint32_t>(n) * 7 + 1);
  for (T& v : values) {
    if (op != Op::mul) continue;
    if constexpr (std::is_floating_point_v<T>) {
      v = T(1) + v / T(65536);
    } else {
      v = v | 1;  // an even factor would soon make every product 0
    }
  }
  return values;
}

/// Returns "" if both are the same, else says where they first differ.
template <class T>
std::string difference(const std::vector<T>& result, const std::vector<T>& expected) {
  if (result.size() != expected.size()) {
    return std::to_string(result.size()) + " elements, expected " + std::to_string(expected.size());
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i] == expected[i]) continue;
    std::ostringstream text;
    text.precision(17);
    text << "element " << i << " is " << +result[i] << ", expected " << +expected[i];
    return text.str();
  }
  return "";
}

// These are compiled once, in support.cpp.
extern template std::string difference(const std::vector<std::uint8_t>&,
                                       const std::vector<std::uint8_t>&);
extern template std::string difference(const std::vector<std::uint32_t>&,
                                       const std::vector<std::uint32_t>&);
extern template std::string difference(const std::vector<std::int32_t>&,
                                       const std::vector<std::int32_t>&);
extern template std::string difference(const std::vector<float>&, const std::vector<float>&);
extern template std::string difference(const std::vector<std::uint64_t>&,
                                       const std::vector<std::uint64_t>&);
extern template std::string difference(const std::vector<std::int64_t>&,
                                       const std::vector<std::int64_t>&);
extern template std::string difference(const std::vector<double>&, const std::vector<double>&);

/// Compares bits: 0 is not -0, and NaN with different bits differ.
template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || !std::memcmp(a.data(), b.data(), a.size() * sizeof(T)));
}

/// Returns counts around the edges of subgroups, and of tiles of `tile` elements.
std::vector<std::uint64_t> edge_counts(std::uint64_t tile);

/// Calls f with a value of the C++ type of `type`.
template <class F>
void with_type(Type type, F&& f) {
  switch (type) {
    case Type::u32:
      return f(std::uint32_t{});
    case Type::i32:
      return f(std::int32_t{});
    case Type::f32:
      return f(float{});
    case Type::u64:
      return f(std::uint64_t{});
    case Type::i64:
      return f(std::int64_t{});
    case Type::f64:
      return f(double{});
  }
}

/// Records `record(cmd, i)` for i = 0 and 1 into one command buffer, with a barrier between, and
/// submits it 100 times, with `prepare()` before and `verify()` after each submission.
void replay(const Device& d, FunctionRef<void()> prepare,
            FunctionRef<Status(VkCommandBuffer, int)> record, FunctionRef<void()> verify);

/// Fails unless `call(cmd)` records nothing and returns an error whose message has all `words`.
void expect_error(Status::Code code, std::initializer_list<const char*> words,
                  FunctionRef<Status(VkCommandBuffer)> call);

}  // namespace vkprims::test

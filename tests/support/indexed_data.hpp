// Elements of 1 to 16 bytes, and indices into them, for the tests of gather and scatter.
#pragma once

#include <array>

#include "blocks/indexed.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {

/// Elements of a tile.
inline std::uint64_t indexed_tile(const Device& d) {
  return indexed_grid(d.state()->tuning, 4, 0).items_per_group;
}

template <std::size_t N>
using Element = std::array<std::uint8_t, N>;

template <class F>
void with_element(std::uint32_t bytes, F&& f) {
  if (bytes == 1) f(Element<1>{});
  if (bytes == 2) f(Element<2>{});
  if (bytes == 4) f(Element<4>{});
  if (bytes == 8) f(Element<8>{});
  if (bytes == 16) f(Element<16>{});
}

template <class E>
std::vector<E> random_elements(std::uint64_t n, std::uint32_t seed) {
  const std::vector<std::uint8_t> bytes = random_values<std::uint8_t>(n * sizeof(E), seed);
  std::vector<E> values(n);
  if (n) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// Returns random indices below `bound`, except about one in `period` (0: none).
template <class Index>
std::vector<Index> random_indices(std::uint64_t bound, std::uint64_t n, std::uint64_t period,
                                  std::uint32_t seed = 3) {
  std::vector<Index> indices(n);
  std::uint64_t i = 0;
  for (const std::uint64_t random : random_values<std::uint64_t>(n, seed)) {
    const bool outside = bound == 0 || (period && random % period == 0);
    // Indices out of range are just past the end, far out, and past 32 bits.
    const std::uint64_t choices[] = {bound, bound + random % 1000, ~std::uint64_t{0},
                                     (std::uint64_t{1} << 32) + random % 7};
    const std::uint64_t index = outside ? choices[random / 64 % 4] : random / 64 % bound;
    const bool fits = static_cast<Index>(index) == index;
    indices[i++] = static_cast<Index>(fits ? index : ~std::uint64_t{0});
  }
  return indices;
}

template <class Index>
constexpr IndexWidth index_width() {
  return sizeof(Index) == 8 ? IndexWidth::u64 : IndexWidth::u32;
}

/// Fails unless a report is right for a sequence of indices that must be below `bound`.
template <class Index>
void check_report(const DeviceReport& found, std::span<const Index> indices, std::uint64_t bound,
                  std::uint64_t outside) {
  CHECK(found.count == outside);
  CHECK(found.code == (outside ? DeviceReport::index_out_of_range : DeviceReport::ok));
  if (found.count == 0) return;
  REQUIRE(found.first_index < indices.size());
  CHECK(indices[found.first_index] >= bound);
}

/// Returns "" if all bytes of all elements are the same, else describes the first element that
/// differs.
template <class E>
std::string bits_difference(const std::vector<E>& result, const std::vector<E>& expected) {
  if (result.size() != expected.size()) return "other number of elements";
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!same_bits(result[i], expected[i])) return "element " + std::to_string(i);
  }
  return "";
}

/// Checks what gather and scatter both refuse. The good call has a report, and 1000 elements and
/// indices of 4 bytes; `scratch` is what the message says of its size. Nothing is read at `count`.
template <class Desc, class Buffers>
void check_wrong_indexed(const WrongInput<Desc, Buffers>& wrong, const char* scratch,
                         const Buffers& good, VkDeviceAddress count) {
  wrong.desc({"element_bytes is 3", "1, 2, 4, 8 or 16"}, [](auto& x) { x.element_bytes = 3; });
  wrong.desc({"index_width is 2", "0 … 1"}, [](auto& x) { x.index_width = IndexWidth(2); });
  wrong.desc({"out_of_range is 4", "0 … 3"}, [](auto& x) { x.out_of_range = OutOfRange(4); });
  wrong.desc({"unchecked", "report.address"},
             [](auto& x) { x.out_of_range = OutOfRange::unchecked; });
  wrong.desc({"indices.bytes is 4000", "8000"}, [](auto& x) { x.index_width = IndexWidth::u64; });
  wrong.both(
      {"scratch.bytes is 0", scratch},
      [&](auto& x) {
        x.count = {10'000'000, count};
      },
      [](auto& x) { x.in.bytes = x.indices.bytes = x.out.bytes = 1 << 30; });
  wrong.desc({"out [", "count [", "overlap"}, [&](auto& x) { x.count = {1000, good.out.address}; });
  wrong.buffers({"in.address", "multiple of 4"}, [](auto& x) { x.in.address += 2; });
  wrong.buffers({"report.bytes is 24", "32"}, [](auto& x) { x.report.bytes = 24; });
  wrong.buffers({"indices [", "out [", "overlap"},
                [](auto& x) { x.out.address = x.indices.address; });
}

/// Fails if a Device that compiles nothing by itself cannot record after warm_up(desc), wherever
/// the 4,000,000 32-bit indices and their 16-bit elements begin. The call is record(cmd, d,
/// indices, elements).
template <class Desc, class F>
void check_warm_up(const Desc& desc, F&& record) {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  const auto memory = context().allocate<std::uint32_t>(10'000'000);
  const auto at = [&](VkCommandBuffer cmd, std::uint64_t index_shift, std::uint64_t shift) {
    return record(cmd, d, memory.slice(100 + index_shift, 4'000'000).view(),
                  BufferView{memory.address() + 20'000'000 + 2 * shift, 8'000'000});
  };
  expect_error(Status::not_warmed, {"warm_up"}, [&](VkCommandBuffer cmd) { return at(cmd, 0, 0); });
  throw_if_error(warm_up(d, desc));
  context().record([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      for (std::uint64_t shift = 0; shift < 8; ++shift) {
        throw_if_error(at(cmd, shift % 4, shift / 4));
      }
    });
  });
}

}  // namespace vkprims::test

// Strings past 2^32 bytes, on devices that hold them.
#include "support/large.hpp"
#include "vkprims/strings/argsort.hpp"
#include "vkprims/strings/gather.hpp"

namespace vkprims::test {

using namespace large;

TEST_CASE("large: strings of more than 2^32 bytes, most of them in a tile") {
  const Device& d = device();
  const std::uint64_t rows = 300, length = (21 << 20) + 3;
  const std::uint64_t bytes = rows * length;
  const strings::GatherStringsDesc desc;
  const ScratchNeed need = strings::gather_scratch(d, desc, rows);
  if (!holds(bytes + need.bytes + 2 * length)) return;
  std::vector<std::uint8_t> row(length);
  for (std::uint64_t i = 0; i < length; ++i)
    row[i] = static_cast<std::uint8_t>(i * 2654435761u >> 13);
  const auto in = context().upload(row);
  const auto offsets = context().upload(std::vector<std::uint64_t>{0, length});
  const auto indices = context().upload(std::vector<std::uint32_t>(rows, 0));
  const auto chars = context().allocate<std::uint8_t>(bytes);
  const auto ends = context().allocate<std::uint64_t>(rows + 1);
  const auto memory = context().allocate<std::uint8_t>(need.bytes);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_gather(
        cmd, d, desc,
        {.in = {.offsets = offsets.view(),
                .chars = in.view(),
                .rows = 1,
                .offset_width = IndexWidth::u64},
         .indices = indices.view(),
         .out = {.offsets = ends.view(), .chars = chars.view(), .offset_width = IndexWidth::u64},
         .scratch = {memory.handle(), 0, memory.address(), need.bytes}}));
  });
  const auto got = context().download(ends);
  for (std::uint64_t i = 0; i <= rows; ++i) CHECK(got[i] == i * length);
  check_samples(chars, 0, bytes, [&](std::uint64_t i) { return row[i % length]; });
  // These are the boundaries between rows.
  for (const std::uint64_t i : {std::uint64_t{1}, std::uint64_t{250}, rows - 1}) {
    const auto part = context().download(chars, i * length - 20, 40);
    std::vector<std::uint8_t> want(row.end() - 20, row.end());
    want.insert(want.end(), row.begin(), row.begin() + 20);
    CHECK(part == want);
  }
}

TEST_CASE("large: strings that tie, of which records have more than 2^32 bytes") {
  const Device& d = device();
  const std::uint64_t rows = (std::uint64_t{1} << 28) + 4099;
  const ScratchNeed need = strings::argsort_scratch(d, {}, rows, 4);
  if (!holds(need.bytes + 8 * rows)) return;
  // Rows alternate between "x" and, because their offsets descend, empty ones.
  std::vector<std::uint32_t> ends(rows + 1);
  for (std::uint64_t i = 0; i <= rows; ++i) ends[i] = i % 2;
  const auto offsets = context().upload(ends);
  const auto chars = context().upload(std::vector<std::uint8_t>{'x'});
  const auto indices = context().allocate<std::uint32_t>(rows);
  const auto memory = context().allocate<std::uint8_t>(need.bytes);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_argsort(
        cmd, d, {},
        {.in = {.offsets = offsets.view(), .chars = {chars.address(), 1}, .rows = rows},
         .indices = indices.view(),
         .scratch = {memory.handle(), 0, memory.address(), need.bytes}}));
  });
  const std::uint64_t empty = rows / 2;
  const auto expected = [&](std::uint64_t i) { return i < empty ? 2 * i + 1 : 2 * (i - empty); };
  check_samples(indices, 0, rows, expected);
  check_samples(indices, empty - 2, 10, [&](std::uint64_t i) { return expected(empty - 2 + i); });
}

}  // namespace vkprims::test

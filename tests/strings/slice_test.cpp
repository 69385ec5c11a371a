#include "vkprims/strings/slice.hpp"

#include "oracles/strings/pieces.hpp"
#include "strings/layouts.hpp"

namespace vkprims::test {
namespace {

using Positions = oracle::strings::Slice;

void check_slice(const HostStrings& rows, const Positions& positions, const Layout& layout) {
  const strings::SliceDesc desc{
      .start = positions.start, .stop = positions.stop, .schedule = layout.schedule};
  const Device& d = device();
  const PlacedColumn column(rows, layout.in);
  check_rows(oracle::strings::slice(rows, positions), layout.to,
             strings::slice_scratch(d, desc, rows.size()),
             [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
               return strings::record_slice(cmd, d, desc,
                                            {.in = column.view(), .out = out, .scratch = scratch});
             });
}

}  // namespace

TEST_CASE("strings slice: rows of every shape, alignment, number and length") {
  const Positions all[] = {{}, {.start = 1}, {.start = 1, .stop = 9}, {.start = -7, .stop = -1}};
  std::size_t i = 0;
  for_each_layout(kRopeSchedules, [&](const HostStrings& rows, const Layout& layout) {
    // From the end, lavapipe leaves the loops over long rows early (shaders/vkprims/README.md).
    check_slice(rows, all[layout.long_rows ? 1 : i++ % 4], layout);
  });
}

TEST_CASE("strings slice: positions from both ends and far outside, of characters of any size") {
  const HostStrings rows = random_strings(700, 1, {.max_bytes = 16, .nulls = 20, .invalid = 10});
  using Position = std::optional<std::int32_t>;
  for (const Position start : {Position(), {0}, {1}, {5}, {-1}, {-4}, {100}, {INT32_MIN}}) {
    for (const Position stop :
         {Position(), {0}, {1}, {6}, {-1}, {-3}, {100}, {INT32_MAX}, {INT32_MIN}}) {
      CAPTURE(start.value_or(77));
      CAPTURE(stop.value_or(77));
      check_slice(rows, {.start = start, .stop = stop}, {});
    }
  }
}

TEST_CASE("strings slice: smoke" * doctest::test_suite("smoke")) {
  for (const Schedule schedule : kRopeSchedules) {
    check_slice(random_strings(600, 1, {.nulls = 10}), {.start = 1, .stop = -1},
                layout(3, schedule));
  }
}

}  // namespace vkprims::test

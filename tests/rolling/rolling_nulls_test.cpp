// Rolling windows over elements some of which are null.
#include "rolling/rolling_check.hpp"
#include "rolling/rolling_plan.hpp"
#include "support/segment_lengths.hpp"

namespace vkprims::test {

TEST_CASE("rolling: nulls, min_periods, and what windows get that are not whole") {
  const Device& d = device(kTinyTiles);
  const auto values = random_values<float>(2500, 10);
  std::mt19937 random(1);
  std::vector<bool> valid;
  for (int i = 0; i < 2500; ++i) valid.push_back(i / 100 % 3 == 1 ? false : random() % 4 != 0);
  for (const RollingOp op : {RollingOp::sum, RollingOp::mean, RollingOp::count}) {
    if (subset() && op != RollingOp::sum) continue;
    for (const std::uint64_t min_periods : {0, 1, 3}) {
      for (const RollingPartial partial :
           {RollingPartial::keep, RollingPartial::null, RollingPartial::infinity}) {
        const bool infinity = partial == RollingPartial::infinity;
        if (infinity && op == RollingOp::count) continue;
        const RollingDesc desc{.op = op,
                               .preceding = 5,
                               .following = 2,
                               .min_periods = min_periods,
                               .partial = partial,
                               .validity_offset = 29};
        for (const bool out_validity : {false, true}) {
          if (!out_validity && (op != RollingOp::sum || subset())) continue;
          check<float>({values, valid}, {.device = &d, .desc = desc, .out_validity = out_validity});
          check<float>({values}, {.device = &d, .desc = desc, .out_validity = out_validity});
        }
      }
    }
  }
  for (const std::int64_t window : {40, 300, 3000}) {
    if (subset() && window == 40) continue;
    for (const std::uint64_t offset : {0, 1, 64}) {
      const RollingDesc desc{.preceding = window, .min_periods = 30, .validity_offset = offset};
      check<float>({values, valid}, {.device = &d, .desc = desc, .out_validity = true});
    }
    const RollingDesc desc{.preceding = window, .partial = RollingPartial::null};
    check<float>({values}, {.device = &d, .desc = desc, .out_validity = true});
  }
  const auto whole = random_values<std::int32_t>(2500, 11);
  const RollingDesc desc{.preceding = 3, .min_periods = 3};
  check<std::int32_t>({whole, valid}, {.device = &d, .desc = desc, .out_validity = true});
  CHECK(run_on_device<std::int32_t, std::int32_t>({whole, valid}, {.device = &d, .desc = desc})
            .out[0] == 0);
}

TEST_CASE("rolling: windows that fit into a block only where rows may be null") {
  const Device& d = device(kTinyTiles);
  const auto values = random_values<std::uint64_t>(7000, 14);
  oracle::RollingColumn<std::uint64_t> column{values};
  for (int i = 0; i < 7000; ++i) column.valid.push_back(i % 3 != 1 && i / 900 % 4 != 2);
  const RollingDesc desc{.preceding = 3000, .following = 5, .min_periods = 1500};
  const RollingDesc full = full_desc(column, {.device = &d, .desc = desc});
  const bool has_room = d.state()->subgroup_size < 64 && d.state()->largest_workgroup >= 512;
  for (const bool out_validity : {false, true}) {
    const RollingPath path = rolling_plan(*d.state(), full, out_validity).sides[0].path;
    if (has_room) CHECK((path == RollingPath::edges) == out_validity);
    check(column, {.device = &d, .desc = desc, .out_validity = out_validity});
    check(column, {.device = &d, .desc = desc, .out_validity = out_validity, .device_count = 4100});
  }
}

TEST_CASE("rolling: windows do not go beyond their group") {
  const Device& d = device(kTinyTiles);
  const auto values = random_values<std::uint32_t>(3000, 12);
  const std::pair<std::int64_t, std::int64_t> sides[] = {
      {4, 0}, {4, 3}, {50, 20}, {300, 400}, {800, 1200}};
  for (const auto& [preceding, following] : sides) {
    if (subset() && preceding == 300) continue;
    for (const Spread spread : kSpreads) {
      if (subset() && spread != Spread::empty_runs) continue;
      CAPTURE(static_cast<int>(spread));
      oracle::RollingColumn<std::uint32_t> column{values};
      column.offsets = offsets_of<std::uint64_t>(lengths(spread, 3000, 3));
      const RollingDesc desc{.preceding = preceding, .following = following};
      check(column, {.device = &d, .desc = desc, .out_validity = preceding == 4});
    }
  }
  // These cases combine groups, nulls and the order of elements.
  oracle::RollingColumn<std::uint32_t> column{values};
  column.offsets = offsets_of<std::uint64_t>(lengths(Spread::power_law, 3000, 3));
  for (int i = 0; i < 3000; ++i) column.valid.push_back(i % 5 != 0 && i / 40 % 4 != 2);
  const auto check_op = [&](RollingOp op, std::int64_t reach) {
    const RollingDesc desc{.op = op,
                           .preceding = reach,
                           .following = reach / 2,
                           .min_periods = 2,
                           .offset_width = IndexWidth::u64};
    check(column, {.device = &d, .desc = desc, .out_validity = true});
  };
  check_op(RollingOp::arg_min, 60);
  if (subset()) return;
  check_op(RollingOp::arg_min, 900);
  check_op(RollingOp::count, 60);
  if (!d.features().float64) return;
  check_op(RollingOp::mean, 60);
  check_op(RollingOp::variance, 60);
  check_op(RollingOp::variance, 900);
}

TEST_CASE("rolling: offsets in any order begin groups, and touch nothing outside of the views") {
  const Device& d = device(kTinyTiles);
  for (const std::uint64_t n : {100, 3000}) {
    const auto values = random_values<std::uint32_t>(n, 1);
    for (const std::uint64_t groups : {1, 40, 3000}) {
      if (subset() && groups == 3000) continue;
      for (const auto& offsets : hostile_offsets<std::uint64_t>(groups, n)) {
        const RollingDesc desc{.preceding = 5, .following = 3, .offset_width = IndexWidth::u64};
        oracle::RollingColumn<std::uint32_t> column{values, {}, offsets};
        check(column, {.device = &d, .desc = desc});
      }
    }
  }
}

}  // namespace vkprims::test

// The search of vkprims-bench --tune, on costs that are known.
#include "../bench/tuning_search.hpp"

#include <map>
#include <set>
#include <stdexcept>

#include "support/support.hpp"

namespace vkprims::test {
namespace {

using bench::Margin;
using bench::Member;

constexpr Margin kMargin{.gain = 0.01, .loss = 0.02};

std::vector<std::uint32_t> neighbours(const char* name, std::uint32_t value,
                                      std::uint32_t max_workgroup = 1024) {
  return Member(name).neighbours(value, max_workgroup);
}

using Values = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("tuning search: every member of Tuning can be searched, and no other") {
  for (const TuningField& field : tuning_fields()) {
    const Member member(field.name);
    REQUIRE(member.exists());
    Tuning tuning;
    member.set(tuning, 77);
    CHECK(tuning.*field.member == 77);
    CHECK(member.get(tuning) == 77);
  }
  Tuning tuning;
  const Member order("tile_order");
  REQUIRE(order.exists());
  order.set(tuning, 2);
  CHECK(tuning.tile_order == TileOrder::workgroup);
  CHECK(order.get(tuning) == 2);
  CHECK(order.shown(1) == "ticket");
  CHECK(order.shown(2) == "workgroup");
  CHECK(!Member("scan_row").exists());
}

TEST_CASE("tuning search: neighbours are allowed values beside the old one") {
  CHECK(neighbours("scan_rows", 7) == Values{8, 6, 14, 3});
  CHECK(neighbours("scan_rows", 1) == Values{2});
  CHECK(neighbours("scan_rows", 16) == Values{15, 8});
  CHECK(neighbours("sort_rows", 23) == Values{22, 11});
  CHECK(neighbours("workgroup_size", 256) == Values{512, 128});
  CHECK(neighbours("workgroup_size", 128, 128).empty());
  CHECK(neighbours("workgroup_size", 512, 896) == Values{256});
  CHECK(neighbours("sort_workgroup_size", 384) == Values{512, 256});
  CHECK(neighbours("sort_workgroup_size", 384, 400) == Values{256});
  CHECK(neighbours("spin_limit", 8) == Values{16, 4});
  CHECK(neighbours("spin_limit", 1) == Values{2});
  CHECK(neighbours("max_reduce_groups", 8000) == Values{8192, 4000});
  CHECK(neighbours("lookback_pause", 0) == Values{16, 64});
  CHECK(neighbours("lookback_pause", 1) == Values{2});  // 0 is that of the table
  CHECK(neighbours("tile_order", 1) == Values{2});
  CHECK(neighbours("tile_order", 2) == Values{1});
  // Whatever is found from any allowed value by many steps is allowed as well.
  for (const TuningField& field : tuning_fields()) {
    CAPTURE(field.name);
    const bool is_workgroup = field.rule != TuningRule::any;
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> left{is_workgroup ? 128 : std::max(field.low, 1u)};
    while (!left.empty()) {
      const std::uint32_t value = left.back();
      left.pop_back();
      if (!seen.insert(value).second || seen.size() > 500) continue;
      for (const std::uint32_t v : neighbours(field.name, value)) {
        CHECK(Tuning::load(std::string(field.name) + " = " + std::to_string(v),
                           *std::make_unique<Tuning>()));
        left.push_back(v);
      }
    }
    CHECK(seen.size() > 3);
  }
}

TEST_CASE("tuning search: better is a gain of all rows together, at a loss of none") {
  using bench::is_better;
  using Ratios = std::vector<double>;
  CHECK(is_better(Ratios{1.02, 1.02}, kMargin));
  CHECK(is_better(Ratios{1.05, 0.985}, kMargin));
  CHECK(!is_better(Ratios{1.50, 0.97}, kMargin));    // one row loses
  CHECK(!is_better(Ratios{1.005, 1.005}, kMargin));  // noise
  CHECK(!is_better(Ratios{1.03, 0.985}, kMargin));   // the mean is 1.007
  CHECK(!is_better(Ratios{}, kMargin));
  CHECK(!is_better(Ratios{0.0, 9.0}, kMargin));
  CHECK(bench::geometric_mean(Ratios{2, 8}) == doctest::Approx(4));
}

TEST_CASE("tuning search: it finds the least of a cost with one valley, from any side") {
  const std::vector<Member> members{Member("scan_rows"), Member("scan_batches"),
                                    Member("scan_workgroup_size")};
  // Registers and shared memory are the product of rows and batches: the least is at 6, 4, 512.
  const auto cost = [](const Tuning& t) {
    const double rows = t.scan_rows, batches = t.scan_batches, size = t.scan_workgroup_size;
    return 1 + std::pow(std::log2(rows / 6), 2) + std::pow(std::log2(batches / 4), 2) +
           std::pow(std::log2(size / 512), 2) + 0.3 * std::abs(std::log2(rows * batches / 24));
  };
  for (const std::uint32_t rows : {1u, 6u, 16u}) {
    for (const std::uint32_t batches : {1u, 64u}) {
      for (const std::uint32_t size : {128u, 1024u}) {
        Tuning best{.scan_workgroup_size = size, .scan_rows = rows, .scan_batches = batches};
        best.sort_rows = 15;
        int calls = 0;
        bench::descend(
            members, 1024,
            [&](const Tuning& from, const Tuning& to, const Member& member) {
              ++calls;
              CHECK(member.get(from) != member.get(to));
              Tuning same = to;
              member.set(same, member.get(from));
              CHECK(same.text() == from.text());  // they differ in the member alone
              return cost(to) < cost(from);
            },
            best);
        CAPTURE(best.text());
        CHECK(best.scan_rows == 6);
        CHECK(best.scan_batches == 4);
        CHECK(best.scan_workgroup_size == 512);
        CHECK(best.sort_rows == 15);
        CHECK(calls < 120);
      }
    }
  }
}

TEST_CASE("tuning search: it stays where nothing is better, and ends where everything seems so") {
  const std::vector<Member> members{Member("scan_rows"), Member("spin_limit"),
                                    Member("tile_order")};
  Tuning best{.scan_rows = 4, .spin_limit = 8, .tile_order = TileOrder::ticket};
  const std::string before = best.text();
  int calls = 0;
  const auto never = [&](const Tuning&, const Tuning&, const Member&) { return ++calls, false; };
  bench::descend(members, 1024, never, best);
  CHECK(best.text() == before);
  CHECK(calls == 7);  // 5, 3, 8, 2; 16, 4; workgroup

  calls = 0;
  const auto always = [&](const Tuning&, const Tuning&, const Member&) { return ++calls, true; };
  bench::descend(members, 1024, always, best);
  CHECK(calls < 200);
}

TEST_CASE("tuning search: what was found before an exception is kept") {
  const std::vector<Member> members{Member("scan_rows")};
  Tuning best{.scan_rows = 4};
  int calls = 0;
  const auto better = [&](const Tuning&, const Tuning&, const Member&) {
    if (++calls == 3) throw std::runtime_error("no time");
    return true;
  };
  CHECK_THROWS_AS(bench::descend(members, 1024, better, best), std::runtime_error);
  CHECK(best.scan_rows == 6);
}

}  // namespace vkprims::test

// What one primitive leaves is what the next one expects: float keys, whose order is that of the
// oracles' comparator.
#include "oracles/float_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>

#include "support/support.hpp"
#include "vkprims/vkprims.hpp"

namespace vkprims::test {
namespace {

// Returns zeros, infinities, normal and denormal numbers of both signs, NaN of both signs with
// several payloads, and random bits.
template <class T>
std::vector<T> hostile(std::uint64_t n, std::uint32_t seed) {
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const Bits quiet = std::bit_cast<Bits>(Limits::quiet_NaN());
  const std::array<T, 8> special = {T(0),
                                    Limits::infinity(),
                                    Limits::denorm_min(),
                                    Limits::min(),
                                    T(1),
                                    Limits::max(),
                                    std::bit_cast<T>(quiet),
                                    std::bit_cast<T>(static_cast<Bits>(quiet + 12345))};
  std::vector<T> values;
  for (const std::uint64_t random : random_values<std::uint64_t>(n, seed)) {
    const T value = special[random / 16 % 8];
    if (random % 8 == 0) {
      values.push_back(std::bit_cast<T>(static_cast<Bits>(random >> 3)));
    } else {
      values.push_back(random / 8 % 2 ? std::bit_cast<T>(std::bit_cast<Bits>(value) ^
                                                         Bits{1} << (8 * sizeof(T) - 1))
                                      : value);
    }
  }
  return values;
}

template <class T>
void check_composition(FloatOrder order) {
  CAPTURE(static_cast<int>(order));
  const auto less = [order](T a, T b) { return oracle::key_less(a, b, order); };
  const std::uint64_t half = 300, n = 2 * half;
  const std::vector<T> all = hostile<T>(n, 1), needles = hostile<T>(n, 2);
  std::vector<T> sorted = all;
  std::stable_sort(sorted.begin(), sorted.end(), less);
  std::vector<T> firsts;
  std::vector<std::uint32_t> lengths, places, ends, within;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (i == 0 || !oracle::key_equal(sorted[i], sorted[i - 1], order)) {
      firsts.push_back(sorted[i]);
      lengths.push_back(0);
    }
    within.push_back(lengths.back()++);
    const T needle = needles[i];
    const auto lower = std::lower_bound(sorted.begin(), sorted.end(), needle, less);
    places.push_back(static_cast<std::uint32_t>(lower - sorted.begin()));
    const auto upper = std::upper_bound(sorted.begin(), sorted.end(), needle, less);
    ends.push_back(static_cast<std::uint32_t>(upper - sorted.begin()));
  }

  Context& c = context();
  const auto in = c.upload(all), wanted = c.upload(needles);
  const auto ones = c.upload(std::vector<std::uint32_t>(n, 1));
  const auto offsets = c.upload(std::vector<std::uint32_t>{0, static_cast<std::uint32_t>(half)});
  const auto keys = [&] { return c.allocate<T>(n); };
  const auto numbers = [&] { return c.allocate<std::uint32_t>(n); };
  const auto counts = c.allocate<std::uint64_t>(4);
  const auto halves = keys(), merged = keys(), best = keys(), unique_keys = keys();
  const auto coded = keys(), reduced_keys = keys(), group_keys = keys();
  const auto lower = numbers(), upper = numbers(), order_of = numbers(), run_lengths = numbers();
  const auto sums = numbers(), ranks = numbers(), sizes = numbers();
  const std::array<GroupKey, 1> group_key = {{{.type = type_of<T>()}}};
  const std::array<GroupAggregation, 1> aggregation = {{{.op = Aggregate::count_rows}}};
  const std::array<BufferView, 1> group_in = {in.view()}, group_out_keys = {group_keys.view()};
  const std::array<BufferView, 1> group_out = {sizes.view()};
  const auto count = [&](std::uint64_t i) { return counts.slice(i, 1); };
  c.run([&](Recorder& r) {
    radix_sort(r, {.float_order = order}, in.slice(0, half), halves.slice(0, half));
    segmented_sort(r, {.float_order = order}, in.slice(half, half), offsets,
                   halves.slice(half, half));
    merge(r, {.float_order = order}, halves.slice(0, half), halves.slice(half, half), merged);
    search(r, {.kind = SearchKind::lower_bound, .float_order = order}, merged, wanted, lower);
    search(r, {.kind = SearchKind::upper_bound, .float_order = order}, merged, wanted, upper);
    argsort(r, {.float_order = order}, in, order_of);
    top_k(r, {.side = TopKSide::smallest, .float_order = order, .sorted = true}, in, best);
    unique(r, {.float_order = order}, merged, unique_keys, count(0));
    run_length_encode(r, {.float_order = order}, merged, coded, run_lengths, count(1));
    reduce_by_key(r, {.float_order = order}, merged, ones, reduced_keys, sums, count(2));
    scan_by_key(r, {.float_order = order}, merged, ones, ranks);
    group_by(r, {.keys = group_key, .aggregations = aggregation, .count = n, .float_order = order},
             {.keys = group_in,
              .out_keys = group_out_keys,
              .out = group_out,
              .group_count = count(3).view()});
  });

  CHECK(same_bits(c.download(merged), sorted));
  CHECK(difference(c.download(lower), places) == "");
  CHECK(difference(c.download(upper), ends) == "");
  std::vector<T> gathered;
  for (const std::uint32_t i : c.download(order_of)) gathered.push_back(all[i]);
  CHECK(same_bits(gathered, sorted));
  CHECK(same_bits(c.download(best), sorted));
  CHECK(c.download(counts) == std::vector<std::uint64_t>(4, firsts.size()));
  CHECK(same_bits(c.download(unique_keys, 0, firsts.size()), firsts));
  CHECK(same_bits(c.download(coded, 0, firsts.size()), firsts));
  CHECK(same_bits(c.download(reduced_keys, 0, firsts.size()), firsts));
  CHECK(same_bits(c.download(group_keys, 0, firsts.size()), firsts));
  CHECK(difference(c.download(run_lengths, 0, firsts.size()), lengths) == "");
  CHECK(difference(c.download(sums, 0, firsts.size()), lengths) == "");
  CHECK(difference(c.download(sizes, 0, firsts.size()), lengths) == "");
  CHECK(difference(c.download(ranks), within) == "");
}

}  // namespace

TEST_CASE(
    "float order: what sorts leave can be merged, searched, made unique, encoded and grouped") {
  check_composition<float>(FloatOrder::by_value);
  if (!exhaustive()) return;
  check_composition<float>(FloatOrder::by_bits);
  check_composition<double>(FloatOrder::by_value);
}

TEST_CASE("float order: by value is what descriptors say where nothing is said") {
  CHECK(RadixSortDesc{}.float_order == FloatOrder::by_value);
  CHECK(ArgsortDesc{}.float_order == FloatOrder::by_value);
  CHECK(SegmentedSortDesc{}.float_order == FloatOrder::by_value);
  CHECK(TopKDesc{}.float_order == FloatOrder::by_value);
  CHECK(MergeDesc{}.float_order == FloatOrder::by_value);
  CHECK(SearchDesc{}.float_order == FloatOrder::by_value);
  CHECK(UniqueDesc{}.float_order == FloatOrder::by_value);
  CHECK(RunLengthEncodeDesc{}.float_order == FloatOrder::by_value);
  CHECK(ReduceByKeyDesc{}.float_order == FloatOrder::by_value);
  CHECK(ScanByKeyDesc{}.float_order == FloatOrder::by_value);
  CHECK(GroupByDesc{}.float_order == FloatOrder::by_value);
}

}  // namespace vkprims::test

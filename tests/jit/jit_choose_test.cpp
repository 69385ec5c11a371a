// Predicates and comparisons from text: the same as vkprims_add_predicate() and
// vkprims_add_compare() make.
#include <algorithm>
#include <array>
#include <cmath>

#include "jit/jit_support.hpp"
#include "vkprims/merge.hpp"
#include "vkprims/merge_sort.hpp"
#include "vkprims/partition.hpp"
#include "vkprims/select.hpp"

namespace vkprims::test {
namespace {

constexpr std::uint32_t kCount = 5000;  // several tiles of the smallest

struct Range {
  std::uint32_t low, high;
};
struct Item {
  std::uint32_t group;
  float weight;
  std::uint32_t number;
  bool operator==(const Item&) const = default;
};

constexpr const char* kWithin = R"(
struct Range { uint low, high; };
// The function with "vkp_predicate(" in a comment.
bool vkp_predicate(const uint x, uvec2 index, in Range range) {
  return x >= range.low && x <= range.high && index.x % 3u != 0u;
}
)";
constexpr const char* kHeaviest = R"(
struct Item { uint group; float weight; uint number; };
#define VKP_T Item
bool vkp_less(Item a, Item b) {
  return a.group < b.group || a.group == b.group && a.weight > b.weight;
}
)";

template <class T, class Chooses>
void check_select(const jit::Predicate<T>& predicate, const Value& arguments,
                  const std::vector<T>& values, const Chooses& chooses) {
  throw_if_error(predicate.status());
  std::vector<T> chosen, others;
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    (chooses(values[i], i) ? chosen : others).push_back(values[i]);
  }
  const Device& d = device(kTinyTiles);
  const Guarded in(values), out(values.size() * sizeof(T)), rejected(values.size() * sizeof(T)),
      selected(8);
  const PartitionDesc desc{.own = &predicate, .arguments = arguments, .count = values.size()};
  const DirtyScratch scratch(partition_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_partition(cmd, d, desc,
                                    {.in = in.view(),
                                     .out = out.view(),
                                     .rejected = rejected.view(),
                                     .selected_count = selected.view(),
                                     .scratch = scratch.get()}));
  });
  REQUIRE(selected.read<std::uint64_t>()[0] == chosen.size());
  std::vector<T> first = out.read<T>(), second = rejected.read<T>();
  first.resize(chosen.size());
  second.resize(others.size());
  CHECK(first == chosen);
  CHECK(second == others);
}

template <class T, class Arguments = void>
std::string refused_predicate(const std::string& source) {
  return compiler().predicate<T, Arguments>(source, {.name = "own"}).status().message();
}
template <class T>
std::string refused_compare(const std::string& source) {
  return compiler().compare<T>(source, {.name = "own"}).status().message();
}

}  // namespace

TEST_CASE("jit predicate: expressions, with arguments, of vectors, and a function of a struct") {
  const auto values = random_values<std::uint32_t>(kCount, 5);
  check_select(compiler().predicate<std::uint32_t, std::uint32_t>("x > arguments && i != 7u"),
               Value::bits(1u << 31), values,
               [](std::uint32_t x, std::uint32_t i) { return x > 1u << 31 && i != 7; });
  const Range range{1u << 28, 3u << 30};
  check_select(compiler().predicate<std::uint32_t, Range>(kWithin), Value::bits(range), values,
               [&](std::uint32_t x, std::uint32_t i) {
                 return x >= range.low && x <= range.high && i % 3 != 0;
               });
  const std::vector<float> numbers = random_values<float>(2 * kCount, 6);
  std::vector<std::array<float, 2>> points(kCount);
  for (std::size_t i = 0; i < kCount; ++i) points[i] = {numbers[2 * i], numbers[2 * i + 1]};
  check_select(compiler().predicate<std::array<float, 2>>("if (x.x < 0.0) return false;\n"
                                                          "return x.y < x.x;"),
               {}, points, [](const std::array<float, 2>& x, std::uint32_t) {
                 return x[0] >= 0 && x[1] < x[0];
               });
}

TEST_CASE("jit predicate: a step of a Recorder") {
  const auto values = random_values<std::uint32_t>(kCount, 8);
  std::vector<std::uint32_t> expected;
  std::ranges::copy_if(values, std::back_inserter(expected), [](auto x) { return x % 5 == 1; });
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(kCount);
  const auto count = context().allocate<std::uint64_t>(1);
  {
    const auto fifth = compiler().predicate<std::uint32_t>("x % 5u == 1u", {.name = "fifth"});
    context().run([&](Recorder& r) { select(r, fifth, {}, in, out, count); });
  }
  std::vector<std::uint32_t> result = context().download(out);
  REQUIRE(context().download(count)[0] == expected.size());
  result.resize(expected.size());
  CHECK(difference(result, expected) == "");
}

TEST_CASE("jit compare: an expression and a function order keys, stable") {
  const auto random = random_values<std::uint32_t>(kCount, 9);
  std::vector<Item> items(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    items[i] = {random[i] % 7, static_cast<float>(random[i] >> 8 & 3), i};
  }
  const auto heaviest = compiler().compare<Item>(kHeaviest, {.name = "heaviest"});
  throw_if_error(heaviest.status());
  std::vector<float> numbers = random_values<float>(kCount, 10);
  const auto nearest = compiler().compare<float>("abs(a) < abs(b)");
  throw_if_error(nearest.status());

  const Guarded keys(items), sorted(kCount * sizeof(Item)), in(numbers), out(kCount * 4);
  const Device& d = device();
  const MergeSortDesc by_weight{.own = &heaviest, .count = kCount},
      by_size{.own = &nearest, .count = kCount};
  const DirtyScratch first(merge_sort_scratch(d, by_weight)),
      second(merge_sort_scratch(d, by_size));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_merge_sort(
        cmd, d, by_weight, {.in = keys.view(), .out = sorted.view(), .scratch = first.get()}));
    throw_if_error(record_merge_sort(
        cmd, d, by_size, {.in = in.view(), .out = out.view(), .scratch = second.get()}));
  });
  std::ranges::stable_sort(items, [](const Item& a, const Item& b) {
    return a.group != b.group ? a.group < b.group : a.weight > b.weight;
  });
  std::ranges::stable_sort(numbers, [](float a, float b) { return std::abs(a) < std::abs(b); });
  CHECK(sorted.read<Item>() == items);
  CHECK(same_bits(out.read<float>(), numbers));
}

TEST_CASE("jit predicate, jit compare: what is wrong with a source is said in one sentence") {
  using u32 = std::uint32_t;
  CHECK(refused_predicate<Range>("x.low < x.high") ==
        "jit: own: does not define vkp_predicate(), which structs need");
  CHECK(refused_predicate<u32>("bool vkp_predicate(uint x) { return true; }") ==
        "jit: own: vkp_predicate() must have one element, and \"uvec2 index\" behind it");
  CHECK(refused_predicate<u32>(
            "bool vkp_predicate(uint x, uvec2 index, uint a, uint b) { return true; }") ==
        "jit: own: vkp_predicate() has more than one parameter behind index");
  CHECK(refused_predicate<u32, u32>("bool vkp_predicate(uint x, uvec2 index) { return true; }") ==
        "jit: own: vkp_predicate() has no parameter behind index for Arguments");
  CHECK(refused_predicate<u32>(kWithin) ==
        "jit: own: the C++ type Arguments has 0 bytes, but Range of the source has 8");
  CHECK(refused_predicate<u32>("bool vkp_predicate(float x, uvec2 index) { return true; }") ==
        "jit: own: the C++ type T is an unsigned integer, but float of the source is a "
        "floating-point number");
  CHECK(refused_predicate<u32>("bool vkp_predicate(Foo x, uvec2 index) { return true; }")
            .find("Foo is neither a struct of this file nor one of") != std::string::npos);
  CHECK(refused_compare<Item>("a.group < b.group") ==
        "jit: own: does not define vkp_less(), which structs need");
  CHECK(refused_compare<u32>("bool vkp_less(uint a, uint b) { return a < b; }") ==
        "jit: own: does not say \"#define VKP_T <type>\"");
  CHECK(refused_compare<Range>(kHeaviest) ==
        "jit: own: the C++ type T has 8 bytes, but Item of the source has 12");

  // What only the compiler finds is the error of every call.
  const auto broken = compiler().predicate<u32>("x >\n  limit", {.name = "own"});
  CHECK(broken.status());
  const Status status = warm_up(device(), SelectDesc{.own = &broken, .count = 9});
  CHECK(std::string(status.message()).find("own:2: 'limit' : undeclared identifier") !=
        std::string::npos);
  const auto unordered = compiler().compare<u32>("a < c", {.name = "own"});
  CHECK(std::string(warm_up(device(), MergeSortDesc{.own = &unordered, .count = 9}).message())
            .find("own:1: 'c' : undeclared identifier") != std::string::npos);
}

}  // namespace vkprims::test

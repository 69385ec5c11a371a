// Tests of nearest_smaller.
#include "oracles/nearest_smaller.hpp"

#include <limits>
#include <numeric>

#include "spirv/nearest_smaller_finish.hpp"
#include "spirv/nearest_smaller_tiles.hpp"
#include "spirv/nearest_smaller_tree.hpp"
#include "stack/nearest_smaller/nearest_smaller.abi.h"
#include "support/large.hpp"
#include "support/sorted_sequences.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

using Keys = std::vector<std::uint32_t>;

struct Options {
  const Device* device = &test::device();
  NearestDirection direction = NearestDirection::previous;
  NearestCompare compare = NearestCompare::less;
  std::uint64_t offset = 0, out_offset = 0;        // in elements
  std::uint64_t device_count = ~std::uint64_t{0};  // read on the device if given
};

// Fails unless the results on the device are those of the oracle and everything past the count is
// unchanged.
template <class Index, class T>
void check_indices(const std::vector<T>& keys, const Options& o = {}) {
  CAPTURE(keys.size());
  CAPTURE(static_cast<int>(o.direction));
  CAPTURE(static_cast<int>(o.compare));
  CAPTURE(o.offset);
  CAPTURE(o.out_offset);
  CAPTURE(o.device_count);
  const std::uint64_t room = keys.size(), n = std::min<std::uint64_t>(room, o.device_count);
  const Guarded in(keys, o.offset * sizeof(T));
  const Guarded out(room * sizeof(Index), o.out_offset * sizeof(Index));
  const auto count = device_count<std::uint64_t>(o.device_count);
  NearestSmallerDesc desc{.type = type_of<T>(),
                          .direction = o.direction,
                          .compare = o.compare,
                          .count = room,
                          .index_width = sizeof(Index) == 8 ? IndexWidth::u64 : IndexWidth::u32};
  if (o.device_count != ~std::uint64_t{0}) {
    desc.count = {room, count.address(), CountWidth::u64};
  }
  const DirtyScratch scratch(nearest_smaller_scratch(*o.device, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(
        record_nearest_smaller(cmd, *o.device, desc, {in.view(), out.view(), scratch.get()}));
  });
  std::vector<T> some(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(n));
  std::vector<Index> want = oracle::nearest_smaller<Index>(some, o.direction, o.compare);
  want.resize(room, static_cast<Index>(0xcdcdcdcdcdcdcdcd));
  CHECK(difference(out.read<Index>(), want) == "");
}

template <class T>
void check(const std::vector<T>& keys, const Options& o = {}) {
  check_indices<std::uint32_t>(keys, o);
}

constexpr NearestDirection kDirections[] = {NearestDirection::previous, NearestDirection::next};
constexpr NearestCompare kCompares[] = {NearestCompare::less, NearestCompare::less_equal,
                                        NearestCompare::greater, NearestCompare::greater_equal};

// Each comparison is a pipeline or more, which takes long to compile: only exhaustive runs test
// more than one comparison per direction.
bool left_out(NearestDirection direction, NearestCompare compare) {
  const bool previous = direction == NearestDirection::previous;
  return !exhaustive() &&
         compare != (previous ? NearestCompare::less : NearestCompare::greater_equal);
}

// Checks both directions, strict and not.
template <class T>
void check_all(const std::vector<T>& keys, Options o = {}) {
  for (const NearestDirection direction : kDirections) {
    for (const NearestCompare compare : {NearestCompare::less, NearestCompare::less_equal}) {
      const bool next = direction == NearestDirection::next;
      if (!exhaustive() && next == (compare == NearestCompare::less)) continue;
      o.direction = direction;
      o.compare = compare;
      check(keys, o);
    }
  }
}

// All of these types work without any feature of the device.
std::vector<Type> all_types() {
  if (subset()) return {Type::f32, Type::i64};
  return {Type::u32, Type::i32, Type::f32, Type::u64, Type::i64, Type::f64};
}

// The largest number of words in a tile; a tile of pairs has half as many items.
constexpr std::uint64_t kTile = VKP_NEAREST_MAX_BLOCKS * VKP_NEAREST_BLOCK_BYTES / 4;

Keys few_values(std::uint64_t n, std::uint32_t values, std::uint32_t seed) {
  Keys keys = random_values<std::uint32_t>(n, seed);
  for (std::uint32_t& key : keys) key %= values;
  return keys;
}

Keys ascending(std::uint64_t n) {
  Keys keys(n);
  std::iota(keys.begin(), keys.end(), 5u);
  return keys;
}

Keys descending(std::uint64_t n) {
  Keys keys = ascending(n);
  std::reverse(keys.begin(), keys.end());
  return keys;
}

}  // namespace

TEST_CASE("nearest_smaller: an example by hand") {
  const Keys keys{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
  constexpr std::uint32_t none = ~0u;
  const auto want = [&](NearestDirection direction, NearestCompare compare, const Keys& out) {
    CHECK(oracle::nearest_smaller<std::uint32_t>(keys, direction, compare) == out);
    check(keys, {.direction = direction, .compare = compare});
  };
  want(NearestDirection::previous, NearestCompare::less,
       {none, none, 1, none, 3, 4, 3, 6, 6, 6, 9});
  want(NearestDirection::previous, NearestCompare::less_equal,
       {none, none, 1, 1, 3, 4, 3, 6, 6, 6, 9});
  want(NearestDirection::next, NearestCompare::less,
       {1, none, 3, none, 6, 6, none, 8, 9, none, none});
  want(NearestDirection::next, NearestCompare::less_equal,
       {1, 3, 3, none, 6, 6, none, 8, 9, none, none});
  want(NearestDirection::previous, NearestCompare::greater,
       {none, 0, none, 2, none, none, 5, 5, 7, 8, 7});
  want(NearestDirection::next, NearestCompare::greater_equal,
       {2, 2, 4, 4, 5, none, 7, none, 10, 10, none});
}

TEST_CASE(
    "nearest_smaller: all orders of up to 7 keys, one behind the other, at every place of a "
    "block") {
  Keys all;
  for (std::uint32_t length = 1; length <= 7; ++length) {
    Keys order(length);
    std::iota(order.begin(), order.end(), 0u);
    do {
      all.insert(all.end(), order.begin(), order.end());
    } while (std::next_permutation(order.begin(), order.end()));
  }
  for (std::uint64_t i = 0; i < 32; i += subset() ? 13 : 3) {
    check_all(all);
    all.insert(all.begin(), 3, 3u);
  }
}

TEST_CASE(
    "nearest_smaller: every sequence of 0, 1 and 2 of up to 6 keys around the edges of blocks and "
    "tiles") {
  // Each sequence follows the previous one after its length and one key that is above all others,
  // so that its position within tiles shifts.
  Keys all;
  std::vector<Keys> longest;
  for (std::uint32_t length = 1; length <= 6; ++length) {
    std::uint32_t sequences = 1;
    for (std::uint32_t i = 0; i < length; ++i) sequences *= 3;
    for (std::uint32_t s = 0; s < sequences; ++s) {
      Keys keys;
      for (std::uint32_t i = 0, x = s; i < length; ++i, x /= 3) keys.push_back(x % 3);
      all.insert(all.end(), keys.begin(), keys.end());
      all.push_back(9);
      if (length == 6) longest.push_back(keys);
    }
  }
  for (std::uint64_t i = 0; i < 32; i += subset() ? 11 : 1) {
    check_all(all, {.offset = i % 4});
    all.insert(all.begin(), 1, 2u);
  }
  // One sequence lies at each of many edges of tiles, between keys that are no answers.
  for (std::uint64_t before = 0; before <= 6; before += subset() ? 3 : 1) {
    Keys keys(kTile * (longest.size() + 1), 7u);
    for (std::uint64_t s = 0; s < longest.size(); ++s) {
      std::copy(longest[s].begin(), longest[s].end(),
                keys.begin() + static_cast<std::ptrdiff_t>(kTile * (s + 1) - before));
    }
    check(keys, {.compare = before % 2 ? NearestCompare::less : NearestCompare::less_equal});
    check(keys, {.direction = NearestDirection::next,
                 .compare = before % 2 ? NearestCompare::less_equal : NearestCompare::less});
  }
}

TEST_CASE("nearest_smaller: every type, direction and comparison, special values among the keys") {
  for (const Type type : all_types()) {
    CAPTURE(std::string(name_of(type)));
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      std::uint32_t seed = 1;
      for (const NearestDirection direction : kDirections) {
        for (const NearestCompare compare : kCompares) {
          if (left_out(direction, compare)) continue;
          for (const std::uint64_t spread : {3, 1000}) {
            const Options o{.direction = direction, .compare = compare};
            check(random_keys<T>(2 * kTile + 77, spread, ++seed), o);
          }
          const Options o{.direction = direction, .compare = compare};
          check(random_values<T>(kTile + 100, ++seed), o);
          const T low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
          std::vector<T> ends(kTile + 40, high);
          check(ends, o);
          for (std::uint64_t i = 0; i < ends.size(); i += 91) ends[i] = low;
          check(ends, o);
        }
      }
    });
  }
}

template <class T>
void check_float_rules() {
  constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const std::vector<T> keys{T(-0.0), T(0), nan, T(-0.0), -nan, inf, inf, -inf, -inf, nan, T(0)};
  constexpr std::uint32_t none = ~0u;
  const auto want = [&](NearestCompare compare, const Keys& out) {
    CHECK(oracle::nearest_smaller<std::uint32_t>(keys, NearestDirection::previous, compare) == out);
    check(keys, {.compare = compare});
  };
  want(NearestCompare::less, {none, none, none, none, none, 3, 3, none, none, none, 8});
  want(NearestCompare::less_equal, {none, 0, none, 1, none, 3, 5, none, 7, none, 8});
  want(NearestCompare::greater, {none, none, none, none, none, none, none, 6, 6, none, 6});
  want(NearestCompare::greater_equal, {none, 0, none, 1, none, none, 5, 6, 7, none, 6});
  // Tiles of NaN lie between a key and its answer; then there is nothing but NaN.
  std::vector<T> far(9 * kTile, nan);
  for (const NearestDirection direction : kDirections) {
    for (const NearestCompare compare : kCompares) {
      if (left_out(direction, compare)) continue;
      const Options o{.direction = direction, .compare = compare};
      far[3] = far[far.size() - 2] = nan;
      check(far, o);
      far[3] = T(-0.0);
      far[far.size() - 2] = T(0);
      check(far, o);
      far[far.size() - 2] = inf;
      check(far, o);
      far[far.size() - 2] = -inf;
      check(far, o);
    }
  }
}

TEST_CASE("nearest_smaller: NaN is no answer and has none, -0 equals +0, infinities are the ends") {
  check_float_rules<float>();
  if (!subset()) check_float_rules<double>();
}

TEST_CASE(
    "nearest_smaller: sizes around the edges of blocks and tiles, few and many different keys") {
  std::uint32_t seed = 1;
  std::vector<std::uint64_t> sizes = edge_counts(kTile);
  for (const std::uint64_t n : {31, 32, 33, 64, 255, 256, 257}) sizes.push_back(n);
  for (const std::uint64_t n :
       {kTile / 2 - 1, kTile / 2, kTile / 2 + 1, kTile - 4, 2 * kTile - 3}) {
    sizes.push_back(n);
  }
  for (const std::uint64_t n : sizes) {
    check_all(few_values(n, 3, ++seed));
    check_all(random_values<std::uint32_t>(n, ++seed));
    check_all(random_values<std::uint64_t>(n, ++seed));
  }
}

TEST_CASE("nearest_smaller: ascending, descending, constant, saws, walks, peaks and valleys") {
  const std::uint64_t n = 70 * kTile + 5;
  check_all(ascending(n));
  check_all(descending(n));
  check_all(Keys(n, 8u));
  for (const std::uint64_t period : {kTile - 1, kTile, kTile + 1, 3 * kTile, std::uint64_t{33}}) {
    Keys up(n), down(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      up[i] = static_cast<std::uint32_t>(i % period);
      down[i] = static_cast<std::uint32_t>(period - i % period);
    }
    check_all(up);
    check_all(down);
  }
  Keys walk = random_values<std::uint32_t>(n, 3);
  std::uint32_t level = 1u << 31;
  for (std::uint32_t& key : walk) key = level += key % 7 - 3;
  check_all(walk);
  // In a peak every answer of the second half lies in the first half, as far from the middle. In a
  // valley none does.
  Keys peak(n), valley(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    peak[i] = static_cast<std::uint32_t>(std::min(i, n - 1 - i));
    valley[i] = static_cast<std::uint32_t>(n) - peak[i];
  }
  check_all(peak);
  check_all(valley);
  // All keys have the same answer, as far away as possible.
  for (const std::uint64_t at : {std::uint64_t{0}, kTile + 3, n / 2, n - 1}) {
    Keys one = descending(n);
    one[at] = 1;
    check_all(one);
  }
}

TEST_CASE("nearest_smaller: tiles that leave one survivor each, which the last ones look for") {
  const std::uint64_t tiles = 67;
  Keys keys(2 * tiles * kTile, 1u << 20);
  for (std::uint64_t t = 0; t < tiles; ++t) {
    keys[t * kTile + (t * 97) % kTile] = static_cast<std::uint32_t>(2 * t);
    for (std::uint64_t i = 0; i < kTile; ++i) {
      const std::uint64_t last = (2 * tiles - 1 - t) * kTile + i;
      keys[last] = static_cast<std::uint32_t>(2 * t + (i * 31 + t) % 3);
    }
  }
  check_all(keys);
  std::reverse(keys.begin(), keys.end());
  check_all(keys);
}

TEST_CASE("nearest_smaller: more than 8^3 tiles, and a tree that takes two dispatches") {
  const std::uint64_t n = 520 * kTile + 99;
  Keys peak(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    peak[i] = static_cast<std::uint32_t>(std::min(i, n - 1 - i) / 3);
  }
  check(peak);
  check(peak, {.direction = NearestDirection::next, .compare = NearestCompare::less_equal});
  check(random_values<std::uint32_t>(n, 3), {.compare = NearestCompare::greater});
  if (subset()) return;
  // A tile has 2 leaves of the tree, and a workgroup takes 8 * 512 leaves.
  Keys many(2100 * kTile + 5);
  for (std::uint64_t i = 0; i < many.size(); ++i) {
    many[i] = static_cast<std::uint32_t>(std::min(i, many.size() - 1 - i) / 5);
  }
  many[kTile + 7] = 0;
  many[many.size() - 9] = 0;
  check(many);
  check(many, {.direction = NearestDirection::next});
}

TEST_CASE("nearest_smaller: views that begin at any element, indices of both widths") {
  const Keys keys = random_values<std::uint32_t>(kTile + 517, 4);
  const auto pairs = random_values<std::int64_t>(kTile + 517, 5);
  for (std::uint64_t shift = 0; shift < 16; shift += subset() ? 3 : 1) {
    for (const NearestDirection direction : kDirections) {
      const Options o{.direction = direction, .offset = shift % 4, .out_offset = shift / 4};
      check_indices<std::uint32_t>(keys, o);
      check_indices<std::uint64_t>(keys, o);
      check_indices<std::uint32_t>(pairs, o);
      check_indices<std::uint64_t>(pairs, o);
      for (const std::uint64_t n : {1, 2, 3, 5, 6, 7}) {
        check(Keys(keys.begin(), keys.begin() + n), o);
      }
    }
  }
}

TEST_CASE("nearest_smaller: the count may lie on the device, above the maximum or 0") {
  const Keys keys = random_values<std::uint32_t>(4 * kTile + 3, 6);
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, kTile, kTile + 1, 2 * kTile + 5,
        4 * kTile + 2, 9 * kTile, std::uint64_t{1} << 40}) {
    check_all(keys, {.device_count = n});
    check_all(keys, {.offset = 3, .out_offset = 1, .device_count = n});
  }
  check_all(Keys{});
}

TEST_CASE("nearest_smaller: an indirect grid, for a count that is small") {
  const Keys keys = descending(4200 * kTile);
  check(keys, {.device_count = 10'001});
  check(keys, {.direction = NearestDirection::next, .device_count = 10'001});
}

TEST_CASE("nearest_smaller: recorded twice and replayed") {
  const Device& d = device();
  const std::uint64_t n = 3 * kTile + 1;
  const Keys keys = few_values(n, 1000, 8);
  const Keys want = oracle::nearest_smaller<std::uint32_t>(keys, NearestDirection::previous,
                                                           NearestCompare::less);
  const auto in = context().upload(keys);
  const auto out0 = context().allocate<std::uint32_t>(n),
             out1 = context().allocate<std::uint32_t>(n);
  const NearestSmallerDesc desc{.count = n};
  const DirtyScratch scratch(nearest_smaller_scratch(d, desc));
  replay(
      d,
      [&] {
        context().write(out0, Keys(n, 7));
        context().write(out1, Keys(n, 7));
      },
      [&](VkCommandBuffer cmd, int i) {
        return record_nearest_smaller(
            cmd, d, desc, {in.view(), i == 0 ? out0.view() : out1.view(), scratch.get()});
      },
      [&] {
        CHECK(context().download(out0) == want);
        CHECK(context().download(out1) == want);
      });
}

TEST_CASE("nearest_smaller: warm_up compiles all that recording needs") {
  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device cold;
  throw_if_error(create_device(info, limits(), cold));
  throw_if_error(warm_up(cold, NearestSmallerDesc{.count = {1, 8}}));  // counts on the device, too
  for (const std::uint64_t n : {std::uint64_t{40}, 2 * kTile + 1}) {
    const Keys keys = few_values(n, 50, 21);
    for (std::uint64_t offset = 0; offset < 4; ++offset) {
      check(keys, {.device = &cold, .offset = offset, .out_offset = 3 - offset});
    }
  }
  check(descending(4200 * kTile), {.device = &cold, .device_count = 500});
  const auto in = context().allocate<float>(8);
  const auto out = context().allocate<std::uint32_t>(8);
  expect_error(Status::not_warmed, {"nearest_smaller"}, [&](VkCommandBuffer cmd) {
    return record_nearest_smaller(cmd, cold, {.type = Type::f32, .count = 8},
                                  {in.view(), out.view()});
  });
}

TEST_CASE("nearest_smaller: scratch does not shrink") {
  for (const Type type : {Type::u32, Type::f64}) {
    for (const VkDeviceAddress address : {0, 8}) {
      const VkDeviceSize most = check_monotone([&](std::uint64_t n) {
        return nearest_smaller_scratch(
                   device(), {.type = type, .count = {n, address}, .index_width = IndexWidth::u64})
            .bytes;
      });
      CHECK(most < kMaxCount * size_of(type) / 9);
    }
  }
  const auto bytes = [](const Device& d, const NearestSmallerDesc& desc) {
    return nearest_smaller_scratch(d, desc).bytes;
  };
  for (std::uint64_t n = 0; n < 40 * kTile; n += 1000) {
    CHECK(bytes(device(), {.count = n}) <= bytes(device(), {.count = n + 1000}));
  }
  CHECK(bytes(device(), {}) == 0);
  CHECK(bytes(device(), {.count = kMaxCount + 1, .index_width = IndexWidth::u64}) == 0);
  CHECK(bytes(device(), {.type = Type(17), .count = 1 << 20}) == 0);
  CHECK(bytes(Device(), {.count = 1 << 20}) == 0);
}

TEST_CASE("nearest_smaller: as a step of a Recorder") {
  const std::vector<float> keys{2.0f, 1.0f, 3.0f, 3.0f, 0.5f};
  const auto in = context().upload(keys);
  const auto out = context().allocate<std::uint64_t>(keys.size());
  context().run(
      [&](Recorder& r) { nearest_smaller(r, {.direction = NearestDirection::next}, in, out); });
  constexpr std::uint64_t none = ~std::uint64_t{0};
  CHECK(context().download(out) == std::vector<std::uint64_t>{1, 4, 4, 4, none});
}

TEST_CASE("nearest_smaller: smoke" * doctest::test_suite("smoke")) {
  check(few_values(200, 50, 1), {.compare = NearestCompare::less_equal, .offset = 1});
}

TEST_CASE("nearest_smaller: push constants of the shaders and of C++ have the same layout") {
  for (const Spirv* spirv : {&spirv::nearest_smaller_tiles_word, &spirv::nearest_smaller_tree_pair,
                             &spirv::nearest_smaller_finish_pair}) {
    CHECK(push_matches(*spirv, sizeof(abi::NearestSmallerPush)));
  }
}

TEST_CASE("nearest_smaller: keys of 8 bytes need no feature of the device") {
  for (const Spirv* spirv : {&spirv::nearest_smaller_tiles_pair, &spirv::nearest_smaller_tree_pair,
                             &spirv::nearest_smaller_finish_pair}) {
    constexpr std::uint32_t kFloat64 = 10, kInt64 = 11;
    CHECK(SpirvReader(*spirv).capabilities.count(kFloat64) == 0);
    CHECK(SpirvReader(*spirv).capabilities.count(kInt64) == 0);
  }
}

TEST_CASE("nearest_smaller: wrong input gets a message and records nothing") {
  const Device& d = device();
  const std::uint64_t n = 2 * kTile;
  const auto in = context().allocate<std::uint32_t>(n);
  const auto out = context().allocate<std::uint32_t>(n);
  const NearestSmallerDesc good{.count = n};
  const DirtyScratch scratch(nearest_smaller_scratch(d, good));
  const NearestSmallerBuffers buffers{in.view(), out.view(), scratch.get()};
  const WrongInput<NearestSmallerDesc, NearestSmallerBuffers> wrong(d, record_nearest_smaller, good,
                                                                    buffers);
  using Desc = NearestSmallerDesc;
  using Buffers = NearestSmallerBuffers;
  // With narrow indices their width would be refused first.
  const WrongInput<Desc, Buffers> wide(d, record_nearest_smaller,
                                       {.count = n / 4, .index_width = IndexWidth::u64}, buffers);
  wide.anywhere();
  CHECK(warm_up(Device(), good) == Status::invalid_argument);
  CHECK(warm_up(d, Desc{.compare = NearestCompare(4)}) == Status::invalid_argument);
  wrong.scratch("nearest_smaller_scratch");
  wrong.desc({"nearest_smaller", "direction is 2", "0 … 1"},
             [](Desc& x) { x.direction = NearestDirection(2); });
  wrong.desc({"nearest_smaller", "compare is 4", "0 … 3"},
             [](Desc& x) { x.compare = NearestCompare(4); });
  wrong.desc({"nearest_smaller", "index_width is 2", "0 … 1"},
             [](Desc& x) { x.index_width = IndexWidth(2); });
  wrong.desc({"nearest_smaller", "count.max is 4294967296", "2^32 - 1"},
             [](Desc& x) { x.count = std::uint64_t{1} << 32; });
  wrong.buffers({"nearest_smaller", "keys", "multiple of 4"},
                [](Buffers& x) { x.keys.address += 2; });
  wrong.buffers({"nearest_smaller", "keys", "32764", "32768"},
                [](Buffers& x) { x.keys.bytes -= 4; });
  wrong.buffers({"nearest_smaller", "keys"}, [](Buffers& x) { x.keys = {}; });
  wrong.buffers({"nearest_smaller", "out", "multiple of 4"},
                [](Buffers& x) { x.out.address += 1; });
  wrong.buffers({"nearest_smaller", "out", "32767", "32768"}, [](Buffers& x) { x.out.bytes -= 1; });
  wrong.buffers({"nearest_smaller", "keys", "out"}, [](Buffers& x) { x.out = x.keys; });
  wrong.buffers({"nearest_smaller", "out", "scratch"},
                [](Buffers& x) { x.out.address = x.scratch.address; });
}

TEST_CASE("large: nearest smaller of 2^31 keys, with answers 2^30 keys away") {
  constexpr std::uint64_t n = (std::uint64_t{1} << 31) + 5;
  if (!large::holds(10 * n)) return;
  Keys keys(n);
  for (std::uint64_t i = 0; i < n; ++i)
    keys[i] = static_cast<std::uint32_t>(std::min(i, n - 1 - i));
  const auto in = context().upload(keys);
  const auto out = context().allocate<std::uint32_t>(n);
  for (const NearestDirection direction : kDirections) {
    const NearestSmallerDesc desc{.direction = direction, .count = n};
    const DirtyScratch scratch(nearest_smaller_scratch(device(), desc));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(
          record_nearest_smaller(cmd, device(), desc, {in.view(), out.view(), scratch.get()}));
    });
    const Keys got = context().download(out);
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t k = keys[i];
      // The answer is the neighbour, or beyond the middle the key as far from the other end.
      const std::uint64_t want = direction == NearestDirection::previous ? k - 1 : n - k;
      wrong += got[i] != (k == 0 ? ~0u : static_cast<std::uint32_t>(want));
    }
    CHECK(wrong == 0);
  }
}

}  // namespace vkprims::test

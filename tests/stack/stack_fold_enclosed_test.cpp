// Tests of stack_fold over what brackets enclose.
#include "stack/stack_fold/stack_fold.abi.h"
#include "stack/stack_fold_check.hpp"

namespace vkprims::test {

using namespace stack_folds;

namespace {

// The number of symbols of a tile of tiles.comp, where shared memory has room for it.
constexpr std::uint64_t kEnclosedTile = VKP_STACK_FOLD_TILE_BLOCKS * VKP_STACK_BLOCK;

}  // namespace

TEST_CASE("stack_fold: over what brackets enclose, every monoid, with the open and without") {
  for (const StackMonoid monoid : kAll) {
    for (const StackFoldKind kind : kKinds) {
      check(random_tags(5000, 1, 10, 10, 7, 0),
            {.monoid = monoid, .kind = kind, .over = StackFoldOver::enclosed});
    }
  }
}

TEST_CASE("stack_fold: over what brackets enclose, short strings, resets, sizes around nodes") {
  Tags all;
  for (std::uint32_t s = 0; s < 1024; ++s) {
    for (std::uint32_t i = 0; i < 5; ++i) all.push_back(s >> 2 * i & 3);
    if (s % 3 == 0) all.push_back(3);
  }
  std::uint32_t seed = 0;
  for (const std::uint64_t n : {0, 1, 2, 7, 8, 9, 63, 64, 65, 511, 513, 4097, 6461}) {
    for (const auto& tags :
         {Tags(all.begin(),
               all.begin() + std::min<std::ptrdiff_t>(n, static_cast<std::ptrdiff_t>(all.size()))),
          random_tags(n, 30 + seed, 5, 4, 3, seed % 2), Tags(n, 1), Tags(n, 2)}) {
      ++seed;
      if (subset() && seed % 5 != 0) continue;
      check(tags, {.monoid = seed % 2 ? StackMonoid::affine : StackMonoid::rectangle_union,
                   .kind = kKinds[seed / 2 % 2],
                   .over = StackFoldOver::enclosed,
                   .input = static_cast<StackInput>(seed % 3),
                   .offset = seed % 5,
                   .value_offset = seed % 4});
    }
  }
}

TEST_CASE("stack_fold: over what brackets enclose, ranges that begin and end around tiles") {
  constexpr std::uint64_t n = 3 * kEnclosedTile + 5;
  std::uint32_t number = 0;
  for (const std::uint64_t open :
       {std::uint64_t{0}, kEnclosedTile - 2, kEnclosedTile - 1, kEnclosedTile}) {
    for (const std::uint64_t end :
         {kEnclosedTile - 1, kEnclosedTile, kEnclosedTile + 1, 2 * kEnclosedTile - 1,
          2 * kEnclosedTile, 2 * kEnclosedTile + 1, 3 * kEnclosedTile}) {
      for (const StackTag tag : {StackTag::close, StackTag::reset, StackTag::none}) {
        ++number;
        if (end <= open || (subset() && number % 5 != 0)) continue;
        Tags tags(n, 0);
        tags[open] = static_cast<std::uint8_t>(StackTag::open);
        tags[end] = static_cast<std::uint8_t>(tag);
        tags[n - 1] = static_cast<std::uint8_t>(StackTag::close);  // without an open, for many
        CAPTURE(open);
        CAPTURE(end);
        check(tags, {.monoid = StackMonoid::affine,
                     .kind = kKinds[number % 2],
                     .over = StackFoldOver::enclosed});
      }
    }
  }
}

TEST_CASE("stack_fold: over what brackets enclose, many tiles with few resets") {
  const std::uint32_t weights[][4] = {
      {20, 20, 5, 1}, {1000, 1000, 500, 1}, {1100, 1000, 100, 1}, {1000, 1100, 100, 1}};
  std::uint32_t seed = 0;
  for (const std::uint64_t tiles : {1, 2, 8, 9, 65, 90}) {
    for (const auto& w : weights) {
      ++seed;
      if (subset() && (tiles > 9 || seed % 3 != 0)) continue;
      const std::uint64_t n = tiles * kEnclosedTile - 1 + seed % 3;
      check(random_tags(n, seed, w[0], w[1], w[2], w[3]), {.monoid = StackMonoid::affine,
                                                           .kind = kKinds[seed % 2],
                                                           .over = StackFoldOver::enclosed});
    }
  }
}

TEST_CASE("stack_fold: over what brackets enclose, deep, and counts on the device") {
  const std::uint64_t n = subset() ? 20'000 : 300'000;
  Tags tags(n / 2, 1);
  tags.resize(n, 2);
  check(tags, {.monoid = StackMonoid::u32_add, .over = StackFoldOver::enclosed});
  check(random_tags(n, 12, 1, 1, 1),
        {.monoid = StackMonoid::affine, .over = StackFoldOver::enclosed});
  for (const std::uint64_t count :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{4097}, n - 1, ~std::uint64_t{1}}) {
    check(random_tags(n, 13, 1, 1, 1),
          {.kind = StackFoldKind::after, .over = StackFoldOver::enclosed, .device_count = count});
  }
}

TEST_CASE("stack_fold: over what brackets enclose, a small count of many has indirect grids") {
  constexpr std::uint64_t kMostDirect = 4096 * 4096;  // for matches, whose tiles are larger
  const Tags tags = random_tags(kMostDirect + 1, 14, 1, 1, 1);
  check(tags,
        {.monoid = StackMonoid::u32_add, .over = StackFoldOver::enclosed, .device_count = 3000});
}

}  // namespace vkprims::test

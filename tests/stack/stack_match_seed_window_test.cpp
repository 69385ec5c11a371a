// StackSchedule::seed_window: the stack monoid as published, and what keeps tiles going when others
// stall.
#include "spirv/stack_match_seed_window.hpp"

#include <set>
#include <string>

#include "blocks/lookback_setup.hpp"
#include "oracles/stack_match.hpp"
#include "stack/stack_match/seed_window.abi.h"
#include "stack/stack_tags.hpp"
#include "support/spirv_reader.hpp"

namespace vkprims::test {
namespace {

using namespace stack;

constexpr std::uint32_t kNeverDone = VKP_SEED_NEVER_DONE;

// Pairs of tiles leave one open, so that the back-links of each window show a cell or two more. The
// last tile of four, whose number is a multiple of 4, follows such links if the tile before it is
// DONE by then; the tiles before are LOCAL.
Tags adversary(std::uint64_t tile, std::uint64_t tiles) {
  const std::string four = "()" + repeat("(", tile - 2) + repeat(")", tile - 3) + "()(" + ")" +
                           repeat("(", tile - 1) + repeat(")", tile - 2) + "()";
  return tags_of(repeat(".", tile) + repeat(four, (tiles - 1) / 4));
}

// The sizes of tiles begin with the smallest one; one that two subgroups share is among them.
std::vector<std::uint32_t> tile_sizes() {
  return subset() ? std::vector<std::uint32_t>{4, 16} : std::vector<std::uint32_t>{4, 8, 16, 64};
}

struct Options {
  std::uint32_t tile = 16;
  StackInput input = StackInput::tags_u8;
  IndexWidth width = IndexWidth::u32;
  std::uint64_t offset = 0;                        // offset of the symbols, in elements
  std::uint64_t out_offset = 0;                    // offset of match
  std::uint64_t device_count = ~std::uint64_t{0};  // read on the device if given
  std::uint32_t faults = 0, period = 1, spin_limit = 3;
};

const Device& device_of(const Options& o) {
  return device({.stack_window_size = o.tile, .spin_limit = o.spin_limit},
                {.statistics = true, .faults = o.faults, .period = o.period});
}

// Fails unless the counters show that the faults did happen and every bound was kept.
void check_counters(const Counters& c, const Options& o, std::uint64_t n, bool resets) {
  const std::uint64_t tiles = (n + o.tile - 1) / o.tile, others = tiles ? tiles - 1 : 0;
  const auto multiples = [&](std::uint64_t count) { return (count + o.period - 1) / o.period; };
  CHECK(c[VKP_LOOKBACK_TICKET] == tiles);
  CHECK(c[VKP_LOOKBACK_TILES] == tiles);
  CHECK(c[VKP_LOOKBACK_DELAYS] == (o.faults & kDelayed ? 200 * multiples(tiles) : 0));
  CHECK(c[VKP_LOOKBACK_MOST_SPINS] <= o.spin_limit);
  // Every tile passes at least the tile before it.
  CHECK(c[VKP_LOOKBACK_WALKED] + c[VKP_LOOKBACK_FALLBACKS] >= others);
  if (o.faults & kForced) CHECK(c[VKP_LOOKBACK_FALLBACKS] >= others);
  if (o.faults & kSilent) CHECK(c[VKP_LOOKBACK_FALLBACKS] >= multiples(others));
  // If no tile becomes DONE, walks end at tile 0 or a reset.
  if (o.faults & kNeverDone && o.period == 1 && !resets) {
    CHECK(c[VKP_LOOKBACK_WALKED] + c[VKP_LOOKBACK_FALLBACKS] == tiles * others / 2);
  }
}

// Fails unless the results on the device are those of the oracle. Returns the counters.
Counters check(const Tags& tags, const Options& o = {}) {
  CAPTURE(tags.size());
  CAPTURE(o.tile);
  CAPTURE(static_cast<int>(o.input));
  CAPTURE(o.offset);
  CAPTURE(o.out_offset);
  CAPTURE(o.faults);
  CAPTURE(o.period);
  const Device& d = device_of(o);
  const std::uint64_t room = tags.size(), n = std::min<std::uint64_t>(room, o.device_count);
  const std::uint64_t index_size = size_of(o.width);
  const std::vector<std::uint64_t> want =
      oracle::stack_match(Tags(tags.begin(), tags.begin() + static_cast<std::ptrdiff_t>(n))).match;
  // These types are not compared by the call.
  Tags bytes(tags);
  std::vector<std::uint32_t> words, planes[2];
  for (std::uint64_t i = 0; i < room; ++i) {
    bytes[i] |= static_cast<std::uint8_t>(i % 61 << 2);
    words.push_back(tags[i] | static_cast<std::uint32_t>(i) << 2);
  }
  for (int p = 0; p < 2; ++p) {
    planes[p].assign((room + 31) / 32, 0);
    for (std::uint64_t i = 0; i < room; ++i) planes[p][i / 32] |= (tags[i] >> p & 1u) << i % 32;
  }
  const bool bits = o.input == StackInput::bits;
  const Guarded symbols = bits                             ? Guarded(planes[0], 4 * o.offset)
                          : o.input == StackInput::tags_u8 ? Guarded(bytes, o.offset)
                                                           : Guarded(words, 4 * o.offset);
  const Guarded closes(planes[1], 4 * o.out_offset);
  const Guarded match(room * index_size, o.out_offset * index_size);
  const auto count = device_count<std::uint64_t>(o.device_count);
  StackMatchDesc desc{.input = o.input,
                      .count = room,
                      .index_width = o.width,
                      .schedule = StackSchedule::seed_window};
  if (o.device_count != ~std::uint64_t{0}) {
    desc.count = {room, count.address(), CountWidth::u64};
  }
  const DirtyScratch scratch(stack_match_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_stack_match(cmd, d, desc,
                                      {.symbols = symbols.view(),
                                       .closes = bits ? closes.view() : BufferView{},
                                       .match = match.view(),
                                       .scratch = scratch.get()}));
  });
  if (o.width == IndexWidth::u64) {
    std::vector<std::uint64_t> got = match.read<std::uint64_t>(), expected(want);
    expected.resize(room, 0xcdcdcdcdcdcdcdcd);
    CHECK(difference(got, expected) == "");
  } else {
    std::vector<std::uint32_t> expected(want.begin(), want.end());
    expected.resize(room, 0xcdcdcdcd);
    CHECK(difference(match.read<std::uint32_t>(), expected) == "");
  }
  const bool indirect = desc.count.address && room > std::uint64_t{4096} * o.tile;
  Counters counters(kCounters);
  if (room) {
    const Counters all = scratch.words((indirect ? 4 : 0) + kCounters);
    counters.assign(all.end() - static_cast<std::ptrdiff_t>(kCounters), all.end());
  }
  check_counters(counters, o, n, std::count(tags.begin(), tags.end(), std::uint8_t{3}) != 0);
  return counters;
}

}  // namespace

TEST_CASE("stack_match seed_window: the examples of the stack monoid, as published") {
  for (const char* text :
       {"((()((())(()()))))", "(()(()()(()))()())", ")))(((()())((()(", "))(()(.)))((."}) {
    for (const std::uint32_t tile : tile_sizes()) check(tags_of(text), {.tile = tile});
  }
}

TEST_CASE("stack_match seed_window: tiles publish slices and windows as in the published example") {
  const Device& d = device({.stack_window_size = 4});
  const Tags tags = tags_of("((()((())(()()))))");
  const std::uint64_t tiles = 5;
  const auto in = context().upload(tags);
  const Guarded match(4 * tags.size());
  const StackMatchDesc desc{.count = tags.size(), .schedule = StackSchedule::seed_window};
  const DirtyScratch scratch(stack_match_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_stack_match(
        cmd, d, desc, {.symbols = in.view(), .match = match.view(), .scratch = scratch.get()}));
  });
  const std::vector<std::uint32_t> words = scratch.words(scratch.get().bytes / 4);
  const struct {
    std::uint32_t pops, pushes, depth;
    std::vector<std::uint32_t> window;
  } published[tiles] = {{0, 2, 2, {0, 1}},
                        {0, 2, 4, {0, 1, 4, 5}},
                        {1, 1, 4, {0, 1, 4, 9}},
                        {2, 0, 2, {0, 1}},
                        {2, 0, 0, {}}};
  const std::uint32_t* records = words.data() + VKP_LOOKBACK_HEADER_BYTES / 4;
  const std::uint32_t* cells = records + tiles * VKP_SEED_RECORD_BYTES / 4;
  for (std::uint64_t t = 0; t < tiles; ++t) {
    CAPTURE(t);
    const std::uint32_t* record = records + t * VKP_SEED_RECORD_BYTES / 4;
    const std::uint32_t* end = cells + 4 * (t + 1);
    CHECK(record[VKP_SEED_STATE] == 2);  // DONE
    CHECK(record[VKP_SEED_POPS] == published[t].pops);
    CHECK(record[VKP_SEED_PUSHES] == published[t].pushes);
    CHECK(record[VKP_SEED_DEPTH] == published[t].depth);
    CHECK(std::vector<std::uint32_t>(end - published[t].window.size(), end) == published[t].window);
  }
}

TEST_CASE(
    "stack_match seed_window: every string of up to 5 symbols, between no-ops and resets, at every "
    "place of a tile") {
  Tags all;
  for (std::uint32_t length = 1; length <= 5; ++length) {
    for (std::uint32_t s = 0; s < 1u << 2 * length; ++s) {
      for (std::uint32_t i = 0; i < length; ++i) all.push_back(s >> 2 * i & 3);
      for (std::uint32_t i = 0; i < s % 7; ++i) all.push_back(0);
      if (s % 3 == 0) all.push_back(3);
    }
  }
  for (const std::uint32_t tile : {4u, 8u, 16u}) {
    Tags shifted(all);
    for (std::uint32_t i = 0; i < tile; i += subset() ? 3 : 1) {
      check(shifted, {.tile = tile});
      shifted.insert(shifted.begin(), 1);
      if (subset()) shifted.insert(shifted.begin(), {1, 1});
    }
  }
}

TEST_CASE(
    "stack_match seed_window: random strings of every balance, with no-ops and resets, around the "
    "edges of tiles") {
  std::uint32_t seed = 1;
  for (const std::uint32_t tile : {4u, 16u, device().state()->tuning.stack_window_size}) {
    for (const StackInput input : {StackInput::tags_u8, StackInput::tags_u32, StackInput::bits}) {
      std::vector<std::uint64_t> counts = edge_counts(tile);
      for (const std::uint64_t more : {2 * tile - 1, 5 * tile, 37 * tile + 3}) {
        counts.push_back(more);
      }
      for (const std::uint64_t n : counts) {
        ++seed;
        const IndexWidth width = seed % 2 ? IndexWidth::u32 : IndexWidth::u64;
        check(random_tags(n, seed, 1, 1),
              {.tile = tile, .input = input, .offset = seed % 4, .out_offset = seed % 3});
        check(random_tags(n, seed, 3, 1 + seed % 4, seed % 5),
              {.tile = tile, .input = input, .width = width, .out_offset = seed % 2});
        check(random_tags(n, seed, 5, 6, seed % 9, seed % 2), {.tile = tile, .input = input});
      }
    }
  }
}

TEST_CASE("stack_match seed_window: tiles of every size that the device has") {
  for (std::uint32_t tile = 4; tile <= device().state()->largest_workgroup; tile *= 2) {
    const std::uint64_t n = 9 * tile + 3;
    check(random_tags(n, tile, 50, 49, 3), {.tile = tile, .input = StackInput::bits});
    check(random_tags(n, tile, 2, 3, 0, 1), {.tile = tile, .input = StackInput::bits});
    Tags up(n, 1);
    std::fill(up.begin() + 5 * tile, up.end(), std::uint8_t{2});
    check(up, {.tile = tile, .input = StackInput::bits});
  }
}

TEST_CASE("stack_match seed_window: views that begin at any element") {
  const Tags tags = random_tags(5 * 16 + 7, 4, 5, 4, 1, 1);
  for (std::uint64_t offset = 0; offset < 16; ++offset) {
    check(tags, {.offset = offset, .out_offset = offset % 5});
    check(tags, {.input = StackInput::tags_u32, .offset = offset});
  }
}

TEST_CASE("stack_match seed_window: as multi_pass, with many tiles") {
  const Device& d = device({.stack_window_size = 4});
  for (const auto& [opens, closes] : {std::pair{1u, 1u}, {50u, 49u}, {2u, 1u}, {1u, 2u}}) {
    // The largest case has more workgroups than the x dimension of a grid holds.
    const std::uint64_t n = opens == 50 ? 270'003 : 30'000;
    const Tags tags = random_tags(n, opens, opens, closes, 1);
    const auto in = context().upload(tags);
    std::vector<std::uint32_t> results[2];
    for (const bool seed : {false, true}) {
      const StackMatchDesc desc{
          .count = n, .schedule = seed ? StackSchedule::seed_window : StackSchedule::multi_pass};
      const Guarded match(4 * n);
      const DirtyScratch scratch(stack_match_scratch(d, desc));
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_stack_match(
            cmd, d, desc, {.symbols = in.view(), .match = match.view(), .scratch = scratch.get()}));
      });
      results[seed] = match.read<std::uint32_t>();
    }
    CHECK(difference(results[1], results[0]) == "");
  }
}

TEST_CASE("stack_match seed_window: all open, all close, up and down, saws") {
  for (const std::uint32_t tile : tile_sizes()) {
    for (const std::uint8_t tag : {0, 1, 2, 3}) check(Tags(20 * tile + 1, tag), {.tile = tile});
    Tags up(80 * tile, 1);
    std::fill(up.begin() + 40 * tile, up.end(), std::uint8_t{2});
    check(up, {.tile = tile});
    // While a tile is late, the tiles before it become DONE.
    CHECK(check(up, {.tile = tile, .faults = kDelayed, .period = 50})[VKP_SEED_LINKS] > 0);
    up[60 * tile + 1] = 3;
    check(up, {.tile = tile});
    for (const std::uint32_t period : {tile - 1, tile, tile + 1, 2 * tile, 5 * tile + 3}) {
      Tags saw;
      for (std::uint32_t i = 0; i < 40 * tile; ++i) saw.push_back(i / period % 2 ? 2 : 1);
      check(saw, {.tile = tile});
      check(saw, {.tile = tile, .faults = kNeverDone, .period = 3});
    }
  }
}

TEST_CASE("stack_match seed_window: brackets that make chains of back-links") {
  for (const std::uint32_t tile : {4u, 8u, 16u, 64u, 128u}) {
    const std::uint64_t tiles = 401;
    const Tags tags = adversary(tile, tiles);
    check(tags, {.tile = tile});
    const Counters late = check(tags, {.tile = tile, .faults = kDelayed, .period = 4});
    if (tile > 4) CHECK(late[VKP_SEED_LINKS] > 0);
    // Some links lead to tiles that never become DONE: the walk continues without them.
    const Counters refused =
        check(tags, {.tile = tile, .faults = kDelayed | kNeverDone, .period = 3});
    if (tile > 4) CHECK(refused[VKP_SEED_LINKS_REFUSED] > 0);
    check(tags, {.tile = tile, .faults = kSilent, .period = 3});
    Tags closed(tags);
    closed.resize(tags.size() + tiles, 2);
    check(closed, {.tile = tile, .faults = kNeverDone, .period = 7});
  }
}

TEST_CASE("stack_match seed_window: injected faults are survived and counted") {
  const std::uint32_t tile = 16;
  std::vector<Tags> all;
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{tile + 1}, std::uint64_t{997}}) {
    all.push_back(random_tags(n, 3, 1, 1));
    all.push_back(random_tags(n, 4, 9, 8, 2));
    all.push_back(random_tags(n, 5, 9, 11, 2, 1));
  }
  Tags up(60 * tile, 1);
  std::fill(up.begin() + 31 * tile, up.end(), std::uint8_t{2});
  all.push_back(up);
  all.push_back(adversary(tile, 101));
  const std::uint32_t most = kSilent | kDelayed | kShuffled | kNeverDone;
  for (const auto& [faults, period] : {std::pair{kSilent, 1u},
                                       {kSilent, 2u},
                                       {kSilent, 5u},
                                       {kNeverDone, 1u},
                                       {kNeverDone, 2u},
                                       {kDelayed | kShuffled, 4u},
                                       {kShuffled, 1000u},
                                       {kForced, 1u},
                                       {kForced | kNeverDone, 1u},
                                       {most, 3u},
                                       {most | kForced, 2u}}) {
    for (const Tags& tags : all) {
      check(tags, {.tile = tile, .faults = faults, .period = period, .spin_limit = 1});
    }
  }
}

TEST_CASE("stack_match seed_window: tiles alone take their symbols for the whole string") {
  for (const std::uint32_t tile : tile_sizes()) {
    const Device& d = device({.stack_window_size = tile}, {.faults = VKP_SEED_ALONE});
    const Tags tags = random_tags(50 * tile + 3, tile, 5, 4, 1, tile % 3);
    std::vector<std::uint32_t> want, stack(tile + 1);
    for (std::uint32_t at = 0; at < tags.size(); at += tile) {
      Tags part(tags.begin() + at,
                tags.begin() + std::min<std::ptrdiff_t>(at + tile, std::ssize(tags)));
      for (const std::uint64_t x : oracle::stack_match(part).match) {
        want.push_back(x == ~std::uint64_t{0} ? 0xffffffff : at + static_cast<std::uint32_t>(x));
      }
      std::vector<std::uint32_t> quick(part.size());
      oracle::match_in_order<std::uint8_t, std::uint32_t>(part, quick, stack, at);
      CHECK(std::equal(quick.begin(), quick.end(), want.begin() + at));
    }
    const auto in = context().upload(tags);
    const Guarded match(4 * tags.size());
    const StackMatchDesc desc{.count = tags.size(), .schedule = StackSchedule::seed_window};
    const DirtyScratch scratch(stack_match_scratch(d, desc));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_stack_match(
          cmd, d, desc, {.symbols = in.view(), .match = match.view(), .scratch = scratch.get()}));
    });
    CHECK(difference(match.read<std::uint32_t>(), want) == "");
    const std::vector<std::uint32_t> words = scratch.words(scratch.get().bytes / 4);
    CHECK(std::count(words.begin(), words.end(), 0xffffffff) == std::ssize(words));
  }
}

TEST_CASE("stack_match seed_window: the count may lie on the device, above the maximum or 0") {
  const std::uint64_t tile = 16;
  const Tags tags = random_tags(20 * tile, 6, 1, 1), wide = random_tags(5000 * tile, 7, 1, 1);
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{1}, tile, 2 * tile + 5, 20 * tile, 99 * tile}) {
    check(tags, {.device_count = n});
    check(wide, {.offset = 3, .device_count = n});  // its grid is indirect
  }
  check({}, {});
}

TEST_CASE("stack_match seed_window: right over and over, in the scratch of other symbols") {
  const Options setups[] = {
      {.tile = 8},
      {.tile = 16, .spin_limit = 1},
      {.tile = 16, .faults = kNeverDone, .period = 2, .spin_limit = 1},
      {.tile = 64, .faults = kSilent | kDelayed, .period = 3},
  };
  for (const Options& o : setups) {
    const Device& d = device_of(o);
    const std::uint64_t n = 25 * o.tile;
    const StackMatchDesc desc{.count = n, .schedule = StackSchedule::seed_window};
    const DirtyScratch scratch(stack_match_scratch(d, desc));
    const auto out = context().allocate<std::uint32_t>(n);
    struct Case {
      Buffer<std::uint8_t> in;
      std::vector<std::uint32_t> expected;
      Plan plan;
    };
    std::vector<Case> cases;
    for (const Tags& tags : {random_tags(n, 8, 7, 6), adversary(o.tile, 25), Tags(n, 1)}) {
      spy().clear();  // the plans never run without a barrier in between
      Case c;
      c.in = context().upload(tags);
      const std::vector<std::uint64_t> match = oracle::stack_match(tags).match;
      c.expected.assign(match.begin(), match.end());
      c.plan = context().record([&](Recorder& r) {
        r.commands([&](VkCommandBuffer cmd) {
          throw_if_error(record_stack_match(
              cmd, d, desc,
              {.symbols = c.in.view(), .match = out.view(), .scratch = scratch.get()}));
        });
      });
      CHECK(spy().hazards.hazards() == "");
      cases.push_back(std::move(c));
    }
    for (int round = 0; round < repeats(); ++round) {
      for (const Case& c : cases) {
        context().submit(c.plan).wait();
        REQUIRE(difference(context().download(out), c.expected) == "");
      }
    }
  }
}

TEST_CASE("stack_match seed_window: recorded twice and replayed") {
  const Device& d = device();
  const std::uint64_t n = 3000;
  const Tags tags = random_tags(n, 8, 7, 6);
  const std::vector<std::uint64_t> wide = oracle::stack_match(tags).match;
  const std::vector<std::uint32_t> want(wide.begin(), wide.end());
  const auto in = context().upload(tags);
  const Buffer<std::uint32_t> out[] = {context().allocate<std::uint32_t>(n),
                                       context().allocate<std::uint32_t>(n)};
  const StackMatchDesc desc{.count = n, .schedule = StackSchedule::seed_window};
  const DirtyScratch scratch(stack_match_scratch(d, desc));
  replay(
      d,
      [&] {
        for (const auto& o : out) context().write(o, std::vector<std::uint32_t>(n, 7));
      },
      [&](VkCommandBuffer cmd, int i) {
        return record_stack_match(
            cmd, d, desc, {.symbols = in.view(), .match = out[i].view(), .scratch = scratch.get()});
      },
      [&] {
        for (const auto& o : out) CHECK(context().download(o) == want);
      });
}

TEST_CASE("stack_match seed_window: warm_up compiles all that recording needs") {
  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device cold;
  throw_if_error(create_device(info, limits(), cold));
  const std::uint64_t tile = cold.state()->tuning.stack_window_size, room = 5000 * tile;
  const auto count = device_count<std::uint32_t>(5);
  const auto in = context().upload(random_tags(room, 9, 1, 1));
  const auto out = context().allocate<std::uint32_t>(room);
  const StackMatchDesc desc{.count = {room, count.address()},  // its grid is indirect
                            .schedule = StackSchedule::seed_window};
  const DirtyScratch scratch(stack_match_scratch(cold, desc));
  const StackMatchBuffers buffers{
      .symbols = in.view(), .match = out.view(), .scratch = scratch.get()};
  expect_error(Status::not_warmed, {"stack_match", "warm_up"},
               [&](VkCommandBuffer cmd) { return record_stack_match(cmd, cold, desc, buffers); });
  throw_if_error(warm_up(cold, desc));
  run([&](VkCommandBuffer cmd) { throw_if_error(record_stack_match(cmd, cold, desc, buffers)); });
}

TEST_CASE("stack_match seed_window: scratch does not shrink") {
  for (const VkDeviceAddress address : {0, 8}) {
    std::uint64_t last = 0;
    for (std::uint64_t n = 1; n < std::uint64_t{1} << 32; n *= 2) {
      const std::uint64_t bytes =
          stack_match_scratch(device(),
                              {.count = {n, address}, .schedule = StackSchedule::seed_window})
              .bytes;
      CHECK(bytes >= last);
      CHECK(bytes >= 4 * n);
      last = bytes;
    }
  }
  CHECK(stack_match_scratch(device(), {.schedule = StackSchedule::seed_window}).bytes == 0);
  CHECK(stack_match_scratch(device(), {.count = std::uint64_t{1} << 32,
                                       .index_width = IndexWidth::u64,
                                       .schedule = StackSchedule::seed_window})
            .bytes == 0);
}

TEST_CASE("stack_match seed_window: wrong input gets a message and records nothing") {
  const Device& d = device();
  const auto in = context().allocate<std::uint32_t>(100),
             other = context().allocate<std::uint32_t>(200),
             out = context().allocate<std::uint32_t>(100);
  const StackMatchDesc good{
      .input = StackInput::tags_u32, .count = 100, .schedule = StackSchedule::seed_window};
  const DirtyScratch scratch(stack_match_scratch(d, good));
  const StackMatchBuffers buffers{
      .symbols = in.view(), .match = out.view(), .scratch = scratch.get()};
  const auto expect = [&](std::initializer_list<const char*> words, const StackMatchDesc& desc,
                          const StackMatchBuffers& b) {
    expect_error(Status::invalid_argument, words,
                 [&](VkCommandBuffer cmd) { return record_stack_match(cmd, d, desc, b); });
  };
  StackMatchDesc desc = good;
  desc.schedule = static_cast<StackSchedule>(4);
  expect({"stack_match", "schedule is 4", "0 … 3"}, desc, buffers);
  desc = good;
  desc.count = std::uint64_t{1} << 32;
  desc.index_width = IndexWidth::u64;
  expect({"count.max is 4294967296", "2^32 - 1", "seed_window"}, desc, buffers);
  desc = good;
  desc.types = true;
  expect({"types", "seed_window"}, desc, buffers);
  StackMatchBuffers b = buffers;
  b.close_of = other.view();
  expect({"close_of", "seed_window"}, good, b);
  b = buffers;
  b.depth = other.view();
  expect({"depth", "seed_window"}, good, b);
  b = buffers;
  b.header = other.view();
  expect({"header", "seed_window"}, good, b);
  b = buffers;
  b.match = {};
  expect({"match.address is 0", "seed_window"}, good, b);
  b = buffers;
  b.closes = other.view();
  expect({"closes", "tags_u32"}, good, b);
  desc = good;
  desc.input = StackInput::bits;
  expect({"stack_match", "closes"}, desc, buffers);
  b = buffers;
  b.symbols.address += 2;
  expect({"symbols", "multiple of 4"}, good, b);
  b = buffers;
  b.match.bytes = 396;
  expect({"match", "396", "400"}, good, b);
  b = buffers;
  b.match = in.view();
  expect({"symbols", "match"}, good, b);
  b = buffers;
  b.scratch = {};
  expect({"stack_match", "scratch"}, good, b);
}

TEST_CASE("stack_match seed_window: sizes of tiles out of range are refused") {
  for (const std::uint32_t size : {2u, 2048u, 24u}) {
    DeviceInfo info = device().state()->info;
    info.tuning.stack_window_size = size;
    Device d;
    const Status status = create_device(info, limits(), d);
    CHECK(status.code() == Status::invalid_argument);
    CHECK(std::string(status.message()).find("stack_window_size is " + std::to_string(size)) !=
          std::string::npos);
  }
}

TEST_CASE("stack_match seed_window: states go by release and acquire, cells are non-private") {
  using R = SpirvReader;
  const R module(spirv::stack_match_seed_window);
  CHECK(module.non_private_accesses() > 0);
  std::set<std::uint32_t> ordered;
  for (const R::Atomic& atomic : module.atomics) {
    CHECK(atomic.scope == R::kQueueFamilyScope);
    if (atomic.semantics != R::kRelaxed) ordered.insert(atomic.op);
  }
  CHECK(ordered == std::set<std::uint32_t>{R::kOpAtomicLoad, R::kOpAtomicStore});
}

}  // namespace vkprims::test

// StackSchedule::look_back with injected faults and in many repetitions.
#include "stack/stack_match_check.hpp"

namespace vkprims::test {
namespace {

using namespace stack;

constexpr std::uint32_t kWideLevels = 1;  // value of Setup::stack_short_count

// Returns brackets of `tiles` tiles whose answers lie in other tiles, some of them behind resets.
std::vector<Tags> strings(const Device& d, std::uint64_t tiles) {
  const std::uint64_t n = (tiles - 1) * tile_of(d) + 77, half = n / 2;
  std::vector<Tags> all = {random_tags(n, 31, 1, 1), random_tags(n, 32, 50, 49, 3),
                           random_tags(n, 33, 49, 50, 3)};
  for (std::uint64_t i = n / 3; i < n; i += n / 5) all.back()[i] = 3;
  Tags up(n, 1);
  std::fill(up.begin() + static_cast<std::ptrdiff_t>(half), up.end(), std::uint8_t{2});
  all.push_back(up);
  all.push_back(Tags(n, 2));
  return all;
}

}  // namespace

TEST_CASE("stack_match look_back: injected faults are survived and counted") {
  const Setup setups[] = {
      {},
      {.word32 = true},
      {.order = TileOrder::workgroup},
      {.faults = kSilent, .period = 1},
      {.faults = kSilent, .period = 2, .spin_limit = 1},
      {.faults = kSilent, .period = 3, .word32 = true, .stack_short_count = kWideLevels},
      {.faults = kDelayed | kShuffled, .period = 4},
      {.faults = kShuffled, .period = 1000, .spin_limit = 1},
      {.faults = kShuffled | kForced, .period = 8, .order = TileOrder::workgroup},
      {.faults = kForced},
      {.faults = kForced, .word32 = true},
      {.faults = kForced, .stack_short_count = kWideLevels},
      {.faults = kForced, .word32 = true, .stack_short_count = kWideLevels},
      {.faults = kAllFaults, .period = 3},
      {.faults = kAllFaults, .period = 2, .word32 = true, .spin_limit = 1},
  };
  std::uint32_t number = 0;
  for (const Setup& setup : setups) {
    const std::string text = text_of(setup);
    CAPTURE(text);
    const Device& d = device_for(setup);
    // Kernels take long to compile: each setup has few outputs and another input.
    const Options o{.device = &d,
                    .input = StackInput(number++ % 3),
                    .close_of = false,
                    .header = false,
                    .schedules = {StackSchedule::look_back}};
    for (const std::uint64_t tiles : {std::uint64_t{2}, std::uint64_t{41}}) {
      for (const Tags& tags : strings(d, tiles)) {
        const Counters counters = check(tags, o);
        CHECK(counters[VKP_LOOKBACK_TILES] == tiles);
        check_counters(counters, setup, tiles);
        if (setup.faults & (kSilent | kForced)) CHECK(counters[VKP_LOOKBACK_FALLBACKS] > 0);
        if (setup.faults & kSilent) CHECK(counters[VKP_LOOKBACK_INSERTIONS] > 0);
        if (setup.faults & kDelayed) CHECK(counters[VKP_LOOKBACK_DELAYS] > 0);
      }
    }
    if (subset() && number == 6) break;
  }
}

TEST_CASE("stack_match look_back: all outputs with faults, views that begin at any element") {
  const Setup setup{.faults = kForced | kSilent, .period = 2};
  const Device& d = device_for(setup);
  const Tags tags = random_tags(9 * tile_of(d) - 17, 34, 9, 8, 2);
  for (const StackInput input : {StackInput::tags_u8, StackInput::tags_u32}) {
    for (std::uint64_t offset = 1; offset < 16; offset += 5) {
      const Counters counters = check(tags, {.device = &d,
                                             .input = input,
                                             .offset = offset,
                                             .out_offset = offset % 3,
                                             .schedules = {StackSchedule::look_back}});
      check_counters(counters, setup, 9);
      CHECK(counters[VKP_LOOKBACK_FALLBACKS] > 0);
    }
  }
}

TEST_CASE("stack_match look_back: tiles past a count that lies on the device take no ticket") {
  const Device& d = device_for({});
  const std::uint64_t tile = tile_of(d);
  Options o{
      .device = &d, .close_of = false, .header = false, .schedules = {StackSchedule::look_back}};
  const Tags tags = random_tags(20 * tile, 35, 1, 1), many = random_tags(4200 * tile, 36, 50, 49);
  for (const std::uint64_t tiles : {0, 1, 7, 20}) {
    o.device_count = tiles * tile;
    CHECK(check(tags, o)[VKP_LOOKBACK_TICKET] == tiles);
  }
  o.device_count = 9 * tile;
  CHECK(check(many, o)[VKP_LOOKBACK_TICKET] == 9);  // its grid is indirect
}

TEST_CASE("stack_match look_back: right over and over, in the scratch of other symbols") {
  const Setup setups[] = {
      {},
      {.word32 = true, .spin_limit = 1},
      {.faults = kSilent, .period = 2, .spin_limit = 1},
      {.faults = kAllFaults, .period = 3, .word32 = true, .stack_short_count = kWideLevels},
  };
  for (const Setup& setup : setups) {
    const std::string text = text_of(setup);
    CAPTURE(text);
    const Device& d = device_for(setup);
    struct Case {
      Buffer<std::uint8_t> in;
      std::vector<std::uint32_t> match;
      std::vector<std::uint64_t> header;
      Plan plan;
    };
    std::vector<Case> cases;
    const std::vector<Tags> all = strings(d, 17);
    const std::uint64_t n = all[0].size();
    const StackMatchDesc desc{.count = n, .schedule = StackSchedule::look_back};
    const DirtyScratch scratch(stack_match_scratch(d, desc));
    const auto out = context().allocate<std::uint32_t>(n);
    const auto header = context().allocate<std::uint64_t>(5);
    for (const Tags& tags : {all[1], all[2]}) {
      spy().clear();  // the plans never run without a barrier in between
      Case c;
      c.in = context().upload(tags);
      const oracle::StackMatch want = oracle::stack_match(tags);
      c.match.assign(want.match.begin(), want.match.end());
      const StackHeader& h = want.header;
      c.header = {h.count, h.unmatched_closes, h.unclosed_opens, h.deepest, kNoIndex};
      c.plan = context().record([&](Recorder& r) {
        r.commands([&](VkCommandBuffer cmd) {
          throw_if_error(record_stack_match(cmd, d, desc,
                                            {.symbols = c.in.view(),
                                             .match = out.view(),
                                             .header = header.view(),
                                             .scratch = scratch.get()}));
        });
      });
      CHECK(spy().hazards.hazards() == "");
      cases.push_back(std::move(c));
    }
    for (int round = 0; round < repeats(); ++round) {
      const Case& c = cases[static_cast<std::size_t>(round) % cases.size()];
      context().submit(c.plan).wait();
      REQUIRE(difference(context().download(out), c.match) == "");
      REQUIRE(context().download(header) == c.header);
    }
  }
}

}  // namespace vkprims::test

#include "blocks/lookback_setup.hpp"

#include <cstdlib>
#include <cstring>
#include <list>

#include "runtime/device_state.hpp"

namespace vkprims::test {
namespace {

// Says whether workgroups run one after another, in the order of their numbers.
bool runs_in_order() {
  const char* threads = std::getenv("LP_NUM_THREADS");
  return threads && std::strcmp(threads, "1") == 0 &&
         context().driver().find("llvmpipe") != std::string::npos;
}

}  // namespace

std::string text_of(const Setup& setup) {
  std::ostringstream text;
  text << "faults " << setup.faults << ", period " << setup.period
       << (setup.in_place ? ", in place" : "") << (setup.word32 ? ", 32-bit states" : "")
       << ", spin limit " << setup.spin_limit
       << (setup.order == TileOrder::workgroup ? ", by workgroup" : "") << ", rows " << setup.rows
       << (setup.stack_short_count ? ", levels of 64 bits" : "");
  return text.str();
}

const Device& device_for(const Setup& setup) {
  Tuning tuning = kTinyTiles;
  tuning.scan_rows = setup.rows;
  tuning.scan_batches = setup.rows;
  tuning.lookback_pause = 2;
  tuning.spin_limit = setup.spin_limit;
  tuning.tile_order = setup.order;
  tuning.stack_short_count = setup.stack_short_count;
  const Device& wide = device(tuning, {true, setup.faults, setup.period});
  if (!setup.word32) return wide;
  static std::list<std::pair<const Device*, Device>> narrow;
  for (const auto& entry : narrow) {
    if (entry.first == &wide) return entry.second;
  }
  DeviceInfo info = wide.state()->info;
  info.enabled.int64_atomics = false;
  narrow.emplace_back(&wide, Device());
  throw_if_error(create_device(info, wide.state()->hooks, narrow.back().second));
  observe(narrow.back().second);
  return narrow.back().second;
}

std::string text_of(const Counters& c) {
  std::ostringstream text;
  text << c[VKP_LOOKBACK_POLLS] << " polls, " << c[VKP_LOOKBACK_SPUN] << " in vain (at most "
       << c[VKP_LOOKBACK_MOST_SPINS] << " in a row), " << c[VKP_LOOKBACK_FALLBACKS]
       << " fallbacks, " << c[VKP_LOOKBACK_INSERTIONS] << " inserted, " << c[VKP_LOOKBACK_OVERTAKEN]
       << " overtaken, " << c[VKP_LOOKBACK_WALKED] << " states walked (at most "
       << c[VKP_LOOKBACK_LONGEST] << " at once)";
  return text.str();
}

void check_counters(const Counters& c, const Setup& setup, std::uint64_t tiles) {
  const std::string counted = text_of(c);
  CAPTURE(counted);
  const std::uint64_t others = tiles - 1;  // tiles that have one before them
  const auto multiples = [&](std::uint64_t n) { return (n + setup.period - 1) / setup.period; };
  const bool shuffled = setup.faults & kShuffled;
  const std::uint64_t forced = setup.faults & kForced ? others : 0;
  const bool any_silent = setup.faults & kSilent;
  // In place, silent tiles publish in the end, and a workgroup that recomputes one may be too late
  // to insert it.
  const std::uint64_t silent = any_silent && !setup.in_place ? multiples(others) : 0;
  const std::uint64_t polls = c[VKP_LOOKBACK_POLLS], spun = c[VKP_LOOKBACK_SPUN],
                      fallbacks = c[VKP_LOOKBACK_FALLBACKS], walked = c[VKP_LOOKBACK_WALKED],
                      inserted = c[VKP_LOOKBACK_INSERTIONS], longest = c[VKP_LOOKBACK_LONGEST],
                      overtaken = c[VKP_LOOKBACK_OVERTAKEN], most = c[VKP_LOOKBACK_MOST_SPINS];

  // Every tile was taken once, by a workgroup that had work.
  CHECK(c[VKP_LOOKBACK_TICKET] == (setup.order == TileOrder::ticket ? tiles : 0));
  CHECK(c[VKP_LOOKBACK_DELAYS] == (setup.faults & kDelayed ? 200 * multiples(tiles) : 0));

  // No read spins past its bound: reads in vain end in a find or, after spin_limit, in a fallback.
  REQUIRE(fallbacks >= forced);
  REQUIRE(polls >= spun);
  const std::uint64_t gave_up = fallbacks - forced, finds = polls - spun;
  CHECK(most <= setup.spin_limit);
  CHECK(spun >= setup.spin_limit * gave_up);
  CHECK(spun <= setup.spin_limit * gave_up + (setup.spin_limit - 1) * finds);
  CHECK((gave_up > 0 ? most == setup.spin_limit : true));

  // Each find consumes at least one state. Each tile consumes all tiles before it, by states and by
  // fallbacks, or meets a prefix.
  CHECK(walked >= finds);
  CHECK(walked <= finds * context().device().state()->subgroup_size);
  CHECK(walked + fallbacks >= others);
  CHECK(walked + fallbacks <= tiles * others / 2);
  CHECK(longest <= walked);
  CHECK(longest <= others);
  CHECK((longest > 0) == (walked > 0));

  // A tile is inserted at most once and the last one never; every silent tile must be inserted.
  CHECK(inserted <= others);
  CHECK(inserted >= silent);
  CHECK(inserted + overtaken <= fallbacks);
  CHECK((setup.in_place || overtaken == 0));
  CHECK(fallbacks >= silent);
  if (any_silent && setup.period == 1) {  // no tile has a prefix: all walk to the start
    CHECK(walked + fallbacks == tiles * others / 2);
    CHECK((setup.in_place || inserted == others));
  }

  if (!runs_in_order()) return;
  if (shuffled && !forced && !any_silent) {  // the first of each run does the others' work
    CHECK(fallbacks == tiles - multiples(tiles));
    CHECK(inserted == fallbacks);
  } else if (!shuffled) {
    CHECK(gave_up == (forced ? 0 : silent));
    CHECK(inserted == silent);
    CHECK(overtaken == (setup.in_place ? forced : 0));
  }
  if (!shuffled && !forced && !any_silent) {  // the tile before is always done
    CHECK(walked == others);
    CHECK(polls == others);
  }
}

}  // namespace vkprims::test

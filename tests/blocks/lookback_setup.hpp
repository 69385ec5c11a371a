// Look-backs under test: Devices that inject faults, and checks of the scratch afterwards.
#pragma once

#include <vector>

#include "support/support.hpp"
#include "vkprims/device/lookback.h"

namespace vkprims::test {

inline constexpr std::uint32_t kSilent = VKP_LOOKBACK_SILENT, kDelayed = VKP_LOOKBACK_DELAYED,
                               kShuffled = VKP_LOOKBACK_SHUFFLED, kForced = VKP_LOOKBACK_FORCED;
inline constexpr std::uint32_t kAllFaults = kSilent | kDelayed | kShuffled | kForced;

// Tags of states, as lookback_state.glsl defines them.
inline constexpr std::uint32_t kEmptyTag = 0, kFallbackTag = 1, kOwnerTag = 2;

/// The conditions that a look-back is tested under.
struct Setup {
  std::uint32_t faults = 0;
  std::uint32_t period = 1;
  bool in_place = false;
  bool word32 = false;  // states of 32-bit words, as on a device without 64-bit atomics
  std::uint32_t spin_limit = 8;
  TileOrder order = TileOrder::ticket;
  std::uint32_t rows = 1;               // scan_rows and scan_batches of Tuning
  std::uint32_t stack_short_count = 0;  // as in Tuning
};

std::string text_of(const Setup& setup);

/// Returns a Device with small tiles and counters for a setup. It is made once.
const Device& device_for(const Setup& setup);

/// The counters in the header of a look-back's scratch.
using Counters = std::vector<std::uint32_t>;
inline constexpr std::uint64_t kCounters = VKP_LOOKBACK_HEADER_BYTES / 4;

std::string text_of(const Counters& counters);

/// Fails unless the counters of a look-back over `tiles` tiles show that the faults did happen and
/// that every bound was kept, whatever the schedule.
void check_counters(const Counters& counters, const Setup& setup, std::uint64_t tiles);

/// The states in the scratch of a look-back.
class States {
 public:
  States(const DirtyScratch& scratch, bool wide, std::uint32_t element_words, std::uint64_t bytes)
      : words_(scratch.words(bytes / 4)),
        wide_(wide),
        states_(wide ? element_words : 2 * element_words),
        slot_words_(VKP_LOOKBACK_SLOT_BYTES(element_words) / 4),
        max_tiles_((bytes - VKP_LOOKBACK_HEADER_BYTES) / VKP_LOOKBACK_SLOT_BYTES(element_words)) {}
  std::uint64_t max_tiles() const { return max_tiles_; }

  struct Value {
    std::vector<std::uint32_t> tags;
    std::vector<std::uint32_t> words;
    bool all(std::uint32_t tag) const {
      return std::all_of(tags.begin(), tags.end(), [&](std::uint32_t t) { return t == tag; });
    }
  };
  Value aggregate(std::uint64_t tile) const { return value(0, tile); }
  Value prefix(std::uint64_t tile) const { return value(states_, tile); }

 private:
  Value value(std::uint64_t first, std::uint64_t tile) const {
    Value v;
    const std::uint32_t* slot = words_.data() + VKP_LOOKBACK_HEADER_BYTES / 4 + tile * slot_words_;
    for (std::uint64_t i = 0; i < states_; ++i) {
      const std::uint64_t at = first + i;
      if (wide_) {
        v.words.push_back(slot[2 * at]);
        v.tags.push_back(slot[2 * at + 1]);
      } else {
        v.tags.push_back(slot[at] >> 16);
        if (i % 2 == 0) v.words.push_back(0);
        v.words.back() |= (slot[at] & 0xffff) << (16 * (i % 2));
      }
    }
    return v;
  }

  std::vector<std::uint32_t> words_;
  bool wide_;
  std::uint64_t states_;
  std::uint64_t slot_words_;
  std::uint64_t max_tiles_;
};

/// Setups with tiles that never publish, and with late and shuffled ones. Subset runs use states of
/// 64 bits only, because devices without 64-bit atomics use the others anyway.
inline std::vector<Setup> late_setups() {
  std::vector<Setup> setups{{.faults = kSilent}, {.faults = kDelayed | kShuffled, .period = 3}};
  if (!subset()) setups.push_back({.faults = kSilent, .word32 = true});
  return setups;
}

}  // namespace vkprims::test

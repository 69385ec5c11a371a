// Checks all schedules of stack_match against the oracle.
#pragma once

#include <cstring>
#include <string>

#include "blocks/lookback_setup.hpp"
#include "oracles/stack_match.hpp"
#include "stack/stack_match_plan.hpp"
#include "stack/stack_tags.hpp"

namespace vkprims::test::stack {

struct Options {
  const Device* device = &test::device();
  StackInput input = StackInput::tags_u8;
  IndexWidth width = IndexWidth::u32;
  std::uint64_t offset = 0;      // offset of the symbols, in elements
  std::uint64_t out_offset = 0;  // offset of match
  bool match = true, close_of = true, depth = true, header = true;
  bool types = false;
  std::uint64_t device_count = ~std::uint64_t{0};  // read on the device if given
  std::vector<StackSchedule> schedules = {StackSchedule::multi_pass, StackSchedule::look_back};
};

// The symbols on the device, in their storage format, and the outputs that are expected.
struct StackViews {
  StackMatchBuffers symbols;
  oracle::StackMatch want;
  std::uint64_t room, n;
};

// Fails unless the results of a schedule are those of the oracle. Returns the counters of a
// look-back.
inline Counters check_schedule(const StackViews& in, const Options& o, StackMatchDesc desc,
                               StackSchedule schedule) {
  CAPTURE(static_cast<int>(schedule));
  desc.schedule = schedule;
  const std::uint64_t index_size = size_of(o.width), room = in.room, n = in.n;
  const Guarded match(o.match ? room * index_size : 0, o.out_offset * index_size);
  const Guarded close_of(o.close_of ? room * index_size : 0, o.offset * index_size);
  const Guarded depth(o.depth ? room * index_size : 0, o.offset * index_size);
  const Guarded header(o.header ? sizeof(StackHeader) : 0, 8);
  const DirtyScratch scratch(stack_match_scratch(*o.device, desc));
  const auto wanted = [](const Guarded& g, bool want_it) {
    return want_it ? g.view() : BufferView{};
  };
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_stack_match(cmd, *o.device, desc,
                                      {.symbols = in.symbols.symbols,
                                       .closes = in.symbols.closes,
                                       .match = wanted(match, o.match),
                                       .close_of = wanted(close_of, o.close_of),
                                       .depth = wanted(depth, o.depth),
                                       .header = wanted(header, o.header),
                                       .scratch = scratch.get()}));
  });
  const auto check_indices = [&](const char* name, const Guarded& got,
                                 std::vector<std::uint64_t> expected) {
    CAPTURE(std::string(name));
    if (o.width == IndexWidth::u64) {
      std::vector<std::uint64_t> all = got.read<std::uint64_t>();
      CHECK(std::count(all.begin() + static_cast<std::ptrdiff_t>(n), all.end(),
                       0xcdcdcdcdcdcdcdcd) == static_cast<std::ptrdiff_t>(room - n));
      all.resize(n);
      CHECK(difference(all, expected) == "");
      return;
    }
    std::vector<std::uint32_t> all = got.read<std::uint32_t>();
    CHECK(std::count(all.begin() + static_cast<std::ptrdiff_t>(n), all.end(), 0xcdcdcdcd) ==
          static_cast<std::ptrdiff_t>(room - n));
    all.resize(n);
    CHECK(difference(all, std::vector<std::uint32_t>(expected.begin(), expected.end())) == "");
  };
  if (o.match) check_indices("match", match, in.want.match);
  if (o.close_of) check_indices("close_of", close_of, in.want.close_of);
  if (o.depth) check_indices("depth", depth, in.want.depth);
  if (o.header) {
    const std::vector<std::uint64_t> got = header.read<std::uint64_t>();
    const StackHeader& h = in.want.header;
    CHECK(got == std::vector<std::uint64_t>{h.count, h.unmatched_closes, h.unclosed_opens,
                                            h.deepest, h.first_mismatch});
  }
  if (schedule != StackSchedule::look_back || room == 0) return Counters(kCounters);
  const Counters words = scratch.words(VKP_STACK_STATES_OFFSET / 4 + kCounters);
  return {words.begin() + VKP_STACK_STATES_OFFSET / 4, words.end()};
}

// Fails unless the results on the device are those of the oracle, with each schedule. Returns the
// counters of the last one.
inline Counters check(const Tags& tags, const Options& o = {}) {
  CAPTURE(tags.size());
  CAPTURE(static_cast<int>(o.input));
  CAPTURE(o.offset);
  CAPTURE(o.out_offset);
  const std::uint64_t room = tags.size(), n = std::min<std::uint64_t>(room, o.device_count);
  Tags some(tags.begin(), tags.begin() + static_cast<std::ptrdiff_t>(n));
  oracle::StackMatch want = oracle::stack_match(some);
  if (!o.types) want.header.first_mismatch = kNoIndex;

  std::vector<std::uint32_t> words(room), planes[2];
  // The types are those of `tags`, or arbitrary if types are not compared.
  for (std::uint64_t i = 0; i < room; ++i) {
    words[i] = o.types ? tags[i] : tags[i] | static_cast<std::uint32_t>(i) << 2;
  }
  for (int p = 0; p < 2; ++p) {
    planes[p].assign((room + 31) / 32, 0);
    for (std::uint64_t i = 0; i < room; ++i) planes[p][i / 32] |= (tags[i] >> p & 1u) << i % 32;
  }
  Tags typed(tags);
  for (std::uint64_t i = 0; i < room && !o.types; ++i)
    typed[i] |= static_cast<std::uint8_t>(i % 61 << 2);
  const bool bits = o.input == StackInput::bits;
  const Guarded bytes_in(typed, o.offset), words_in(words, 4 * o.offset),
      opens_in(planes[0], 4 * o.offset), closes_in(planes[1], 4 * o.out_offset);
  const Guarded& symbols = bits ? opens_in : o.input == StackInput::tags_u8 ? bytes_in : words_in;
  const auto count = device_count<std::uint64_t>(o.device_count);
  StackMatchDesc desc{.input = o.input, .count = room, .index_width = o.width, .types = o.types};
  if (o.device_count != ~std::uint64_t{0}) {
    desc.count.address = count.address();
    desc.count.width = CountWidth::u64;
  }
  const StackViews in{
      {.symbols = symbols.view(), .closes = bits ? closes_in.view() : BufferView{}}, want, room, n};
  Counters counters;
  for (const StackSchedule schedule : o.schedules) {
    counters = check_schedule(in, o, desc, schedule);
  }
  return counters;
}

// The number of symbols of a tile, counting items without a symbol.
inline std::uint64_t tile_of(const Device& d) {
  return std::uint64_t{stack_plan(*d.state(), 1, VKP_STACK_MAX_BLOCKS).workgroup_size} *
         VKP_STACK_BLOCK;
}

}  // namespace vkprims::test::stack

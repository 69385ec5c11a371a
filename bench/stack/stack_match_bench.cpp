// Benchmark rows of stack_match.
#include <chrono>
#include <stdexcept>

#include "harness.hpp"
#include "oracles/stack_match.hpp"
#include "runtime/device_hooks.hpp"
#include "stack/stack_match/seed_window.abi.h"
#include "vkprims/stack_match.hpp"

namespace vkprims::bench {
namespace {

enum class Nesting {
  random,     // opens and closes by chance
  up_down,    // all open, then all close
  closes,     // all close
  saw,        // 4,096 up, 4,096 down: near the size of a tile
  bushy,      // depth around 1,000 everywhere
  survivors,  // tiles of 4,096 leave one open each, then all are closed, repeatedly
  waves,      // from 0 up to a depth and down again, three steps forward and one back
  // Pairs of tiles of 4,096 that leave one open each, with ups and downs in between. Slices of the
  // stack and back-links take most steps here.
  adversary,
};

struct Shape {
  Nesting nesting = Nesting::random;
  StackInput input = StackInput::tags_u8;
  bool close_of = false, header = false;
  StackSchedule schedule = StackSchedule::automatic;
  std::uint32_t none_percent = 0;  // of the symbols, by chance
  std::uint64_t depth = 0;         // of waves
  std::uint32_t window = 0;        // size of a tile of seed_window; 0: from the tuning table
  bool alone = false;              // only what a tile of it finds in itself
};

std::vector<std::uint8_t> tags_of(const Shape& shape, std::uint64_t n) {
  std::vector<std::uint8_t> tags(n);
  std::uint64_t depth = 0;
  bool up = true;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint32_t random = mix_bits(i);
    std::uint8_t tag = 1 + (random >> 7 & 1);
    switch (shape.nesting) {
      case Nesting::random:
        break;
      case Nesting::up_down:
        tag = i < n / 2 ? 1 : 2;
        break;
      case Nesting::closes:
        tag = 2;
        break;
      case Nesting::saw:
        tag = i / 4096 % 2 ? 2 : 1;
        break;
      case Nesting::bushy:
        if (depth < 500) tag = 1;
        if (depth > 1500) tag = 2;
        depth += tag == 1 ? 1 : -1;
        break;
      case Nesting::survivors: {
        const std::uint64_t at = i % 4096, tile = i / 4096 % 128;
        tag = tile == 127 ? (at < 127 ? 2 : 0) : at == 0 ? 1 : at % 2 ? 1 : 2;
        if (tile != 127 && at == 4095) tag = 0;
        break;
      }
      case Nesting::waves:
        if (depth == 0) up = true;
        if (depth == shape.depth) up = false;
        tag = up == (depth == 0 || depth == shape.depth || random >> 7 & 3) ? 1 : 2;
        depth += tag == 1 ? 1 : -1;
        break;
      case Nesting::adversary: {
        const std::uint64_t at = i % 4096, left = 4095 - at;
        const bool opens[] = {at != 1, left == 2 || left == 0, at != 0, left == 1};
        tag = opens[i / 4096 % 4] ? 1 : 2;
        break;
      }
    }
    tags[i] = (random >> 9) % 100 < shape.none_percent ? 0 : tag;
  }
  return tags;
}

struct StackMatch {
  Buffer<std::uint32_t> symbols, closes, match, close_of;
  Buffer<std::uint64_t> header;
  Session::ScratchBlock scratch;
  StackMatchDesc desc;
  StackMatchBuffers buffers;
  Device own;  // for another tuning than the session's
};

// Makes a Device whose tiles of seed_window have another size, or look at nothing but themselves.
Device device_of(Session& session, const Shape& shape) {
  Context& context = session.context();
  DeviceInfo info{.instance = context.instance(),
                  .physical_device = context.physical_device(),
                  .device = context.vk_device(),
                  .get_instance_proc_addr = context.get_instance_proc_addr(),
                  .enabled = session.device().features(),
                  .tuning = session.tuning()};
  DeviceHooks hooks;
  if (shape.alone) hooks.lookback.faults = VKP_SEED_ALONE;
  info.tuning.stack_window_size = shape.window;
  Device device;
  const Status status = create_device(info, hooks, device);
  // Devices with other limits can hold such a tile.
  if (status == Status::invalid_argument) {
    throw Error(Status::error(Status::unsupported, "%s", status.message()));
  }
  throw_if_error(status);
  return device;
}

// The tags in the form in which they are stored, in words.
std::vector<std::uint32_t> stored(const std::vector<std::uint8_t>& tags, StackInput input,
                                  std::uint32_t plane) {
  const std::uint64_t n = tags.size();
  const std::uint32_t per_word = input == StackInput::tags_u32  ? 1
                                 : input == StackInput::tags_u8 ? 4
                                                                : 32;
  std::vector<std::uint32_t> words((n + per_word - 1) / per_word);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint32_t x = per_word == 32 ? tags[i] >> plane & 1u : tags[i];
    words[i / per_word] |= x << (i % per_word * (32 / per_word));
  }
  return words;
}

// The oracle's match. If each tile is a string of its own, it is that of the tiles.
std::vector<std::uint32_t> matches_of(const Shape& shape, std::uint64_t n) {
  const std::vector<std::uint8_t> tags = tags_of(shape, n);
  std::vector<std::uint32_t> match(n);
  const std::uint64_t part = shape.alone ? shape.window : n;
  std::vector<std::uint32_t> stack(part + 1);
  for (std::uint64_t at = 0; at < n; at += part) {
    const std::uint64_t size = std::min(part, n - at);
    oracle::match_in_order<std::uint8_t, std::uint32_t>({&tags[at], size}, {&match[at], size},
                                                        stack, static_cast<std::uint32_t>(at));
  }
  return match;
}

Case make_stack_match(Session& session, std::uint64_t n, const Shape& shape) {
  Context& context = session.context();
  auto c = std::make_shared<StackMatch>();
  if (shape.window) c->own = device_of(session, shape);
  const Device* device = shape.window ? &c->own : &session.device();
  const bool bits = shape.input == StackInput::bits;
  {
    const std::vector<std::uint8_t> tags = tags_of(shape, n);
    c->symbols = context.upload(stored(tags, shape.input, 0));
    if (bits) c->closes = context.upload(stored(tags, shape.input, 1));
  }
  c->match = session.allocate<std::uint32_t>(n);
  if (shape.close_of) c->close_of = session.allocate<std::uint32_t>(n);
  c->header = session.allocate<std::uint64_t>(5);
  c->desc = {.input = shape.input, .count = n, .schedule = shape.schedule};
  c->scratch = session.allocate_scratch(stack_match_scratch(*device, c->desc));
  c->buffers = {
      .symbols = c->symbols.view(), .match = c->match.view(), .scratch = c->scratch.scratch};
  if (bits) c->buffers.closes = c->closes.view();
  if (shape.close_of) c->buffers.close_of = c->close_of.view();
  if (shape.header) c->buffers.header = c->header.view();

  Case result;
  result.items = n;
  const std::uint64_t in_bits = bits ? 2 : shape.input == StackInput::tags_u8 ? 8 : 32;
  result.ideal_bytes = n * in_bits / 8 + n * 4 * (shape.close_of ? 2 : 1);
  result.record = [c, device](VkCommandBuffer cmd) {
    return record_stack_match(cmd, *device, c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    const std::string wrong =
        first_difference(session.context().download(c->match), matches_of(shape, n));
    if (!wrong.empty() || !shape.close_of) return wrong;
    const oracle::StackMatch want = oracle::stack_match(tags_of(shape, n));
    const std::vector<std::uint32_t> close_of(want.close_of.begin(), want.close_of.end());
    const std::string partner = first_difference(session.context().download(c->close_of), close_of);
    return partner.empty() ? partner : "close_of: " + partner;
  };
  return result;
}

Row stack_match_row(const char* name, bool main, Shape shape) {
  return {.name = name,
          .bytes_per_item = 14,
          .main = main,
          .sizes = {1 << 16, 1 << 20, 1 << 24, 1 << 26},
          .make = [shape](Session& s, std::uint64_t n) { return make_stack_match(s, n, shape); }};
}

// A row that also has sizes at which latency does not matter.
Row large_row(const char* name, bool main, Shape shape) {
  Row row = stack_match_row(name, main, shape);
  row.sizes.push_back(1 << 28);
  return row;
}

Row depth_row(std::uint64_t depth) {
  Row row =
      stack_match_row("stack_match/u8_depth_", false, {.nesting = Nesting::waves, .depth = depth});
  row.name += std::to_string(depth);
  std::erase_if(row.sizes, [&](std::uint64_t n) { return n < 2 * depth; });
  return row;
}

// The published scheme. --stack-window-size sets the size of its tiles.
Row seed_window_row(const char* name) {
  Row row = stack_match_row(name, false,
                            {.nesting = Nesting::random,
                             .input = StackInput::tags_u32,
                             .schedule = StackSchedule::seed_window});
  row.sizes = {1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24};
  return row;
}

// The published chart: tiles of every size, for the whole operation and for the reduction of tiles
// alone. tools/plot.py draws it.
Row window_row(std::uint32_t size, bool alone) {
  Row row = stack_match_row("stack_match/seed_window_", false,
                            {.nesting = Nesting::random,
                             .input = StackInput::tags_u32,
                             .schedule = StackSchedule::seed_window,
                             .window = size,
                             .alone = alone});
  row.name += std::to_string(size) + (alone ? "_local" : "_full");
  row.sizes = {1 << 20, 1 << 24};
  return row;
}

// Times one core of the host, to compare with u8_random.
HostTimes match_on_host(Session&, std::uint64_t n) {
  using Clock = std::chrono::steady_clock;
  const std::vector<std::uint8_t> tags = tags_of({.nesting = Nesting::random}, n);
  std::vector<std::uint32_t> match(n), stack(n + 1);
  HostTimes times{.items = n};
  const auto first = Clock::now();
  while (times.samples.size() < 3 ||
         (times.samples.size() < 41 && Clock::now() - first < std::chrono::milliseconds(300))) {
    const auto start = Clock::now();
    oracle::match_in_order<std::uint8_t, std::uint32_t>(tags, match, stack);
    times.samples.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  const std::vector<std::uint64_t> want = oracle::stack_match(tags).match;
  const std::string wrong = first_difference(match, {want.begin(), want.end()});
  if (!wrong.empty()) throw std::logic_error("cpu_sequential: " + wrong);
  return times;
}

std::vector<Row> sweeps() {
  std::vector<Row> rows;
  for (const int k : {0, 4, 8, 12, 16, 20, 24}) rows.push_back(depth_row(std::uint64_t{1} << k));
  for (std::uint32_t size = 32; size <= 1024; size *= 2) {
    for (const bool alone : {false, true}) rows.push_back(window_row(size, alone));
  }
  return rows;
}

const Register kRows({
    headline("stack", large_row("stack_match/u8_random", true, {Nesting::random})),
    large_row("stack_match/u32_random", true, {Nesting::random, StackInput::tags_u32}),
    large_row("stack_match/bits_random", false, {Nesting::random, StackInput::bits}),
    stack_match_row("stack_match/u8_half_none", false, {.none_percent = 50}),
    stack_match_row("stack_match/u8_none_90", false, {.none_percent = 90}),
    stack_match_row("stack_match/u8_none_99", false, {.none_percent = 99}),
    stack_match_row("stack_match/u8_up_down", true, {Nesting::up_down}),
    stack_match_row("stack_match/u8_closes", false, {Nesting::closes}),
    stack_match_row("stack_match/u8_saw", false, {Nesting::saw}),
    stack_match_row("stack_match/u8_bushy", false, {Nesting::bushy}),
    stack_match_row("stack_match/u8_survivors", false, {Nesting::survivors}),
    stack_match_row("stack_match/u8_adversary", false, {Nesting::adversary}),
    stack_match_row("stack_match/u8_random_all_outputs", false,
                    {Nesting::random, StackInput::tags_u8, true, true}),
    stack_match_row("stack_match/u8_random_look_back", false,
                    {.nesting = Nesting::random, .schedule = StackSchedule::look_back}),
    seed_window_row("stack_match/seed_window_u32_random"),
    {.name = "stack_match/cpu_sequential",
     .sizes = {1 << 16, 1 << 20, 1 << 24, 1 << 26},
     .host = match_on_host},
});
const Register kSweeps(sweeps());

}  // namespace
}  // namespace vkprims::bench

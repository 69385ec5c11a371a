#include "harness.hpp"
#include "oracles/stack_match.hpp"
#include "vkprims/stack_match.hpp"

namespace vkprims::bench {
namespace {

enum class Nesting {
  random,     // opens and closes by chance
  half_none,  // the same, every other symbol none
  up_down,    // all open, then all close
  closes,     // all close
  saw,        // 4,096 up, 4,096 down: near the size of a tile
  bushy,      // depth around 1,000 everywhere
  survivors,  // tiles of 4,096 that leave one open each; then all of these are closed, over and over
};

struct Shape {
  Nesting nesting;
  StackInput input = StackInput::tags_u8;
  bool close_of = false, header = false;
};

std::vector<std::uint8_t> tags_of(Nesting nesting, std::uint64_t n) {
  std::vector<std::uint8_t> tags(n);
  std::uint64_t depth = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint32_t random = mix_bits(i);
    std::uint8_t tag = 1 + (random >> 7 & 1);
    switch (nesting) {
      case Nesting::random:
        break;
      case Nesting::half_none:
        if (random >> 9 & 1) tag = 0;
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
    }
    tags[i] = tag;
  }
  return tags;
}

struct StackMatch {
  Buffer<std::uint32_t> symbols, closes, match, close_of;
  Buffer<std::uint64_t> header;
  Session::ScratchBlock scratch;
  StackMatchDesc desc;
  StackMatchBuffers buffers;
};

// Tags as they are stored, in words.
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

Case make_stack_match(Session& session, std::uint64_t n, const Shape& shape) {
  Context& context = session.context();
  auto c = std::make_shared<StackMatch>();
  const bool bits = shape.input == StackInput::bits;
  {
    const std::vector<std::uint8_t> tags = tags_of(shape.nesting, n);
    c->symbols = context.upload(stored(tags, shape.input, 0));
    if (bits) c->closes = context.upload(stored(tags, shape.input, 1));
  }
  c->match = session.allocate<std::uint32_t>(n);
  if (shape.close_of) c->close_of = session.allocate<std::uint32_t>(n);
  c->header = session.allocate<std::uint64_t>(5);
  c->desc = {.input = shape.input, .count = n};
  c->scratch = session.allocate_scratch(stack_match_scratch(session.device(), c->desc));
  c->buffers = {
      .symbols = c->symbols.view(), .match = c->match.view(), .scratch = c->scratch.scratch};
  if (bits) c->buffers.closes = c->closes.view();
  if (shape.close_of) c->buffers.close_of = c->close_of.view();
  if (shape.header) c->buffers.header = c->header.view();

  Case result;
  result.items = n;
  const std::uint64_t in_bits = bits ? 2 : shape.input == StackInput::tags_u8 ? 8 : 32;
  result.ideal_bytes = n * in_bits / 8 + n * 4 * (shape.close_of ? 2 : 1);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_stack_match(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    const oracle::StackMatch want = oracle::stack_match(tags_of(shape.nesting, n));
    const std::vector<std::uint32_t> match(want.match.begin(), want.match.end());
    const std::string wrong = first_difference(session.context().download(c->match), match);
    if (!wrong.empty() || !shape.close_of) return wrong;
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

const Register kRows({
    stack_match_row("stack_match/u8_random", true, {Nesting::random}),
    stack_match_row("stack_match/u32_random", true, {Nesting::random, StackInput::tags_u32}),
    stack_match_row("stack_match/bits_random", false, {Nesting::random, StackInput::bits}),
    stack_match_row("stack_match/u8_half_none", false, {Nesting::half_none}),
    stack_match_row("stack_match/u8_up_down", true, {Nesting::up_down}),
    stack_match_row("stack_match/u8_closes", false, {Nesting::closes}),
    stack_match_row("stack_match/u8_saw", false, {Nesting::saw}),
    stack_match_row("stack_match/u8_bushy", false, {Nesting::bushy}),
    stack_match_row("stack_match/u8_survivors", false, {Nesting::survivors}),
    stack_match_row("stack_match/u8_random_all_outputs", false,
                    {Nesting::random, StackInput::tags_u8, true, true}),
});

}  // namespace
}  // namespace vkprims::bench

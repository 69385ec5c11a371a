// Checks stack_fold against the oracle.
#pragma once

#include <limits>
#include <string>

#include "oracles/stack_fold.hpp"
#include "oracles/stack_match.hpp"
#include "stack/stack_tags.hpp"
#include "support/support.hpp"

namespace vkprims::test::stack_folds {

using namespace stack;

struct Options {
  const Device* device = nullptr;  // null: as device_for() says
  StackMonoid monoid = StackMonoid::rectangle_intersection;
  StackFoldKind kind = StackFoldKind::exclusive;
  StackFoldOver over = StackFoldOver::enclosing;
  StackInput input = StackInput::tags_u8;
  std::uint64_t offset = 0;        // offset of the symbols, in elements
  std::uint64_t value_offset = 0;  // offset of values and folds, in words
  std::uint64_t device_count = ~std::uint64_t{0};
};

template <class T>
struct Monoid {
  T identity;
  T (*combine)(T, T);
};
template <class T, class F>
Monoid<T> numbers(StackMonoid monoid, F&& f) {
  using Limits = std::numeric_limits<T>;
  const T highest = Limits::has_infinity ? Limits::infinity() : Limits::max();
  const T lowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  switch (static_cast<std::uint32_t>(monoid) % 3) {
    case 0:
      return {T(0), f};
    case 1:
      return {highest, [](T a, T b) { return b < a ? b : a; }};
    default:
      return {lowest, [](T a, T b) { return a < b ? b : a; }};
  }
}

inline bool operator==(const StackRectangle& a, const StackRectangle& b) {
  return a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1;
}
inline bool operator==(const StackAffine& a, const StackAffine& b) {
  return a.a == b.a && a.b == b.b && a.c == b.c && a.d == b.d && a.e == b.e && a.f == b.f;
}

template <class T>
T value_of(std::uint32_t x);
template <>
inline std::uint32_t value_of(std::uint32_t x) {
  return x;
}
template <>
inline std::int32_t value_of(std::uint32_t x) {
  return static_cast<std::int32_t>(x);
}
template <>
inline float value_of(std::uint32_t x) {
  return static_cast<float>(static_cast<int>(x % 15) - 7);
}
template <>
inline StackRectangle value_of(std::uint32_t x) {
  const auto bits = [&](int at) { return static_cast<float>(x >> at & 0xff) / 4; };
  return {bits(0) - 100, bits(8) - 100, bits(16) + 50, bits(24) + 50};
}
// Turns and reflections by right angles, with small shifts: their products are exact and do not
// commute.
template <>
inline StackAffine value_of(std::uint32_t x) {
  const float s = x & 1 ? 1.f : -1.f, t = x & 2 ? 1.f : -1.f;
  const auto e = static_cast<float>(x >> 8 & 7), f = static_cast<float>(x >> 16 & 7);
  if (x & 4) return {0, s, t, 0, e - 3, f - 4};
  return {s, 0, 0, t, e - 3, f - 4};
}

// The outputs besides the folds. Calls ask for them by their number of symbols, so that all
// combinations come up.
struct MoreOutputs {
  MoreOutputs(std::uint64_t symbols, const Options& o)
      : room(symbols),
        width(o.over == StackFoldOver::enclosing && symbols % 3 == 0 ? IndexWidth::u64
                                                                     : IndexWidth::u32),
        has_match(symbols % 4 != 0),
        has_header(symbols % 5 % 2 != 0),
        match(has_match ? symbols * size_of(width) : 0, o.offset % 4 * size_of(width)),
        header(has_header ? sizeof(StackHeader) : 0, 8) {}

  void add_to(StackFoldBuffers& buffers) const {
    if (has_match) buffers.match = match.view();
    if (has_header) buffers.header = header.view();
  }

  void check(const Tags& tags) const {
    oracle::StackMatch want = oracle::stack_match(tags);
    want.header.first_mismatch = kNoIndex;
    const std::uint64_t untouched = room - tags.size();
    if (has_match && width == IndexWidth::u64) {
      want.match.insert(want.match.end(), untouched, 0xcdcdcdcdcdcdcdcd);
      CHECK(difference(match.read<std::uint64_t>(), want.match) == "");
    } else if (has_match) {
      std::vector<std::uint32_t> words(want.match.begin(), want.match.end());
      words.insert(words.end(), untouched, 0xcdcdcdcd);
      CHECK(difference(match.read<std::uint32_t>(), words) == "");
    }
    if (!has_header) return;
    const StackHeader& h = want.header;
    CHECK(header.read<std::uint64_t>() == std::vector<std::uint64_t>{h.count, h.unmatched_closes,
                                                                     h.unclosed_opens, h.deepest,
                                                                     h.first_mismatch});
  }

  std::uint64_t room;
  IndexWidth width;
  bool has_match, has_header;
  Guarded match, header;
};

// Every other number of symbols is folded row after row, and the others all at once.
inline const Device& device_for(std::uint64_t symbols, const Options& o) {
  if (o.device) return *o.device;
  return symbols / 2 % 2 == 0 ? device() : device({.stack_chain_count = 1});
}

template <class T>
inline void check(const Tags& tags, const Options& o, const Monoid<T>& monoid) {
  CAPTURE(tags.size());
  CAPTURE(static_cast<int>(o.monoid));
  CAPTURE(static_cast<int>(o.kind));
  CAPTURE(static_cast<int>(o.over));
  CAPTURE(static_cast<int>(o.input));
  CAPTURE(o.offset);
  CAPTURE(o.value_offset);
  const std::uint64_t room = tags.size(), n = std::min<std::uint64_t>(room, o.device_count);
  std::vector<T> values(room);
  std::mt19937 engine(static_cast<std::uint32_t>(room));
  for (T& x : values) x = value_of<T>(static_cast<std::uint32_t>(engine()));
  const auto end = [&](const auto& all) { return all.begin() + static_cast<std::ptrdiff_t>(n); };
  const Tags some(tags.begin(), end(tags));
  const std::vector<T> want =
      o.over == StackFoldOver::enclosing
          ? oracle::stack_fold(some, values, monoid.identity, monoid.combine, o.kind)
          : oracle::stack_fold_enclosed(some, values, monoid.identity, monoid.combine, o.kind);

  std::vector<std::uint32_t> words(room), planes[2];
  for (std::uint64_t i = 0; i < room; ++i) words[i] = tags[i] | static_cast<std::uint32_t>(i) << 2;
  for (int p = 0; p < 2; ++p) {
    planes[p].assign((room + 31) / 32, 0);
    for (std::uint64_t i = 0; i < room; ++i) planes[p][i / 32] |= (tags[i] >> p & 1u) << i % 32;
  }
  const bool bits = o.input == StackInput::bits;
  const Guarded bytes_in(tags, o.offset), words_in(words, 4 * o.offset),
      opens_in(planes[0], 4 * o.offset), closes_in(planes[1], 4 * o.value_offset);
  const Guarded& symbols = bits ? opens_in : o.input == StackInput::tags_u8 ? bytes_in : words_in;
  const Guarded in(values, 4 * o.value_offset);
  const Guarded out(room * sizeof(T), 4 * o.value_offset);
  const auto count = device_count<std::uint64_t>(o.device_count);
  const Device& d = device_for(room, o);
  const MoreOutputs more(room, o);
  StackFoldDesc desc{.input = o.input,
                     .monoid = o.monoid,
                     .over = o.over,
                     .kind = o.kind,
                     .count = room,
                     .index_width = more.width};
  if (o.device_count != ~std::uint64_t{0}) {
    desc.count.address = count.address();
    desc.count.width = CountWidth::u64;
  }
  const DirtyScratch scratch(stack_fold_scratch(d, desc));
  StackFoldBuffers buffers{.symbols = symbols.view(),
                           .closes = bits ? closes_in.view() : BufferView{},
                           .values = in.view(),
                           .out = out.view(),
                           .scratch = scratch.get()};
  more.add_to(buffers);
  run([&](VkCommandBuffer cmd) { throw_if_error(record_stack_fold(cmd, d, desc, buffers)); });
  more.check(some);
  const std::vector<T> got = out.read<T>();
  std::uint64_t wrong = 0, first = 0;
  for (std::uint64_t i = n; i-- > 0;) {
    if (!(got[i] == want[i])) ++wrong, first = i;
  }
  CAPTURE(first);
  CHECK(wrong == 0);
  const std::vector<std::uint32_t> rest = out.read<std::uint32_t>();
  const auto untouched = static_cast<std::ptrdiff_t>((room - n) * sizeof(T) / 4);
  CHECK(std::count(rest.end() - untouched, rest.end(), 0xcdcdcdcd) == untouched);
}

inline void check(const Tags& tags, const Options& o = {}) {
  switch (o.monoid) {
    case StackMonoid::rectangle_intersection:
    case StackMonoid::rectangle_union: {
      constexpr float inf = std::numeric_limits<float>::infinity();
      if (o.monoid == StackMonoid::rectangle_intersection) {
        return check<StackRectangle>(
            tags, o, {{-inf, -inf, inf, inf}, [](StackRectangle a, StackRectangle b) {
                        return StackRectangle{std::max(a.x0, b.x0), std::max(a.y0, b.y0),
                                              std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
                      }});
      }
      return check<StackRectangle>(
          tags, o, {{inf, inf, -inf, -inf}, [](StackRectangle a, StackRectangle b) {
                      return StackRectangle{std::min(a.x0, b.x0), std::min(a.y0, b.y0),
                                            std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
                    }});
    }
    case StackMonoid::affine:
      return check<StackAffine>(
          tags, o, {{1, 0, 0, 1, 0, 0}, [](StackAffine l, StackAffine r) {
                      return StackAffine{l.a * r.a + l.c * r.b,       l.b * r.a + l.d * r.b,
                                         l.a * r.c + l.c * r.d,       l.b * r.c + l.d * r.d,
                                         l.a * r.e + l.c * r.f + l.e, l.b * r.e + l.d * r.f + l.f};
                    }});
    case StackMonoid::u32_add:
    case StackMonoid::u32_min:
    case StackMonoid::u32_max:
      return check<std::uint32_t>(
          tags, o,
          numbers<std::uint32_t>(o.monoid, [](std::uint32_t a, std::uint32_t b) { return a + b; }));
    case StackMonoid::i32_add:
    case StackMonoid::i32_min:
    case StackMonoid::i32_max:
      return check<std::int32_t>(
          tags, o, numbers<std::int32_t>(o.monoid, [](std::int32_t a, std::int32_t b) {
            return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) +
                                             static_cast<std::uint32_t>(b));
          }));
    default:
      return check<float>(tags, o,
                          numbers<float>(o.monoid, [](float a, float b) { return a + b; }));
  }
}

constexpr StackMonoid kAll[] = {StackMonoid::u32_add,         StackMonoid::u32_min,
                                StackMonoid::u32_max,         StackMonoid::i32_add,
                                StackMonoid::i32_min,         StackMonoid::i32_max,
                                StackMonoid::f32_add,         StackMonoid::f32_min,
                                StackMonoid::f32_max,         StackMonoid::rectangle_intersection,
                                StackMonoid::rectangle_union, StackMonoid::affine};
constexpr StackFoldKind kKinds[] = {StackFoldKind::exclusive, StackFoldKind::after};

// The number of symbols of a tile.
constexpr std::uint64_t kTile = 2048;

}  // namespace vkprims::test::stack_folds

// Tests of stack_fold.
#include "oracles/stack_fold.hpp"

#include <limits>
#include <string>

#include "oracles/stack_match.hpp"
#include "stack/stack_fold/stack_fold.abi.h"
#include "stack/stack_tags.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

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

bool operator==(const StackRectangle& a, const StackRectangle& b) {
  return a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1;
}
bool operator==(const StackAffine& a, const StackAffine& b) {
  return a.a == b.a && a.b == b.b && a.c == b.c && a.d == b.d && a.e == b.e && a.f == b.f;
}

template <class T>
T value_of(std::uint32_t x);
template <>
std::uint32_t value_of(std::uint32_t x) {
  return x;
}
template <>
std::int32_t value_of(std::uint32_t x) {
  return static_cast<std::int32_t>(x);
}
template <>
float value_of(std::uint32_t x) {
  return static_cast<float>(static_cast<int>(x % 15) - 7);
}
template <>
StackRectangle value_of(std::uint32_t x) {
  const auto bits = [&](int at) { return static_cast<float>(x >> at & 0xff) / 4; };
  return {bits(0) - 100, bits(8) - 100, bits(16) + 50, bits(24) + 50};
}
// Turns and reflections by right angles, with small shifts: their products are exact and do not
// commute.
template <>
StackAffine value_of(std::uint32_t x) {
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
const Device& device_for(std::uint64_t symbols, const Options& o) {
  if (o.device) return *o.device;
  return symbols / 2 % 2 == 0 ? device() : device({.stack_chain_count = 1});
}

template <class T>
void check(const Tags& tags, const Options& o, const Monoid<T>& monoid) {
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

void check(const Tags& tags, const Options& o = {}) {
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

}  // namespace

TEST_CASE("stack_fold: clip rectangles of the stack monoid's example, as they were worked out") {
  const std::string text = "((()((())(()()))))";
  const Tags tags = tags_of(text);
  std::vector<StackRectangle> values;
  for (std::uint32_t i = 0; i < tags.size(); ++i) {
    const auto number = [](std::uint32_t x) { return static_cast<float>(x); };
    values.push_back(
        {number(3 * i % 7), number(5 * i % 11), number(20 + 2 * i % 9), number(20 + 4 * i % 13)});
  }
  const auto symbols = context().upload(tags);
  const auto in = context().upload(values);
  const auto out = context().allocate<StackRectangle>(tags.size());
  context().run([&](Recorder& r) {
    stack_fold(r, {.monoid = StackMonoid::rectangle_intersection, .kind = StackFoldKind::after},
               symbols, in, out);
  });
  const std::vector<StackRectangle> got = context().download(out);
  const std::vector<StackRectangle> some = {
      {0, 0, 20, 20}, {3, 5, 20, 20}, {6, 10, 20, 20}, {3, 5, 20, 20}, {5, 9, 20, 20}};
  for (std::size_t i = 0; i < some.size(); ++i) CHECK(got[i] == some[i]);
  CHECK(got[8] == StackRectangle{5, 9, 20, 20});
  CHECK(got[9] == StackRectangle{6, 9, 20, 20});
  CHECK(got[13] == StackRectangle{6, 9, 20, 20});
  CHECK(got[14] == StackRectangle{5, 9, 20, 20});
  CHECK(got[16] == StackRectangle{0, 0, 20, 20});
  constexpr float inf = std::numeric_limits<float>::infinity();
  CHECK(got[17] == StackRectangle{-inf, -inf, inf, inf});
}

TEST_CASE("stack_fold: every monoid, before and after symbols") {
  for (const StackMonoid monoid : kAll) {
    for (const StackFoldKind kind : kKinds) {
      check(random_tags(3 * kTile + 77, 1, 10, 10, 3, 0), {.monoid = monoid, .kind = kind});
      if (subset()) continue;
      check(random_tags(2 * kTile, 2, 10, 10, 0, 1), {.monoid = monoid, .kind = kind});
    }
  }
}

TEST_CASE("stack_fold: every string of up to 5 symbols, around rows and tiles") {
  for (const StackFoldKind kind : kKinds) {
    Tags all;
    for (std::uint32_t length = 1; length <= 5; ++length) {
      for (std::uint32_t s = 0; s < 1u << 2 * length; ++s) {
        for (std::uint32_t i = 0; i < length; ++i) all.push_back(s >> 2 * i & 3);
        for (std::uint32_t i = 0; i < s % 7; ++i) all.push_back(0);
        if (s % 3 == 0) all.push_back(3);
      }
    }
    for (std::uint64_t i = 0; i < 32; i += subset() ? 11 : 3) {
      check(all, {.monoid = StackMonoid::affine, .kind = kind});
      all.insert(all.begin(), i % 4 ? 0 : 1);
    }
  }
}

TEST_CASE("stack_fold: sizes around rows and tiles, every balance, any place in memory") {
  std::vector<std::uint64_t> sizes = {0,  1,         2,     31,        32,
                                      33, kTile - 1, kTile, kTile + 1, 3 * kTile + 5};
  const std::uint32_t weights[][4] = {{1, 1, 0, 0},   {3, 1, 0, 0}, {1, 3, 1, 0}, {5, 4, 20, 0},
                                      {20, 20, 5, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}};
  std::uint32_t seed = 0;
  for (const std::uint64_t n : sizes) {
    for (const auto& w : weights) {
      ++seed;
      if (subset() && seed % 3) continue;
      check(random_tags(n, seed, w[0], w[1], w[2], w[3]),
            {.monoid = seed % 2 ? StackMonoid::affine : StackMonoid::rectangle_intersection,
             .kind = kKinds[seed / 2 % 2],
             .input = static_cast<StackInput>(seed % 3),
             .offset = seed % 5,
             .value_offset = seed % 4});
    }
  }
}

TEST_CASE("stack_fold: deep and shallow over many tiles") {
  const std::uint64_t many = subset() ? 40 : 300;
  const auto both = [](const Tags& tags) {
    for (const StackFoldKind kind : kKinds) {
      check(tags, {.monoid = StackMonoid::affine, .kind = kind});
      check(tags, {.monoid = StackMonoid::u32_add, .kind = kind});
    }
  };
  // The stack grows over the first half and shrinks over the second.
  Tags tags(many * kTile / 2, 1);
  tags.resize(many * kTile, 2);
  both(tags);
  // Each tile leaves one open; then all of them are closed.
  std::string text = repeat("(" + repeat("()", kTile / 2 - 1) + ".", many);
  both(tags_of(text + std::string(many + 3, ')')));
  // The teeth of these saws are about a tile long, and several tiles long.
  for (const std::uint64_t up : {kTile - 1, kTile + 1, 5 * kTile / 2}) {
    both(tags_of(repeat(std::string(up, '(') + std::string(up - 1, ')'), many * kTile / (2 * up))));
  }
  // Some tiles have a reset.
  tags = random_tags(many * kTile, 9, 5000, 4900, 100, 1);
  both(tags);
  both(random_tags(many * kTile, 10, 1, 1));
}

TEST_CASE("stack_fold: more than one group of tiles has links to go") {
  const std::uint64_t tiles = subset() ? 600 : 1200;  // links of 256 tiles are made at once
  Tags tags = tags_of(repeat("(" + repeat("()", kTile / 2 - 1) + ".", tiles));
  tags.resize(tags.size() + tiles / 2, 2);
  const Tags more = random_tags(5 * kTile, 3, 1, 1);
  tags.insert(tags.end(), more.begin(), more.end());
  check(tags, {.monoid = StackMonoid::affine, .kind = StackFoldKind::after});
  check(tags, {.monoid = StackMonoid::i32_add});
}

TEST_CASE("stack_fold: levels of 64 bits, as long sequences have") {
  const Device& wide = device({.stack_short_count = 1});
  for (const StackFoldKind kind : kKinds) {
    for (const auto& tags :
         {random_tags(300 * kTile + 9, 41, 1, 1), random_tags(70 * kTile, 42, 5000, 4900, 100, 1),
          tags_of(repeat("(" + repeat("()", kTile / 2 - 1) + ".", 270) + std::string(280, ')'))}) {
      check(tags, {.device = &wide, .monoid = StackMonoid::affine, .kind = kind});
    }
  }
}

TEST_CASE("stack_fold: no symbols have a header") {
  for (const StackFoldOver over : {StackFoldOver::enclosing, StackFoldOver::enclosed}) {
    const auto facts = context().allocate<StackHeader>(1);
    run([&](VkCommandBuffer cmd) {
      throw_if_error(
          record_stack_fold(cmd, device(), {.over = over, .count = 0}, {.header = facts.view()}));
    });
    const StackHeader h = context().download(facts).front();
    CHECK(h.count + h.unmatched_closes + h.unclosed_opens + h.deepest == 0);
    CHECK(h.first_mismatch == kNoIndex);
  }
}

TEST_CASE("stack_fold: match and header as outputs of a step") {
  const Tags tags = random_tags(3 * kTile + 1, 5, 3, 2, 1, 1);
  const std::vector<std::uint32_t> values(tags.size(), 1);
  const auto symbols = context().upload(tags);
  const auto in = context().upload(values);
  const auto depths = context().allocate<std::uint32_t>(tags.size());
  const auto match = context().allocate<std::uint64_t>(tags.size());
  const auto header = context().allocate<StackHeader>(1);
  context()
      .submit(context().record([&](Recorder& r) {
        stack_fold(r, {.monoid = StackMonoid::u32_add}, symbols, in, depths,
                   {.match = match, .header = header});
      }))
      .wait();
  const oracle::StackMatch want = oracle::stack_match(tags);
  CHECK(context().download(match) == want.match);
  CHECK(context().download(header).front().deepest == want.header.deepest);
  const std::vector<std::uint32_t> got = context().download(depths);
  CHECK(std::vector<std::uint64_t>(got.begin(), got.end()) == want.depth);
}

TEST_CASE("stack_fold: counts on the device") {
  const Tags tags = random_tags(5 * kTile, 4, 2, 1, 1);
  for (const std::uint64_t count :
       {std::uint64_t{0}, std::uint64_t{1}, kTile, 3 * kTile + 9, 5 * kTile, ~std::uint64_t{1}}) {
    check(tags, {.kind = StackFoldKind::after, .device_count = count});
  }
}

TEST_CASE("stack_fold: replayed, and twice in one command buffer") {
  const Tags tags = random_tags(4 * kTile, 6, 1, 1);
  const std::vector<std::uint32_t> values(tags.size(), 1);
  const auto symbols = context().upload(tags);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(tags.size()),
             again = context().allocate<std::uint32_t>(tags.size());
  const StackFoldDesc desc{.monoid = StackMonoid::u32_add};
  const auto plan = context().record([&](Recorder& r) {
    stack_fold(r, desc, symbols, in, out);
    stack_fold(r, desc, symbols, out, again);  // any values will do
  });
  std::vector<std::uint32_t> first;
  for (int i = 0; i < (subset() ? 10 : 100); ++i) {
    context().submit(plan).wait();
    const std::vector<std::uint32_t> depths = context().download(out);
    if (i == 0) {
      first = context().download(again);
      CHECK(difference(depths,
                       oracle::stack_fold<std::uint32_t>(
                           tags, values, 0, [](std::uint32_t a, std::uint32_t b) { return a + b; },
                           StackFoldKind::exclusive)) == "");
    }
    CHECK(context().download(again) == first);
  }
}

TEST_CASE("stack_fold: warm_up compiles all that is used") {
  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  const Tags tags = random_tags(3 * kTile, 8, 1, 1);
  const auto symbols = context().upload(tags);
  const auto in = context().allocate<StackRectangle>(tags.size()),
             out = context().allocate<StackRectangle>(tags.size());
  const auto indices = context().allocate<std::uint32_t>(tags.size());
  const auto facts = context().allocate<StackHeader>(1);
  for (const StackFoldOver over : {StackFoldOver::enclosing, StackFoldOver::enclosed}) {
    const StackFoldDesc desc{
        .monoid = StackMonoid::rectangle_union, .over = over, .count = tags.size()};
    const DirtyScratch scratch(stack_fold_scratch(d, desc));
    const StackFoldBuffers buffers{.symbols = symbols.view(),
                                   .values = in.view(),
                                   .out = out.view(),
                                   .scratch = scratch.get()};
    expect_error(Status::not_warmed, {"warm_up"},
                 [&](VkCommandBuffer cmd) { return record_stack_fold(cmd, d, desc, buffers); });
    throw_if_error(warm_up(d, desc));
    for (const std::uint64_t count : {std::uint64_t{9}, tags.size()}) {
      for (const bool match : {false, true}) {
        for (const bool header : {false, true}) {
          StackFoldDesc some = desc;
          some.count = count;
          StackFoldBuffers wanted = buffers;
          if (match) wanted.match = indices.view();
          if (header) wanted.header = facts.view();
          run([&](VkCommandBuffer cmd) {
            throw_if_error(record_stack_fold(cmd, d, some, wanted));
          });
        }
      }
    }
  }
}

TEST_CASE("stack_fold: scratch grows with the count") {
  for (const StackMonoid monoid : kAll) {
    check_monotone([&](std::uint64_t n) {
      return stack_fold_scratch(device(), {.monoid = monoid, .count = n}).bytes;
    });
  }
  VkDeviceSize last = 0;
  for (std::uint64_t n = 1; n < std::uint64_t{1} << 32; n *= 2) {
    const VkDeviceSize bytes =
        stack_fold_scratch(device(), {.over = StackFoldOver::enclosed, .count = n}).bytes;
    CHECK(bytes >= last);
    last = bytes;
  }
  CHECK(stack_fold_scratch(device(), {}).bytes == 0);
  CHECK(stack_fold_scratch(device(), {.count = kMaxCount + 1}).bytes == 0);
  CHECK(stack_fold_scratch(Device(), {.count = 100}).bytes == 0);
}

TEST_CASE("stack_fold: long sequences have larger tiles") {
  const std::uint64_t room = (1 << 22) + 5;
  const Tags tags = random_tags(room, 11, 1, 1);
  for (const std::uint64_t count : {std::uint64_t{5 * kTile + 9}, room}) {
    if (subset() && count == room) continue;
    check(tags, {.monoid = StackMonoid::u32_add, .device_count = count});
  }
}

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

TEST_CASE("stack_fold: wrong input gets a message and records nothing") {
  const Device& d = device();
  const auto symbols = context().allocate<std::uint32_t>(100);
  const auto in = context().allocate<StackRectangle>(100),
             out = context().allocate<StackRectangle>(100);
  const StackFoldDesc good{
      .input = StackInput::tags_u32, .monoid = StackMonoid::rectangle_intersection, .count = 100};
  const DirtyScratch scratch(stack_fold_scratch(d, good));
  const StackFoldBuffers buffers{
      .symbols = symbols.view(), .values = in.view(), .out = out.view(), .scratch = scratch.get()};
  const WrongInput wrong(d, &record_stack_fold, good, buffers);
  wrong.anywhere();
  wrong.scratch("stack_fold_scratch");
  wrong.desc({"stack_fold", "monoid is 12", "0 … 11"},
             [](StackFoldDesc& x) { x.monoid = StackMonoid(12); });
  wrong.desc({"stack_fold", "over is 2"}, [](StackFoldDesc& x) { x.over = StackFoldOver(2); });
  wrong.desc({"stack_fold", "count.max is 4294967296", "2^32 - 1"}, [](StackFoldDesc& x) {
    x.over = StackFoldOver::enclosed;
    x.count = std::uint64_t{1} << 32;
  });
  wrong.desc({"stack_fold", "kind is 2"}, [](StackFoldDesc& x) { x.kind = StackFoldKind(2); });
  wrong.desc({"stack_fold", "input is 3"}, [](StackFoldDesc& x) { x.input = StackInput(3); });
  wrong.buffers({"stack_fold", "closes", "tags_u32"},
                [&](StackFoldBuffers& x) { x.closes = symbols.view(); });
  wrong.buffers({"stack_fold", "values", "1596", "1600"},
                [](StackFoldBuffers& x) { x.values.bytes = 1596; });
  wrong.buffers({"stack_fold", "out", "multiple of 4"},
                [](StackFoldBuffers& x) { x.out.address += 2; });
  wrong.buffers({"stack_fold", "values", "out"}, [](StackFoldBuffers& x) { x.out = x.values; });
  wrong.buffers({"stack_fold", "match", "400"}, [&](StackFoldBuffers& x) {
    x.match = {symbols.view().address, 396};
  });
  wrong.buffers({"stack_fold", "header", "a StackHeader"}, [&](StackFoldBuffers& x) {
    x.header = {symbols.view().address, 32};
  });
  wrong.desc({"stack_fold", "index_width is u64", "enclosed"}, [](StackFoldDesc& x) {
    x.over = StackFoldOver::enclosed;
    x.index_width = IndexWidth::u64;
  });
}

TEST_CASE("stack_fold: smoke" * doctest::test_suite("smoke")) {
  check(random_tags(300, 1, 10, 10, 3, 0));
}

}  // namespace vkprims::test

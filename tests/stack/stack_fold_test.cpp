// Tests of stack_fold over the opens that enclose a symbol, and of what both kinds have in common.
#include "stack/stack_fold/stack_fold.abi.h"
#include "stack/stack_fold_check.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {

using namespace stack_folds;

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
  for (const std::uint64_t more : {0, 1, 2, 3}) {  // so that match and header are wanted
    const Tags tags = random_tags(5 * kTile + more, 4, 2, 1, 1);
    for (const std::uint64_t count :
         {std::uint64_t{0}, std::uint64_t{1}, kTile, 3 * kTile + 9, 5 * kTile, ~std::uint64_t{1}}) {
      check(tags, {.kind = StackFoldKind::after, .device_count = count});
    }
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
    for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{9}, tags.size()}) {
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

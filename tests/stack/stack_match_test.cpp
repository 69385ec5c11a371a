// Tests of stack_match.
#include "elementwise/transform/transform.abi.h"
#include "runtime/push.hpp"
#include "spirv/stack_walk.hpp"
#include "stack/stack_match_check.hpp"
#include "support/large.hpp"
#include "support/run_commands.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

using namespace stack;

constexpr StackSchedule kSchedules[] = {StackSchedule::multi_pass, StackSchedule::look_back};
// One schedule is enough where the varied property does not affect what differs between the
// schedules. Kernels take long to compile.
const std::vector<StackSchedule> kOne = {StackSchedule::multi_pass};

}  // namespace

TEST_CASE("stack_match: the examples of the stack monoid, as published") {
  const auto matches = [](const std::string& text) {
    std::vector<std::int64_t> m;
    for (const std::uint64_t x : oracle::stack_match(tags_of(text)).match) {
      m.push_back(static_cast<std::int64_t>(x));
    }
    return m;
  };
  const auto depths = [](const std::string& text) {
    return oracle::stack_match(tags_of(text)).depth;
  };
  const std::string one = "((()((())(()()))))", two = "(()(()()(()))()())",
                    three = ")))(((()())((()(", four = "))(()(.)))((.";
  CHECK(matches(one) ==
        std::vector<std::int64_t>{-1, 0, 1, 2, 1, 4, 5, 6, 5, 4, 9, 10, 9, 12, 9, 4, 1, 0});
  CHECK(depths(one) ==
        std::vector<std::uint64_t>{0, 1, 2, 3, 2, 3, 4, 5, 4, 3, 4, 5, 4, 5, 4, 3, 2, 1});
  CHECK(matches(two) ==
        std::vector<std::int64_t>{-1, 0, 1, 0, 3, 4, 3, 6, 3, 8, 9, 8, 3, 0, 13, 0, 15, 0});
  CHECK(matches(three) ==
        std::vector<std::int64_t>{-1, -1, -1, -1, 3, 4, 5, 6, 5, 8, 5, 4, 11, 12, 13, 12});
  CHECK(matches(four) == std::vector<std::int64_t>{-1, -1, -1, 2, 3, 2, 5, 5, 2, -1, -1, 10, 11});
  for (const std::string& text : {one, two, three, four}) check(tags_of(text));
}

TEST_CASE(
    "stack_match: every string of up to 5 symbols, between no-ops and a reset, at every place of a "
    "block") {
  Tags all;
  const char kinds[] = {0, 1, 2, 3};
  for (std::uint32_t length = 1; length <= 5; ++length) {
    std::uint32_t strings = 1;
    for (std::uint32_t i = 0; i < length; ++i) strings *= 4;
    for (std::uint32_t s = 0; s < strings; ++s) {
      for (std::uint32_t i = 0; i < length; ++i) all.push_back(kinds[s >> 2 * i & 3]);
      for (std::uint32_t i = 0; i < s % 7; ++i) all.push_back(0);
      if (s % 3 == 0) all.push_back(3);
    }
  }
  for (std::uint64_t i = 0; i < 32; i += subset() ? 7 : 1) {
    check(all);
    all.insert(all.begin(), 0);
  }
}

TEST_CASE("stack_match: every string of 4 symbols where a tile begins") {
  const std::uint64_t tile = tile_of(device());
  for (std::uint32_t s = 0; s < 256; s += subset() ? 5 : 1) {
    Tags tags = tags_of(repeat("((())", tile / 5));
    tags.resize(tile - s % 5, 1);
    for (std::uint32_t i = 0; i < 4; ++i) tags.push_back(s >> 2 * i & 3);
    for (const char c : std::string(")).((())")) tags.push_back(tags_of(std::string(1, c))[0]);
    check(tags, {.offset = s % 16});
  }
}

TEST_CASE(
    "stack_match: random strings of every balance, with no-ops and resets, around the edges of "
    "tiles") {
  std::uint32_t seed = 1;
  for (const StackInput input : {StackInput::tags_u8, StackInput::tags_u32, StackInput::bits}) {
    for (const std::uint64_t n : edge_counts(tile_of(device()))) {
      ++seed;
      check(random_tags(n, seed, 1, 1),
            {.input = input, .offset = seed % 4, .out_offset = seed % 3});
      check(random_tags(n, seed, 3, 1 + seed % 4, seed % 5), {.input = input});
      check(random_tags(n, seed, 2, 3, 4, seed % 2),
            {.input = input, .close_of = seed % 2 == 0, .schedules = kOne});
    }
  }
}

TEST_CASE("stack_match: many tiles, of which each looks far back") {
  const std::uint64_t tile = tile_of(device()), n = 70 * tile + 5;
  for (const auto& [opens, closes] : {std::pair{1u, 1u}, {2u, 1u}, {1u, 2u}, {50u, 49u}}) {
    check(random_tags(n, opens, opens, closes));
    check(random_tags(n, opens, opens, closes, 2));
  }
  Tags tags = random_tags(n, 9, 100, 98, 0, 0);
  for (std::uint64_t i = 3 * tile; i < n; i += 11 * tile + 7) tags[i] = 3;
  check(tags);
}

TEST_CASE("stack_match: all open, all close, up and down, one survivor for each tile") {
  const std::uint64_t tile = tile_of(device());
  check(Tags(20 * tile, 1));
  check(Tags(20 * tile, 2));
  check(Tags(3 * tile, 0));
  check(Tags(3 * tile, 3));
  Tags up(40 * tile, 1);
  std::fill(up.begin() + static_cast<std::ptrdiff_t>(20 * tile), up.end(), std::uint8_t{2});
  check(up);
  for (const std::uint64_t period : {tile - 1, tile, tile + 1, 2 * tile}) {
    Tags saw(40 * tile);
    for (std::uint64_t i = 0; i < saw.size(); ++i) saw[i] = i / period % 2 ? 2 : 1;
    check(saw);
  }
  // Pairs of tiles leave one open or none; then all of the opens are closed.
  std::string text;
  for (int i = 0; i < 10; ++i) {
    text += "()" + repeat("(", tile - 2) + repeat(")", tile - 3) + "()(";
    text += ")" + repeat("(", tile - 1) + repeat(")", tile - 2) + "()";
    text += "(" + repeat(".", tile - 1);
  }
  text += repeat(")", 30) + repeat("(", 5);
  check(tags_of(text));
}

TEST_CASE("stack_match: more tiles than one workgroup places") {
  const std::uint64_t n = 2060 * tile_of(device()) + 77;
  Tags tags = random_tags(n, 12, 50, 49, 3);
  for (std::uint64_t i = n / 3; i < n; i += n / 5) tags[i] = 3;
  check(tags, {.close_of = !subset()});
}

template <class Index>
void check_walk(IndexWidth width) {
  const Device& d = device();
  const Tags tags = random_tags(tile_of(d) + 100, 13, 11, 10, 2, 1);
  std::vector<Index> match;
  for (const std::uint64_t x : oracle::stack_match(tags).match)
    match.push_back(static_cast<Index>(x));
  std::vector<std::uint32_t> want;
  std::vector<std::uint64_t> stack;
  for (std::uint64_t i = 0; i < tags.size(); ++i) {
    std::uint32_t sum = 0;
    for (const std::uint64_t x : stack) sum += static_cast<std::uint32_t>(x);
    want.push_back(static_cast<std::uint32_t>(stack.size()));
    want.push_back(sum);
    const std::vector<Index> rebuilt = stack_at<Index>(match, i);
    CHECK(std::equal(stack.rbegin(), stack.rend(), rebuilt.begin(), rebuilt.end()));
    if (tags[i] == 1) stack.push_back(i);
    if (tags[i] == 2 && !stack.empty()) stack.pop_back();
    if (tags[i] == 3) stack.clear();
  }
  const Guarded in(match), out(8 * tags.size());
  const abi::TransformPush push{.a_base = push_u64(in.address()),
                                .out_base = push_u64(out.address()),
                                .count = push_count(tags.size()),
                                .zero = size_of(width) / 4};
  run_commands("stack walk", d, [&](Commands& commands) {
    return commands.dispatch(spirv::stack_walk, {.workgroup_size = 128}, push,
                             Grid(tags.size() / 128 + 1), {reads(in.view()), writes(out.view())});
  });
  CHECK(difference(out.read<std::uint32_t>(), want) == "");
}

TEST_CASE(
    "stack_match: the stack at any symbol, rebuilt from matches on the host and in a kernel") {
  check_walk<std::uint32_t>(IndexWidth::u32);
  check_walk<std::uint64_t>(IndexWidth::u64);
}

TEST_CASE("stack_match: views that begin at any element") {
  const Tags tags = random_tags(3 * tile_of(device()) + 17, 4, 5, 4, 1, 1);
  for (std::uint64_t offset = 0; offset < 16; ++offset) {
    check(tags, {.offset = offset, .out_offset = (5 * offset + 1) % 4});
    check(tags, {.input = StackInput::tags_u32, .offset = offset % 4, .out_offset = offset / 4});
  }
}

TEST_CASE("stack_match: indices of 64 bits, and each output alone") {
  const Tags tags = random_tags(5 * tile_of(device()) + 3, 5, 10, 9, 1);
  for (const StackInput input : {StackInput::tags_u8, StackInput::bits}) {
    Options o{.input = input, .width = IndexWidth::u64, .offset = 1};
    if (input == StackInput::bits) o.schedules = kOne;
    check(tags, o);
    o.offset = 0;
    o.out_offset = 1;
    o.header = false;
    check(tags, o);
    o.width = IndexWidth::u32;
    o.out_offset = 0;
    for (const int alone : {0, 1, 2, 3}) {
      if (subset() && (alone < 2) != (input == StackInput::bits)) continue;
      o.header = alone == 0;
      o.close_of = alone == 1;
      o.match = alone == 2;
      o.depth = alone == 3;
      check(tags, o);
    }
  }
}

TEST_CASE("stack_match: the first close of another type than its open") {
  const std::uint64_t tile = tile_of(device());
  for (const StackInput input : {StackInput::tags_u8, StackInput::tags_u32}) {
    for (const IndexWidth width : {IndexWidth::u32, IndexWidth::u64}) {
      Tags tags = random_tags(9 * tile + 7, 3, 5, 4, 1);
      for (std::uint8_t& tag : tags) tag |= 5 << 2;
      Options o{.input = input, .width = width, .offset = 3, .types = true};
      if (input != StackInput::tags_u8 || width != IndexWidth::u32) o.schedules = kOne;
      check(tags, o);
      const std::vector<std::uint64_t> match = oracle::stack_match(tags).match;
      for (const std::uint64_t at : {8 * tile + 100, 3 * tile + 1, tile - 2, std::uint64_t{1}}) {
        std::uint64_t close = at;  // a close that has an open
        while ((tags[close] & 3) != 2 || match[close] == ~std::uint64_t{0}) ++close;
        tags[close] ^= 4;
        check(tags, o);
      }
    }
  }
}

TEST_CASE("stack_match: the count may lie on the device, above the maximum or 0") {
  const std::uint64_t tile = tile_of(device());
  const Tags tags = random_tags(4 * tile, 6, 1, 1);
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile, 2 * tile + 5, 9 * tile}) {
    check(tags, {.device_count = n});
    check(tags, {.offset = 3, .device_count = n});
  }
  check({}, {});
}

TEST_CASE("stack_match: levels of 64 bits, from the number of symbols on that asks for them") {
  const std::uint64_t tile = tile_of(device());
  const Device& d = device({.stack_short_count = static_cast<std::uint32_t>(3 * tile)});
  Options o{.device = &d};
  for (const std::uint64_t n : {3 * tile - 1, 3 * tile, 3 * tile + 1, 30 * tile}) {
    check(random_tags(n, 15, 2, 1, 1), o);
    check(random_tags(n, 16, 1, 2, 1), o);
    Tags tags = random_tags(n, 17, 50, 49);
    tags[2 * tile + 9] = 3;
    check(tags, o);
  }
  check(Tags(600 * tile, 2), o);
  check(random_tags(600 * tile, 18, 50, 49), o);
  o.device_count = 2 * tile + 3;
  check(Tags(4 * tile, 1), o);
}

TEST_CASE("stack_match: an indirect grid, for a count that is small") {
  const std::uint64_t room = 4200 * tile_of(device());
  Tags tags(room, 1);
  check(tags, {.close_of = false, .device_count = 10'001});
}

TEST_CASE("stack_match: recorded twice and replayed") {
  const Device& d = device();
  const std::uint64_t n = 3 * tile_of(d) + 1;
  const Tags tags = random_tags(n, 8, 7, 6);
  const std::vector<std::uint64_t> wide = oracle::stack_match(tags).match;
  const std::vector<std::uint32_t> want(wide.begin(), wide.end());
  const auto in = context().upload(tags);
  const auto out0 = context().allocate<std::uint32_t>(n),
             out1 = context().allocate<std::uint32_t>(n);
  for (const StackSchedule schedule : kSchedules) {
    const StackMatchDesc desc{.count = n, .schedule = schedule};
    const DirtyScratch scratch(stack_match_scratch(d, desc));
    replay(
        d,
        [&] {
          context().write(out0, std::vector<std::uint32_t>(n, 7));
          context().write(out1, std::vector<std::uint32_t>(n, 7));
        },
        [&](VkCommandBuffer cmd, int i) {
          return record_stack_match(cmd, d, desc,
                                    {.symbols = in.view(),
                                     .match = i == 0 ? out0.view() : out1.view(),
                                     .scratch = scratch.get()});
        },
        [&] {
          CHECK(context().download(out0) == want);
          CHECK(context().download(out1) == want);
        });
  }
}

TEST_CASE("stack_match: warm_up compiles all that recording needs") {
  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  for (const StackSchedule schedule : kSchedules) {
    if (!exhaustive() && schedule != kOne[0]) continue;
    Device cold;
    throw_if_error(Device::create(info, cold));
    throw_if_error(warm_up(cold, StackMatchDesc{.schedule = schedule}));
    Options o{.device = &cold, .schedules = {schedule}};
    for (const std::uint64_t n : {std::uint64_t{40}, 2 * tile_of(cold) + 1, 2100 * tile_of(cold)}) {
      const Tags tags = random_tags(n, 21, 4, 3);
      Options all = o, offset = o, match = o, header = o;
      all.types = true;
      check(tags, all);
      offset.offset = 1;
      offset.match = offset.close_of = offset.header = false;
      check(tags, offset);
      match.out_offset = 1;
      match.close_of = match.depth = match.header = false;
      check(tags, match);
      header.match = header.close_of = header.depth = false;
      check(tags, header);
      if (!exhaustive()) break;
    }
  }
}

TEST_CASE("stack_match: scratch does not shrink") {
  for (const StackSchedule schedule : kSchedules) {
    for (const VkDeviceAddress address : {0, 8}) {
      check_monotone([&](std::uint64_t n) {
        return stack_match_scratch(
                   device(),
                   {.count = {n, address}, .index_width = IndexWidth::u64, .schedule = schedule})
            .bytes;
      });
    }
  }
  CHECK(stack_match_scratch(device(), {}).bytes == 0);
  CHECK(stack_match_scratch(device(), {.count = kMaxCount + 1, .index_width = IndexWidth::u64})
            .bytes == 0);
  CHECK(stack_match_scratch(Device(), {.count = 5}).bytes == 0);
}

TEST_CASE("stack_match: as a step of a Recorder") {
  const Tags tags = tags_of("(()(()()(()))()())");
  const auto in = context().upload(tags);
  const auto out = context().allocate<std::uint32_t>(tags.size());
  context().run([&](Recorder& r) { stack_match(r, {}, in, out); });
  CHECK(context().download(out)[17] == 0);
  CHECK(context().download(out)[0] == 0xffffffff);
}

TEST_CASE("stack_match: wrong input gets a message and records nothing") {
  const Device& d = device();
  const auto in = context().allocate<std::uint32_t>(100),
             other = context().allocate<std::uint32_t>(100);
  const auto out = context().allocate<std::uint32_t>(100);
  const StackMatchDesc good{.input = StackInput::tags_u32, .count = 100};
  const DirtyScratch scratch(stack_match_scratch(d, good));
  const StackMatchBuffers buffers{
      .symbols = in.view(), .match = out.view(), .scratch = scratch.get()};
  const auto expect = [&](std::initializer_list<const char*> words, const StackMatchDesc& desc,
                          const StackMatchBuffers& b) {
    expect_error(Status::invalid_argument, words,
                 [&](VkCommandBuffer cmd) { return record_stack_match(cmd, d, desc, b); });
  };
  StackMatchDesc desc = good;
  desc.input = static_cast<StackInput>(3);
  expect({"stack_match", "input is 3", "0 … 2"}, desc, buffers);
  desc = good;
  desc.count = std::uint64_t{1} << 32;
  expect({"stack_match", "count.max is 4294967296", "2^32 - 1"}, desc, buffers);
  desc = good;
  desc.count = kMaxCount + 1;
  expect({"stack_match", "count"}, desc, buffers);
  StackMatchBuffers b = buffers;
  b.match = {};
  expect({"stack_match", "match, close_of, depth and header"}, good, b);
  desc = good;
  desc.types = true;
  expect({"stack_match", "types", "header.address is 0"}, desc, buffers);
  b = buffers;
  b.closes = other.view();
  expect({"stack_match", "closes", "tags_u32"}, good, b);
  desc = good;
  desc.input = StackInput::bits;
  expect({"stack_match", "closes"}, desc, buffers);
  b = buffers;
  b.symbols.address += 2;
  expect({"stack_match", "symbols", "multiple of 4"}, good, b);
  b = buffers;
  b.match.bytes = 396;
  expect({"stack_match", "match", "396", "400"}, good, b);
  b = buffers;
  b.match = in.view();
  expect({"stack_match", "symbols", "match"}, good, b);
  b = buffers;
  b.header = {other.address() + 4, 40};
  expect({"stack_match", "header", "multiple of 8"}, good, b);
  b = buffers;
  b.scratch = {};
  expect({"stack_match", "scratch"}, good, b);
  Device cold;
  CHECK(record_stack_match(VK_NULL_HANDLE, cold, good, buffers).code() == Status::invalid_argument);
}

TEST_CASE("large: 2^30 brackets of stack_match, nested a hundred million deep") {
  constexpr std::uint64_t n = std::uint64_t{1} << 30, deep = 100'000'000;
  if (!large::holds(8 * n)) return;
  Tags tags(n);
  std::uint64_t random = 1;
  for (std::uint64_t i = 0; i < n; ++i) {
    random = random * 6364136223846793005 + 1442695040888963407;
    tags[i] = i < deep ? 1 : i > n - deep - 1'000'000 ? 2 : 1 + (random >> 40 & 1);
  }
  const auto symbols = context().upload(tags);
  const auto match = context().allocate<std::uint32_t>(n);
  const auto header = context().allocate<std::uint64_t>(5);
  for (const StackSchedule schedule : kSchedules) {
    const StackMatchDesc desc{.count = n, .schedule = schedule};
    const DirtyScratch scratch(stack_match_scratch(device(), desc));
    context().write(match, std::vector<std::uint32_t>(n, 7));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_stack_match(cmd, device(), desc,
                                        {.symbols = symbols.view(),
                                         .match = match.view(),
                                         .header = header.view(),
                                         .scratch = scratch.get()}));
    });
    const std::vector<std::uint32_t> got = context().download(match);
    std::vector<std::uint32_t> stack;
    std::uint64_t wrong = 0, deepest = 0, unmatched = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      wrong += got[i] != (stack.empty() ? 0xffffffff : stack.back());
      if (tags[i] == 1) {
        stack.push_back(static_cast<std::uint32_t>(i));
        deepest = std::max<std::uint64_t>(deepest, stack.size());
      } else if (stack.empty()) {
        ++unmatched;
      } else {
        stack.pop_back();
      }
    }
    CHECK(wrong == 0);
    CHECK(deepest >= deep);
    CHECK(context().download(header) ==
          std::vector<std::uint64_t>{n, unmatched, stack.size(), deepest, kNoIndex});
  }
}

TEST_CASE("stack_match: smoke" * doctest::test_suite("smoke")) {
  check(random_tags(300, 1, 10, 10, 3));
}

}  // namespace vkprims::test

// Tests of draw_args.
#include "oracles/draw_args.hpp"

#include "elementwise/draw_args/draw_args.abi.h"
#include "spirv/draw_args.hpp"
#include "support/every_primitive.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

const RegisterPrimitive kDrawArgs([](std::uint64_t n) {
  return any_primitive("draw_args", record_draw_args, DrawArgsDesc{.count = n},
                       DrawArgsBuffers{view_at(1)});
});

constexpr DrawCommand kCommands[] = {DrawCommand::draw, DrawCommand::draw_indexed,
                                     DrawCommand::draw_count};

// Every member has a value that no other one has.
DrawArgsDesc some_desc(DrawCommand command, DrawNumber number) {
  return {.command = command,
          .number = number,
          .per_item = 6,
          .other_number = 7,
          .first_vertex = 11,
          .vertex_offset = -3,
          .first_instance = 13};
}

std::vector<std::uint32_t> args_on_device(const DrawArgsDesc& desc, std::uint64_t words) {
  const Guarded args(4 * words, 4);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_draw_args(cmd, device(), desc, {args.view()}));
  });
  return args.read<std::uint32_t>();
}

}  // namespace

TEST_CASE("draw_args: every command, either number, counts on the host and on the GPU") {
  for (const DrawCommand command : kCommands) {
    for (const DrawNumber number : {DrawNumber::instances, DrawNumber::vertices}) {
      for (const std::uint64_t n : {0, 1, 1000, 715'827'882}) {
        DrawArgsDesc desc = some_desc(command, number);
        const auto expected = oracle::draw_args(desc, n);
        desc.count = n;
        CHECK(args_on_device(desc, expected.size()) == expected);
        const auto count = device_count(n);
        desc.count = {715'827'882, count.address(), CountWidth::u64};
        CHECK(args_on_device(desc, expected.size()) == expected);
      }
    }
  }
}

TEST_CASE("draw_args: a count on the GPU is clamped to max, and no vertex for an item is none") {
  const auto count = device_count(5'000'000u);
  DrawArgsDesc desc = some_desc(DrawCommand::draw, DrawNumber::vertices);
  desc.count = {1000, count.address()};
  CHECK(args_on_device(desc, 4) == oracle::draw_args(desc, 1000));
  desc.per_item = 0;
  CHECK(args_on_device(desc, 4)[0] == 0);
}

TEST_CASE("draw_args: several draws, each by a count of its own") {
  for (const std::uint32_t commands : {0u, 2u, 31u, 32u, 33u, 1000u}) {
    for (const DrawCommand command : kCommands) {
      CAPTURE(commands);
      std::vector<std::uint32_t> counts = random_values<std::uint32_t>(commands, 3), expected;
      DrawArgsDesc desc = some_desc(command, DrawNumber::instances);
      for (std::size_t i = 0; i < counts.size(); ++i) {
        counts[i] >>= i % 29;
        const auto args = oracle::draw_args(desc, std::min(counts[i], 100'000'000u));
        expected.insert(expected.end(), args.begin(), args.end());
      }
      const Guarded in(counts);
      desc.count = {100'000'000, in.address()};
      desc.commands = commands;
      CHECK(difference(args_on_device(desc, expected.size()), expected) == "");
    }
  }
}

TEST_CASE("draw_args: a step of a Recorder, by the type of the arguments") {
  const auto count = device_count<std::uint64_t>(5);
  const auto draw = context().allocate<VkDrawIndirectCommand>(1);
  const auto indexed = context().allocate<VkDrawIndexedIndirectCommand>(1);
  const auto draws = context().allocate<std::uint32_t>(1);
  Count items = count_in(count);
  items.max = 100;
  const DrawArgsDesc desc{.count = items, .other_number = 4};
  context().run([&](Recorder& r) {
    draw_args(r, desc, draw);
    draw_args(r, desc, indexed);
    draw_args(r, {.command = DrawCommand::draw_count, .count = items}, draws);
  });
  const VkDrawIndirectCommand one = context().download(draw)[0];
  CHECK(one.vertexCount == 4);
  CHECK(one.instanceCount == 5);
  const VkDrawIndexedIndirectCommand other = context().download(indexed)[0];
  CHECK(other.indexCount == 4);
  CHECK(other.instanceCount == 5);
  CHECK(context().download(draws) == std::vector<std::uint32_t>{5});
}

TEST_CASE("draw_args: wrong input is refused by name before anything is recorded") {
  const auto memory = context().allocate<std::uint32_t>(64);
  const WrongInput wrong(device(), record_draw_args, DrawArgsDesc{.count = 10},
                         DrawArgsBuffers{memory.slice(0, 4).view()});
  wrong.anywhere();
  wrong.desc({"command is 3", "0 … 2"}, [](auto& x) { x.command = DrawCommand(3); });
  wrong.desc({"number is 2", "0 … 1"}, [](auto& x) { x.number = DrawNumber(2); });
  wrong.desc({"count 10 times per_item 429496730", "4294967295"},
             [](auto& x) { x.per_item = 429'496'730; });
  wrong.desc({"args.bytes is 16", "20"}, [](auto& x) { x.command = DrawCommand::draw_indexed; });
  wrong.desc({"args.bytes is 16", "32", "commands"}, [](auto& x) { x.commands = 2; });
  wrong.buffers({"args.address", "multiple of 4"}, [](auto& x) { x.args.address += 2; });
  wrong.desc({"args", "count", "overlap"}, [&](auto& x) { x.count = {10, memory.address() + 4}; });
  CHECK(warm_up(Device(), DrawArgsDesc{.count = 1}) == Status::invalid_argument);
}

TEST_CASE("draw_args: smoke" * doctest::test_suite("smoke")) {
  DrawArgsDesc desc = some_desc(DrawCommand::draw_indexed, DrawNumber::vertices);
  desc.count = 25;
  CHECK(args_on_device(desc, 5) == oracle::draw_args(desc, 25));
}

TEST_CASE("draw_args: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::draw_args, sizeof(abi::DrawArgsPush), VKP_DRAW_ARGS_WORDS));
}

}  // namespace vkprims::test

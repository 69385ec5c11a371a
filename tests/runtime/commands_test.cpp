// Tests of Commands: barriers between primitives in one list, and lists of any length.
#include "runtime/commands.hpp"

#include <algorithm>

#include "runtime/scratch_layout.hpp"
#include "scan/scan_desc.hpp"
#include "support/run_commands.hpp"
#include "support/support.hpp"
#include "vkprims/nearest_smaller.hpp"
#include "vkprims/rolling.hpp"
#include "vkprims/stack_fold.hpp"
#include "vkprims/stack_match.hpp"

namespace vkprims::test {
namespace {

// Records what `add` adds, never runs it, and returns the hazards.
std::string hazards_of(const Device& d, FunctionRef<Status(Commands&)> add) {
  spy().clear();
  context().record([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) { throw_if_error(record_call("test", cmd, d, add)); });
  });
  return spy().hazards.hazards();
}

}  // namespace

TEST_CASE("commands: primitives in one list may share scratch, with grids of both kinds") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t largest = 30'000'000;  // whose grid is indirect if the count is on the GPU
  const auto memory = context().allocate<std::uint32_t>(3 * largest);
  const auto count = device_count(1000u);
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    for (const Count& n : {Count(100'000), Count(largest, count.address())}) {
      CAPTURE(n.max);
      const ScanDesc desc{.count = n, .schedule = schedule};
      const ScratchNeed need = scan_scratch(d, desc);
      CHECK((need.bytes > 0));
      const DirtyScratch scratch(need);
      const auto buffers = [&](std::uint64_t from, std::uint64_t to) {
        return ScanBuffers{.in = memory.slice(from * largest, n.max).view(),
                           .out = memory.slice(to * largest, n.max).view(),
                           .scratch = scratch.get()};
      };
      CHECK(hazards_of(d, [&](Commands& commands) {
              VKPRIMS_TRY(add_scan(commands, desc, buffers(0, 1)));
              return add_scan(commands, desc, buffers(1, 2));
            }) == "");
    }
  }
}

TEST_CASE("commands: a fill beside the size of a grid waits for what used its memory before") {
  const Device& d = device(kTinyTiles);
  const DirtyScratch memory({4096});
  const auto count = device_count(7u);
  const auto twice = [&](const Count& items) {
    return hazards_of(d, [&](Commands& commands) {
      for (int i = 0; i < 2; ++i) {
        Grid grid(items, 1, memory.get());
        VKPRIMS_TRY(commands.prepare(grid));
        throw_if_error(commands.fill(memory.get(), 64, 1024, 0, beside(grid)));
      }
      return Status();
    });
  };
  CHECK(twice(Count(100)) == "");
  CHECK(twice(Count(1'000'000, count.address())) == "");
}

TEST_CASE("commands: a grid of several dispatches is computed once") {
  // Nothing of this runs, so only scratch is memory.
  const auto view = [](std::uint64_t i) { return BufferView{i << 40, std::uint64_t{1} << 40}; };
  const Device& d = device(kTinyTiles);
  const auto number = device_count(1000u);
  // Returns how many sizes of grids are computed by a primitive that is given a count of the GPU:
  // so many more dispatches than with a count of the host.
  const auto computed = [&](auto record, auto need, auto desc, auto buffers) {
    std::uint64_t dispatches[2];
    for (const bool on_gpu : {false, true}) {
      if (on_gpu) desc.count.address = number.address();
      const auto memory = context().allocate<std::byte>(need(d, desc).bytes);
      buffers.scratch = {memory.handle(), 0, memory.address(), memory.size()};
      spy().clear();
      context().record([&](Recorder& r) {
        r.commands([&](VkCommandBuffer cmd) { throw_if_error(record(cmd, d, desc, buffers)); });
      });
      CHECK(spy().hazards.hazards() == "");
      dispatches[on_gpu] = static_cast<std::uint64_t>(
          std::count_if(spy().recorded.begin(), spy().recorded.end(),
                        [](const std::string& name) { return name.starts_with("vkCmdDispatch"); }));
    }
    return dispatches[1] - dispatches[0];
  };
  const Count n = 40'000'000, more = 600'000'000;
  CHECK(computed(record_nearest_smaller, nearest_smaller_scratch, NearestSmallerDesc{.count = n},
                 NearestSmallerBuffers{.keys = view(1), .out = view(2)}) == 1);
  const StackMatchBuffers match{
      .symbols = view(1), .match = view(2), .depth = view(3), .header = view(4)};
  for (const StackSchedule schedule : {StackSchedule::multi_pass, StackSchedule::look_back}) {
    CHECK(computed(record_stack_match, stack_match_scratch,
                   StackMatchDesc{.count = n, .types = true, .schedule = schedule}, match) == 1);
  }
  const StackFoldBuffers fold{.symbols = view(1), .values = view(2), .out = view(3)};
  // The grids are of tiles and of a few tiles a workgroup; that of links is not indirect yet.
  CHECK(computed(record_stack_fold, stack_fold_scratch, StackFoldDesc{.count = n}, fold) == 2);
  // That of the match, of tiles and of masks; that of nodes is not indirect yet.
  CHECK(computed(record_stack_fold, stack_fold_scratch,
                 StackFoldDesc{.over = StackFoldOver::enclosed, .count = n}, fold) == 3);
  // The grids are those of tiles and of doubling.
  CHECK(computed(record_rolling, rolling_scratch,
                 RollingDesc{.count = more, .preceding = 1'000'000},
                 RollingBuffers{.in = view(1), .out = view(2)}) == 2);
}

TEST_CASE("commands: few bytes are filled by a dispatch where this is faster, many by a command") {
  DeviceHooks hooks;
  hooks.dispatches_fills = true;
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, hooks, d));
  constexpr std::uint32_t kWords = 1200, kFirst = 7;
  const DirtyScratch memory({4 * kWords});
  const auto fill = [&](std::uint32_t words, std::uint32_t word) {
    return [=, &memory](Commands& commands) {
      return commands.fill(memory.get(), 4 * kFirst, 4 * words, word);
    };
  };
  expect_error(Status::not_warmed, {"fill_scratch"},
               [&](VkCommandBuffer cmd) { return record_call("test", cmd, d, fill(1, 0)); });
  // Sizes in warm_up() say nothing of those that come.
  throw_if_error(warm_up_call("test", d, fill(0, 0)));
  for (const std::uint32_t words : {0u, 1u, 2u, 129u, 1023u, 1024u, 1025u}) {
    for (const std::uint32_t word : {0u, 0x01020304u}) {
      CAPTURE(words);
      CAPTURE(word);
      spy().clear();
      run_commands("test", device(kTinyTiles), fill(kWords - kFirst, 99));
      run_commands("test", d, fill(words, word));
      const auto dispatches = std::ranges::count(spy().recorded, "vkCmdDispatch");
      CHECK(dispatches == (words != 0 && words <= 1024 ? 1 : 0));
      std::vector<std::uint32_t> expected(kWords - kFirst, 99);
      std::fill_n(expected.begin(), words, word);
      const auto copy = context().allocate<std::uint32_t>(kWords - kFirst);
      run([&](VkCommandBuffer cmd) {
        const BufferView view{memory.get().address + 4 * kFirst, copy.view().bytes};
        throw_if_error(record_copy(cmd, device(), {4, copy.size()}, {view, copy.view(), {}}));
      });
      CHECK(difference(context().download(copy), expected) == "");
    }
  }
}

TEST_CASE("commands: a fill that is a dispatch is separated from what uses its memory") {
  DeviceHooks hooks;
  hooks.dispatches_fills = true;
  Device d;
  throw_if_error(create_device(device(kTinyTiles).state()->info, hooks, d));
  observe(d);
  const DirtyScratch memory({4096});
  const auto count = device_count(7u);
  for (const Count& items : {Count(100), Count(1'000'000, count.address())}) {
    CHECK(hazards_of(d, [&](Commands& commands) {
            for (int i = 0; i < 2; ++i) {
              Grid grid(items, 1, memory.get());
              VKPRIMS_TRY(commands.prepare(grid));
              VKPRIMS_TRY(commands.fill(memory.get(), 64, 1024, 0, beside(grid)));
            }
            return Status();
          }) == "");
  }
  spy().clear();
  spy().skip_barrier = 0;
  context().record([&](Recorder& r) {  // recorded, never run
    r.commands([&](VkCommandBuffer cmd) {
      throw_if_error(record_call("test", cmd, d, [&](Commands& commands) {
        VKPRIMS_TRY(commands.fill(memory.get(), 64, 1024));
        return commands.fill(memory.get(), 1024, 128);
      }));
    });
  });
  CHECK(spy().hazards.hazards().find("after vkCmdDispatch wrote") != std::string::npos);
}

TEST_CASE("commands: a list of any length is recorded in its order") {
  constexpr std::uint32_t kFills = 300;
  const Device& d = device(kTinyTiles);
  const DirtyScratch memory({4 * kFills});
  run_commands("test", d, [&](Commands& commands) {
    const Commands::Label label(commands, "fills");
    for (std::uint32_t i = 0; i < kFills; ++i) {
      // Each fill sets all words from its own on.
      throw_if_error(commands.fill(memory.get(), 4 * i, 4 * (kFills - i), i));
    }
    return Status();
  });
  const auto copy = context().allocate<std::uint32_t>(kFills);
  context().run([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      const BufferView view{memory.get().address, memory.get().bytes};
      throw_if_error(record_copy(cmd, d, {4, kFills}, {view, copy.view(), {}}));
    });
  });
  std::vector<std::uint32_t> expected(kFills);
  for (std::uint32_t i = 0; i < kFills; ++i) expected[i] = i;
  CHECK(difference(context().download(copy), expected) == "");
}

TEST_CASE("commands: what a write copies may change before it is recorded") {
  const Device& d = device(kTinyTiles);
  const DirtyScratch memory({16});
  run_commands("test", d, [&](Commands& commands) {
    std::uint32_t words[4] = {1, 2, 3, 4};
    commands.write(memory.get(), 0, words, 8);
    words[0] = 9;
    commands.write(memory.get(), 8, words, 8);
    words[0] = words[1] = 0;
    return Status();
  });
  const auto copy = context().allocate<std::uint32_t>(4);
  context().run([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      const BufferView view{memory.get().address, 16};
      throw_if_error(record_copy(cmd, d, {4, 4}, {view, copy.view(), {}}));
    });
  });
  CHECK(context().download(copy) == std::vector<std::uint32_t>{1, 2, 9, 2});
}

}  // namespace vkprims::test

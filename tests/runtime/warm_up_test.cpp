// WarmUp notes and compiles exactly what later calls will need.
#include "vkprims/warm_up.hpp"

#include <cmath>
#include <random>

#include "context/context_support.hpp"
#include "runtime/tuning.hpp"
#include "support/dry_device.hpp"
#include "support/every_primitive.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

constexpr std::uint64_t kCounts[] = {64, 1 << 22};  // for one workgroup, for many

WarmUp warm_up_of(const Device& device) {
  WarmUp warm;
  throw_if_error(WarmUp::create(device, warm));
  return warm;
}

template <class F>
void for_each_primitive(F&& f) {
  for (const std::uint64_t n : kCounts) {
    for (const AnyPrimitive& primitive : every_primitive(n)) {
      CAPTURE(primitive.name);
      CAPTURE(n);
      dry_log() = {};
      f(primitive);
    }
  }
}

// Returns what `record` compiles on a Device that has no pipelines yet.
template <class F>
int compiled_by(F&& record) {
  const Device lazy = dry_device();
  dry_log() = {};
  throw_if_error(record(lazy));
  const int compiled = dry_log().pipelines_created;
  dry_log() = {};
  return compiled;
}

}  // namespace

TEST_CASE("warm_up: WarmUp compiles exactly what every primitive needs to be recorded") {
  for_each_primitive([](const AnyPrimitive& primitive) {
    const int needed =
        compiled_by([&](const Device& d) { return primitive.record(dry_commands(), d); });
    const Device cold = dry_device(PipelinePolicy::warmed_only);
    WarmUp warm = warm_up_of(cold);
    CHECK(primitive.record(VK_NULL_HANDLE, warm.device()));
    CHECK(primitive.record(dry_commands(), warm.device()));  // every pipeline is known by now
    CHECK(dry_log().commands == 0);
    CHECK(dry_log().labels.empty());
    CHECK(dry_log().pipelines_created == 0);
    CHECK(warm.noted() == static_cast<std::size_t>(needed));
    CHECK(warm.compiled() == 0);
    CHECK(primitive.record(dry_commands(), cold) == Status::not_warmed);

    CHECK(warm.compile(1));
    CHECK(dry_log().pipelines_created == 1);
    CHECK(warm.compiled() == 1);
    CHECK(warm.compile());
    CHECK(warm.compile());
    CHECK(dry_log().pipelines_created == needed);
    CHECK(warm.compiled() == warm.noted());

    CHECK(primitive.record(dry_commands(), cold));
    CHECK(dry_log().pipelines_created == needed);
    CHECK(dry_log().commands > 0);
  });
}

TEST_CASE("warm_up: through a WarmUp it notes what it compiles on the Device") {
  for_each_primitive([](const AnyPrimitive& primitive) {
    const int needed = compiled_by([&](const Device& d) { return primitive.warm_up(d); });
    const Device cold = dry_device(PipelinePolicy::warmed_only);
    WarmUp warm = warm_up_of(cold);
    CHECK(primitive.warm_up(warm.device()));
    CHECK(dry_log().pipelines_created == 0);
    CHECK(warm.noted() == static_cast<std::size_t>(needed));
    CHECK(warm.compile());
    CHECK(dry_log().pipelines_created == needed);
    CHECK(primitive.record(dry_commands(), cold));
  });
}

TEST_CASE("warm_up: WarmUp gives the errors of recording, in its words") {
  const Device d = dry_device();
  for_each_primitive([&](const AnyPrimitive& primitive) {
    WarmUp warm = warm_up_of(d);
    const Status expected = primitive.record_nothing(dry_commands(), d);
    const Status noted = primitive.record_nothing(VK_NULL_HANDLE, warm.device());
    CHECK(noted == Status::invalid_argument);
    CHECK(std::string(noted.message()) == expected.message());
  });
}

TEST_CASE(
    "warm_up: a pipeline that fails is reported as in recording, and is left to a later call") {
  for_each_primitive([](const AnyPrimitive& primitive) {
    const Device d = dry_device(), fresh = dry_device();
    WarmUp warm = warm_up_of(d);
    CHECK(primitive.record(VK_NULL_HANDLE, warm.device()));
    dry_log().pipelines = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const Status expected = primitive.record(dry_commands(), fresh);
    const Status failed = warm.compile();
    CHECK(failed == Status::out_of_memory);
    CHECK(failed.vk_result() == VK_ERROR_OUT_OF_DEVICE_MEMORY);
    CHECK(std::string(failed.message()) == expected.message());
    CHECK(warm.compiled() == 0);
    dry_log().pipelines = VK_SUCCESS;
    CHECK(warm.compile());
    CHECK(warm.compiled() == warm.noted());
    CHECK(dry_log().pipelines_created == static_cast<int>(warm.noted()));
  });
}

TEST_CASE("warm_up: for_each_count() gives both ends, and the powers of two between") {
  std::vector<std::uint64_t> counts;
  const auto push = [&](std::uint64_t n) { counts.push_back(n); };
  for_each_count(5, 5, push);
  for_each_count(5, 33, push);
  for_each_count(0, 4, push);
  for_each_count(kMaxCount, ~std::uint64_t{0}, [&](std::uint64_t n) { push(n >> 38); });
  std::vector<std::uint64_t> expected{5, 5, 8, 16, 32, 33, 0, 1, 2, 4, 1};
  for (std::uint64_t n = 2; n < std::uint64_t{1} << 26; n *= 2) expected.push_back(n);
  expected.push_back((std::uint64_t{1} << 26) - 1);
  CHECK(counts == expected);
}

TEST_CASE("warm_up: for_each_count() leaves no count of its range to be compiled") {
  constexpr std::uint64_t kLargest = 3 << 29;  // the views of every_primitive() hold no more
  std::vector<std::uint64_t> others;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(6, 30.5);
  for (int i = 0; i < 400; ++i) {
    others.push_back(static_cast<std::uint64_t>(std::exp2(exponent(random))));
  }
  for (std::uint64_t n = 64; n < kLargest / 2; n *= 2) {
    others.insert(others.end(), {n + 1, 2 * n - 1});
  }

  const std::uint32_t largest = context().device().state()->largest_workgroup;
  std::vector<Tuning> all{Tuning{}, kTinyTiles, kSmallTiles};
  // All rows of the table, the last of them for any device.
  for (const TuningKey key : {TuningKey{0x10de, 0, 32}, TuningKey{0x1002, 0, 64},
                              TuningKey{0x1002, 0, 32}, TuningKey{0x8086, 0, 32}, TuningKey{}}) {
    throw_if_error(choose_tuning(key, largest, {}, all.emplace_back()));
  }
  for (const Tuning& tuning : all) {
    const Device d = dry_device(PipelinePolicy::lazy, tuning);
    std::vector<WarmUp> warm;  // one for each primitive
    const auto note_all = [&](std::uint64_t n) {
      const std::vector<AnyPrimitive> primitives = every_primitive(n);
      while (warm.size() < primitives.size()) warm.push_back(warm_up_of(d));
      for (std::size_t i = 0; i < primitives.size(); ++i) {
        CAPTURE(n);
        CAPTURE(primitives[i].name);
        CHECK(primitives[i].record(VK_NULL_HANDLE, warm[i].device()));
      }
    };
    for_each_count(64, kLargest, note_all);
    for (WarmUp& one : warm) throw_if_error(one.compile());
    for (const std::uint64_t n : others) {
      CAPTURE(n);
      note_all(n);
      const auto complete = [](const WarmUp& one) { return one.compiled() == one.noted(); };
      CHECK(std::all_of(warm.begin(), warm.end(), complete));
    }
  }
}

TEST_CASE("warm_up: what the Device has is not noted, what it gets meanwhile not compiled again") {
  const Device d = dry_device();
  const ReduceDesc sum{.count = 1000}, maximum{.op = Op::max, .count = 1000};
  WarmUp warm = warm_up_of(d);
  const auto reduce_on = [&](const Device& on, const ReduceDesc& desc) {
    return record_reduce(dry_commands(), on, desc, {warm.view(4000), warm.view(4), {}});
  };
  dry_log() = {};
  CHECK(reduce_on(d, sum));
  CHECK(dry_log().pipelines_created == 1);
  CHECK(reduce_on(warm.device(), sum));
  CHECK(warm.noted() == 0);
  CHECK(reduce_on(warm.device(), maximum));
  CHECK(warm.noted() == 1);
  CHECK(reduce_on(d, maximum));
  CHECK(dry_log().pipelines_created == 2);
  CHECK(warm.compile());
  CHECK(dry_log().pipelines_created == 2);
  CHECK(warm.compiled() == 1);
}

TEST_CASE("warm_up: views of a WarmUp do not overlap, and are where they are asked for") {
  const Device d = dry_device();
  WarmUp warm = warm_up_of(d);
  VkDeviceAddress end = 0;
  for (const VkDeviceSize offset : {0, 4, 1, 300}) {
    for (const VkDeviceSize bytes : {VkDeviceSize{0}, VkDeviceSize{7}, kMaxCount * 16}) {
      const BufferView view = warm.view(bytes, offset);
      CHECK(view.address > 0);
      CHECK(view.address >= end);
      CHECK((view.address - offset) % 256 == 0);
      CHECK(view.bytes == bytes);
      end = view.address + bytes;
    }
  }
  const Scratch scratch = warm.scratch({.bytes = 100, .alignment = 16});
  CHECK(scratch.buffer);
  CHECK(scratch.address >= end);
  CHECK(scratch.bytes == 100);
  CHECK(warm.view(4).address >= scratch.address + 100);
  CHECK(warm.scratch({}).bytes == 0);
}

TEST_CASE("warm_up: an empty WarmUp, an empty Device and the Device of a WarmUp are refused") {
  WarmUp warm;
  CHECK(!warm.device());
  CHECK(warm.noted() == 0);
  CHECK(warm.compiled() == 0);
  CHECK(warm.compile() == Status::invalid_argument);
  CHECK(record_reduce(dry_commands(), warm.device(), {.count = 1}, {}) == Status::invalid_argument);
  CHECK(WarmUp::create(Device(), warm) == Status::invalid_argument);
  const Device d = dry_device();
  throw_if_error(WarmUp::create(d, warm));
  CHECK(
      record_reduce(VK_NULL_HANDLE, warm.device(), {.count = 1}, {warm.view(4), warm.view(4), {}}));
  WarmUp second;
  CHECK(WarmUp::create(warm.device(), second) == Status::invalid_argument);
  CHECK(!second.device());
  CHECK(warm.noted() == 1);  // the count is unchanged
}

TEST_CASE("warm_up: views that are not there stand for those that are") {
  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  observe(d);
  const std::vector<std::uint32_t> values(100'000, 3);
  const ScanDesc scan{.count = values.size()};
  const ScratchNeed need = scan_scratch(d, scan);
  const Guarded in(values, 4), out(4 * values.size(), 8);
  const auto scratch = context().allocate<std::uint8_t>(need.bytes + 1);

  const auto record = [&](VkCommandBuffer cmd) {
    return record_scan(cmd, d, scan,
                       {in.view(), out.view(), scratch_view(d, scratch.handle(), 0, need.bytes)});
  };
  run([&](VkCommandBuffer cmd) { CHECK(record(cmd) == Status::not_warmed); });
  WarmUp warm = warm_up_of(d);
  throw_if_error(record_scan(VK_NULL_HANDLE, warm.device(), scan,
                             {warm.view(4 * values.size(), 4), warm.view(4 * values.size(), 8),
                              warm.scratch(scan_scratch(warm.device(), scan))}));
  const int before = spy().pipelines_created;
  throw_if_error(warm.compile());
  CHECK(spy().pipelines_created - before == static_cast<int>(warm.noted()));
  run([&](VkCommandBuffer cmd) { throw_if_error(record(cmd)); });
  CHECK(spy().pipelines_created - before == static_cast<int>(warm.noted()));
  const auto sums = out.read<std::uint32_t>();
  CHECK(sums.front() == 0);
  CHECK(sums.back() == 3 * (values.size() - 1));
}

TEST_CASE("warm_up: a Context notes what the steps of a submission need") {
  ContextInfo info = plain();
  info.pipelines = PipelinePolicy::warmed_only;
  Context c(info);
  const auto x = c.upload(counting(1000));
  const auto total = c.allocate<std::uint32_t>(1);
  const auto steps = [&](Recorder& r) {
    const auto sums = r.allocate<std::uint32_t>(x.size());
    scan(r, {}, x, sums);
    reduce(r, {.op = Op::max}, sums, total);
  };
  CHECK_THROWS_AS(c.run(steps), Error);
  WarmUp warm = warm_up_of(c.device());
  const std::uint64_t submissions = c.statistics().submissions;
  c.note(warm, steps);
  CHECK(c.statistics().submissions == submissions);
  CHECK(warm.noted() == 2);
  throw_if_error(warm.compile());
  c.run(steps);
  CHECK(c.download(total)[0] == 499500);
  CHECK_THROWS_AS(c.note(WarmUp(), steps), Error);
}

}  // namespace vkprims::test
